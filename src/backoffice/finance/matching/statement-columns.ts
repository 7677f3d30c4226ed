import { longest } from '../../../contract/lengths.ts'
import { minorUnits, readAmount, type WrittenAmount } from '../../../files/amounts.ts'
import { currencyCode, localTime, text } from '../../../files/cell-readers.ts'
import type { ColumnFault } from '../../../files/column-faults.ts'
import type { ColumnMap, ColumnTable } from '../../../files/map-columns.ts'
import { CellRefused, type Columns, readCells } from '../../../files/read-cells.ts'
import type { RowSource, SourceRow } from '../../../files/row-source.ts'
import type { StatementLine } from './statement-line.ts'

interface LineMembers {
  value_date: string
  price: SignedAmount
  currency?: string
  provider?: string
  charge_id?: string
  reference?: string
  description?: string
}

interface SignedAmount extends WrittenAmount {
  isOut: boolean
}

export type ColumnName = keyof LineMembers

const columns: Columns<LineMembers> = {
  value_date: {
    aliases: [
      'date',
      'booking date',
      'transaction date',
      'value day',
      'time',
      '日期',
      '交易日期',
      '入账日期',
      '交易时间',
    ],
    read: (cell, context) => localTime(cell, context).slice(0, 10),
  },
  price: {
    aliases: ['amount', 'net', 'gross', 'credit', '金额', '交易金额', '收入金额'],
    read: signedAmount,
  },
  currency: { aliases: ['currency code', '币种', '货币'], read: currencyCode },
  provider: { aliases: ['gateway', 'bank', 'channel', '渠道', '支付渠道'], read: text },
  charge_id: {
    aliases: ['charge', 'transaction id', 'transaction number', 'id', '流水号', '交易号', '交易流水号'],
    read: text,
  },
  reference: {
    aliases: [
      'payment reference',
      'remittance information',
      'order number',
      'order',
      '参考号',
      '附言',
      '订单号',
      '商户订单号',
    ],
    read: text,
  },
  description: {
    aliases: ['details', 'memo', 'narrative', 'text', '摘要', '备注'],
    isLongText: true,
    read: text,
  },
}

/** A line needs at least a date and an amount. */
export const statementColumns: ColumnTable<ColumnName> = {
  columns,
  missing(found) {
    const absent = (['value_date', 'price'] as const).filter((name) => !found.has(name))
    return absent.length === 0 ? undefined : `The column ${absent.join(' and the column ')} is missing.`
  },
}

/** Defaults for values that a statement does not state. */
export interface LineDefaults {
  provider: string
  currency: string
}

/** Reads a row of a statement, or returns all invalid cells. */
export function readLine(
  source: SourceRow,
  map: ColumnMap<ColumnName>,
  context: RowSource,
  defaults: LineDefaults,
): StatementLine | ColumnFault[] {
  const { members, faults } = readCells<LineMembers>(columns, source, map, context)
  const { value_date, price: amount, currency = defaults.currency, provider = defaults.provider } = members
  const { charge_id = null, reference = null, description = null } = members
  for (const column of ['value_date', 'price'] as const)
    if (members[column] === undefined && !faults.some((fault) => fault.column === column))
      faults.push({ column, reason: 'is required' })
  const price = amount === undefined ? 0 : minorUnits(amount, currency)
  if (typeof price === 'string') faults.push({ column: 'price', reason: price })
  else if (amount !== undefined && price === 0) faults.push({ column: 'price', reason: 'must not be 0' })
  for (const [column, limit] of Object.entries(limits))
    if (((members[column as ColumnName] as string | undefined) ?? '').length > limit)
      faults.push({ column, reason: `must be text of at most ${limit} characters` })
  if (faults.length > 0) return faults
  const signed = amount!.isOut ? -(price as number) : (price as number)
  return {
    ...{ provider, charge_id, reference, description, price: signed, currency, value_date: value_date! },
    ...{ payer: null, fee_price: 0, payout_id: null },
  }
}

const limits = {
  provider: longest.id,
  charge_id: longest.id,
  reference: longest.name,
  description: longest.longText,
}

/** Outgoing amounts have a minus sign or brackets. */
function signedAmount(cell: string): SignedAmount {
  const plain = cell.normalize('NFKC').replaceAll('−', '-').trim()
  const [, minus, bracketed] = /^(?:([-+])\s*|\((?=.*\)$))?(.*?)\)?$/.exec(plain) ?? []
  const isOut = minus === '-' || /^\(.*\)$/.test(plain)
  const found = readAmount(bracketed ?? '')
  if (found) return { ...found, isOut }
  throw new CellRefused('must be an amount such as 12800, -12,800.00 or (1 280)')
}

import { currencyExponents } from '../../../../contract/currencies.ts'
import { FileRefused } from '../../../../files/row-source.ts'
import {
  addLine,
  ColumnsMissing,
  type ReadColumns,
  type ReadLine,
  type ReadStatement,
  refusedLine,
  type StatementFormat,
} from './statement-file.ts'
import { type DayOrder, dateReader, isIncoming, signedPrice } from './table-cells.ts'
import { isHeader, missingColumn, type Places, placeColumns, type TableColumn } from './table-columns.ts'
import type { TableRecord } from './table-records.ts'

export interface TableOptions {
  /** Currency of rows that name none. */
  currency: string
  mapping?: Record<string, string>
  dayOrder?: DayOrder
}

const withoutMoney = /关闭|失败|等待|撤销|REVOKED|NOTPAY|CLOSED|pending|failed/i

/** Rows before the table: titles, the account, the period. */
const mostBefore = 60

/** Reads a table: a header after any preamble, rows, and a footer without dates. */
export function readTable(
  records: TableRecord[],
  options: TableOptions,
): { format: StatementFormat; table: ReadColumns; statements: ReadStatement[] } {
  const mapped = Object.keys(options.mapping ?? {})
  const isMapped = (cells: string[]) => mapped.length > 0 && mapped.every((header) => cells.includes(header))
  const found = records.slice(0, mostBefore).findIndex(({ cells }) => isMapped(cells) || isHeader(cells))
  const header = records[Math.max(found, 0)]
  if (!header) throw new FileRefused('The file has no rows.')
  const headers = header.cells
  const format = formatOf(headers)
  const { places, columns } = placeColumns(headers, { ...knownMapping(format, headers), ...options.mapping })
  const missing = missingColumn(places)
  if (missing !== undefined)
    throw new ColumnsMissing(
      `Line ${header.line}: ${missing} Headers: ${headers.filter(Boolean).slice(0, 20).join(', ')}.`,
      { headers, columns },
    )
  const cellsAt = (cells: string[], column: TableColumn) => cells[places.get(column) ?? -1] ?? ''
  const moved = records
    .slice(Math.max(found, 0) + 1)
    // Rows that moved no money may have no date.
    .filter(({ cells }) => !withoutMoney.test(cellsAt(cells, 'status')))
  const rows = withoutFooter(moved, cellsAt)
  const dateOf = dateReader(
    rows.map(({ cells }) => cellsAt(cells, 'value_date')),
    options.dayOrder,
  )
  const byCurrency = new Map<string, { statement: ReadStatement; balances: (number | undefined)[] }>()
  for (const { line, cells } of rows) {
    const at = (column: TableColumn) => cellsAt(cells, column)
    const row = readRow({ line, at, places, format, dateOf, currency: options.currency })
    if (row === undefined) continue
    const group = byCurrency.get(row.currency) ?? { statement: emptyStatement(row.currency), balances: [] }
    byCurrency.set(row.currency, group)
    const before = group.statement.lines.length
    addLine(group.statement, row.line)
    if (group.statement.lines.length > before) group.balances.push(row.balance)
  }
  for (const { statement, balances } of byCurrency.values()) readBalances(statement, balances)
  return {
    format,
    table: { headers, columns },
    statements: [...byCurrency.values()].map(({ statement }) => statement),
  }
}

function emptyStatement(currency: string): ReadStatement {
  return { name: null, account: null, currency, opening_price: null, closing_price: null, lines: [] }
}

function formatOf(headers: string[]): StatementFormat {
  const has = (...names: string[]) =>
    names.every((name) => headers.some((header) => header.toLowerCase() === name))
  if (has('fee', 'net') && (has('reporting_category') || has('balance_transaction_id') || has('id', 'type')))
    return 'stripe'
  if (has('微信订单号') || has('微信支付业务单号') || has('交易单号', '商户单号')) return 'wechat'
  if (has('账务流水号') || has('交易号', '商家订单号') || has('交易订单号', '商家订单号')) return 'alipay'
  return 'csv'
}

/** The row of a refund names the charge too: its source is the refund. */
function knownMapping(format: StatementFormat, headers: string[]): Record<string, string> {
  const source = headers.find((header) => /^source(_id)?$/i.test(header))
  return format === 'stripe' && source !== undefined ? { [source]: 'charge_id' } : {}
}

/** The footer starts at the first row whose date has no digit, and has no dates. */
function withoutFooter(
  records: TableRecord[],
  cellsAt: (cells: string[], column: TableColumn) => string,
): TableRecord[] {
  const end = records.findIndex(({ cells }) => !/[0-9]/.test(cellsAt(cells, 'value_date')))
  if (end < 0) return records
  const late = records
    .slice(end)
    .find(({ cells }) => /[0-9]{1,4}[-/.年][0-9]{1,2}[-/.月][0-9]{1,4}/.test(cellsAt(cells, 'value_date')))
  if (late) throw refusedLine(records[end]!.line, 'the date is missing')
  return records.slice(0, end)
}

interface Row {
  line: number
  at(column: TableColumn): string
  places: Places
  format: StatementFormat
  dateOf(cell: string): string | undefined
  currency: string
}

/** Undefined for a row that moved no money. */
function readRow(row: Row): { line: ReadLine; currency: string; balance: number | undefined } | undefined {
  const { line, at, places, format } = row
  const currency =
    at('currency').toUpperCase() || (format === 'alipay' || format === 'wechat' ? 'CNY' : row.currency)
  if (!Object.hasOwn(currencyExponents, currency))
    throw refusedLine(line, `the currency ${currency} is not in ISO 4217`)
  const value_date = row.dateOf(at('value_date'))
  if (value_date === undefined)
    throw refusedLine(
      line,
      `the date ${at('value_date')} must be such as 2026-10-14, or must state the order of day and month`,
    )
  const read = (column: TableColumn) => {
    if (at(column) === '') return undefined
    const price = signedPrice(at(column), currency)
    if (typeof price === 'string') throw refusedLine(line, price)
    return price
  }
  const amount = amountOf(row, read)
  if (amount === undefined) return undefined
  const text = (column: TableColumn) => at(column) || null
  const isRefund = amount.price < 0 && places.has('refund_id')
  return {
    currency,
    balance: read('balance'),
    line: {
      ...{ line, value_date, ...amount },
      charge_id: isRefund ? text('refund_id') : text('charge_id'),
      reference: text('reference'),
      payer: text('payer'),
      description: [at('category'), at('description')].filter(Boolean).join(' · ') || null,
      payout_id: text('payout_id'),
    },
  }
}

type Amounts = Pick<ReadLine, 'price' | 'fee_price'>

function amountOf(row: Row, read: (column: TableColumn) => number | undefined): Amounts | undefined {
  const { line, at, places, format } = row
  const fee = read('fee') ?? 0
  if (places.has('net')) {
    const net = read('net')
    const gross = read('gross') ?? read('price')
    if (net === undefined) throw refusedLine(line, 'the net amount is missing')
    if (gross !== undefined && gross - fee !== net)
      throw refusedLine(
        line,
        `gross ${at('gross') || at('price')} less fee ${at('fee')} is not net ${at('net')}`,
      )
    // A fee of the gateway itself has no gross amount.
    return { price: net, fee_price: /(^|_)fee$/i.test(at('category')) ? -net : fee }
  }
  if (places.has('refund_price') && format === 'wechat') {
    const price = /REFUND/i.test(at('status')) ? -Math.abs(read('refund_price') ?? 0) : (read('price') ?? 0)
    return { price: price - fee, fee_price: fee }
  }
  if (places.has('incoming') || places.has('outgoing')) {
    const [incoming = 0, outgoing = 0] = [read('incoming'), read('outgoing')]
    if (incoming !== 0 && outgoing !== 0)
      throw refusedLine(line, 'the row has an incoming and an outgoing amount')
    // Some banks write debits as negative numbers.
    return nonZero(line, incoming - Math.abs(outgoing))
  }
  const price = read('price')
  if (price === undefined) throw refusedLine(line, 'the amount is missing')
  if (!places.has('direction')) return nonZero(line, price)
  const isIn = isIncoming(at('direction'), at('category'))
  if (isIn === undefined && (format === 'alipay' || format === 'wechat')) return undefined
  if (isIn === undefined)
    throw refusedLine(line, `${at('direction') || 'an empty direction'} is neither incoming nor outgoing`)
  // Amounts of bills have no sign. A fee was deducted from the amount.
  const own = format === 'alipay' ? fee : 0
  return { price: (isIn ? price : -Math.abs(price)) - own, fee_price: own }
}

function nonZero(line: number, price: number): Amounts {
  if (price === 0) throw refusedLine(line, 'the amount is 0')
  return { price, fee_price: 0 }
}

/** Opening and closing balance from a column of balances, which must follow from the amounts, in either order of time. */
function readBalances(statement: ReadStatement, balances: (number | undefined)[]): void {
  if (balances.length === 0 || balances.some((balance) => balance === undefined)) return
  const { lines } = statement
  const known = balances as number[]
  const firstBreak = (isBroken: (index: number) => boolean) =>
    lines.findIndex((_, index) => index > 0 && isBroken(index))
  const rising = firstBreak((index) => known[index] !== known[index - 1]! + lines[index]!.price)
  const falling = firstBreak((index) => known[index - 1] !== known[index]! + lines[index - 1]!.price)
  if (rising >= 0 && falling >= 0) {
    const isNewestFirst = lines[0]!.value_date > lines.at(-1)!.value_date
    throw refusedLine(
      lines[isNewestFirst ? falling : rising]!.line,
      'the balance does not follow from the row before and the amount',
    )
  }
  // Several rows of one day may be in either order: the oldest comes first in the statement.
  if (rising >= 0) {
    lines.reverse()
    known.reverse()
  }
  statement.opening_price = known[0]! - lines[0]!.price
  statement.closing_price = known.at(-1)!
}

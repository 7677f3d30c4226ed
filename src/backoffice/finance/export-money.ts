import type { Organization } from '../../contract/caller.ts'
import { majorUnits } from '../../contract/money.ts'
import { inputValidator } from '../../contract/validate.ts'
import type { Database } from '../../database/database.ts'
import { listPayments } from '../../orders/payments/list-payments.ts'
import { listRefunds } from '../../orders/payments/list-refunds.ts'
import { moneyFilterOf } from '../../orders/payments/money-filter.ts'
import type { PaymentState } from '../../orders/rules/payment-balance.ts'
import type { ControlSheet } from './control-sheet.ts'
import { moneyColumns, readMoneyAsOf } from './export-money-store.ts'
import {
  type Exported,
  type ExportedRow,
  type ExportTarget,
  type Progress,
  readFilter,
  writeExport,
} from './write-export.ts'

export type MoneyKind = keyof typeof moneyColumns

export interface MoneyExportRequest extends ExportTarget {
  what: MoneyKind
  start_date?: string
  end_date?: string
  method?: string
  provider?: string
  /** State of payments as of the instant. */
  state?: string
}

/** Writes the payments or refunds of an organization as of an instant. */
export function exportMoney(
  { db }: { db: Pick<Database, 'of' | 'shared'> },
  request: MoneyExportRequest,
  progress?: Progress,
): Promise<{ files: string[]; control: ControlSheet }> {
  return writeExport(db, request, (organization) => moneyRows(request, organization), progress)
}

const validators = {
  payments: inputValidator(listPayments),
  refunds: inputValidator(listRefunds),
}

function moneyRows(request: MoneyExportRequest, organization: Organization): Exported {
  const { what, corp_id, start_date, end_date, method, provider, state } = request
  if (what === 'refunds' && state !== undefined)
    throw new Error('Refunds have no state. Remove the filter by state.')
  const asked = { corp_id, start_date, end_date, method, provider, state }
  const filter = readFilter(() => moneyFilterOf(validators[what](asked) as never, organization))
  const columns = moneyColumns[what]
  return {
    columns: Object.keys(columns),
    chosen: {
      what,
      start_date: start_date ?? null,
      end_date: end_date ?? null,
      method: method ?? null,
      provider: provider ?? null,
      ...(what === 'payments' && { state: state ?? null }),
    },
    async *read(tx, asOf) {
      for await (const { total, rows } of readMoneyAsOf(
        tx,
        what,
        { ...filter, state: state as PaymentState },
        asOf,
      ))
        yield { total, rows: rows.map((row) => writtenRow(columns, row)) }
    },
  }
}

/** Writes amounts in major units of the currency of their column. */
function writtenRow(
  columns: Record<string, { of?: 'currency' | 'order_currency' }>,
  row: Record<string, string | number | null>,
): ExportedRow {
  const amounts: ExportedRow['amounts'] = []
  const cells = Object.entries(columns).map(([column, { of }]) => {
    const value = row[column] ?? null
    if (of === undefined) return value
    const currency = row[of] as string
    amounts.push({ column, currency, minor: value as number })
    return majorUnits(value as number, currency)
  })
  const members = Object.keys(columns).map(
    (column, index) => `${JSON.stringify(column)}:${JSON.stringify(cells[index])}`,
  )
  return { cells, amounts, line: `{${members.join(',')}}\n` }
}

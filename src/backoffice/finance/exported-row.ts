import { FinancialRow, financialRowOf, type LedgerSubOrder } from '../../orders/listing/financial-row.ts'
import type { Amount } from './control-sheet.ts'
import type { ExportedRow } from './write-export.ts'

/** The columns of a financial row, in the order of the interface. */
export const exportColumns = Object.keys(FinancialRow.properties)

/** Builds the JSON line directly: serializing an object of 200 members per row would double the cost of an export. */
export function exportedRowOf(subOrder: LedgerSubOrder): ExportedRow {
  const row = financialRowOf(subOrder) as Record<string, string | number | null>
  const cells = exportColumns.map((column) => row[column]!)
  const members = cells.map(
    (cell, column) => names[column]! + (cell === null ? 'null' : JSON.stringify(cell)),
  )
  return { cells, line: `{${members.join(',')}}\n`, amounts: amountsOf(subOrder) }
}

const names = exportColumns.map((column) => `${JSON.stringify(column)}:`)

const priceColumns = ['total_price', 'paid_price', 'post_refund_price', 'unpaid_price'] as const

function amountsOf(subOrder: LedgerSubOrder): Amount[] {
  const { currency, payments } = subOrder
  return [
    ...priceColumns.map((column) => ({ column, currency, minor: subOrder[column] })),
    ...payments.map((payment, index) => ({
      column: `payment${index + 1}_price`,
      currency: payment.currency,
      minor: payment.price,
    })),
  ]
}

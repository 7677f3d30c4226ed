import { FinancialRow, financialRowOf, type LedgerSubOrder } from '../orders/financial-row.ts'
import type { WrittenRow } from '../spreadsheet/sheet-writer.ts'

/** The columns of a financial row, in the order of the interface. */
export const exportColumns = Object.keys(FinancialRow.properties)

/** The line is put together by hand, since an object of 200 members for every row costs as much as all the rest. */
export function exportRowOf(subOrder: LedgerSubOrder): WrittenRow {
  const row = financialRowOf(subOrder) as Record<string, string | number | null>
  const cells = exportColumns.map((column) => row[column]!)
  const members = cells.map(
    (cell, column) => names[column]! + (cell === null ? 'null' : JSON.stringify(cell)),
  )
  return { cells, line: `{${members.join(',')}}\n` }
}

const names = exportColumns.map((column) => `${JSON.stringify(column)}:`)

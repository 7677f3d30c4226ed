import { FinancialRow, financialRowOf, type LedgerSubOrder } from '../orders/financial-row.ts'

/** A row as every format writes it: its cells in the order of the columns, and its canonical line of JSON. */
export interface ExportRow {
  cells: Cell[]
  line: string
}
export type Cell = string | number | null

/** The columns of a financial row, in the order of the interface. */
export const exportColumns = Object.keys(FinancialRow.properties)

export function exportRowOf(subOrder: LedgerSubOrder): ExportRow {
  const row = financialRowOf(subOrder) as Record<string, Cell>
  const ordered = exportColumns.map((column) => [column, row[column]!] as const)
  return { cells: ordered.map(([, cell]) => cell), line: `${JSON.stringify(Object.fromEntries(ordered))}\n` }
}

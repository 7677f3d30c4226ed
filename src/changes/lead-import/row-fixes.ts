import { type RowSource, type SourceRow, textOf } from '../../files/row-source.ts'

/** Corrected cells of a file, by row and by the index of the cell. */
export type RowFixes = Record<string, Record<string, string>>

export const mostFixes = 5000

/** A file with the corrections of its plan. */
export function withFixes(source: RowSource, fixes: RowFixes | undefined): RowSource {
  if (!fixes || Object.keys(fixes).length === 0) return source
  const width = source.headers.length
  return {
    ...source,
    close: () => source.close(),
    async *rows(onProgress) {
      for await (const row of source.rows(onProgress)) {
        const ofRow = fixes[row.row]
        yield ofRow ? fixed(row, ofRow, width) : row
      }
    },
  }
}

/** The cells of an unreadable row are valid once one of them is corrected. */
function fixed({ row, cells, unfitted }: SourceRow, fixes: Record<string, string>, width: number): SourceRow {
  const texts = unfitted ?? cells.map(textOf)
  return { row, cells: Array.from({ length: width }, (_, at) => (fixes[at] ?? texts[at] ?? '').trim()) }
}

/** Later corrections replace earlier ones of the same cell. */
export function mergedFixes(
  before: RowFixes = {},
  given: { row: number; cell: number; value: string }[] = [],
): RowFixes | undefined {
  const merged: RowFixes = structuredClone(before)
  for (const { row, cell, value } of given) merged[row] = { ...merged[row], [cell]: value }
  return Object.keys(merged).length > 0 ? merged : undefined
}

export function countFixes(fixes: RowFixes = {}): number {
  return Object.values(fixes).reduce((sum, cells) => sum + Object.keys(cells).length, 0)
}

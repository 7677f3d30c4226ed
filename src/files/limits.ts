import { columnLetters, FileRefused, rejectColumn } from './row-source.ts'

/**
 * Limits of a row, in any format: far above real files, they stop files that would exhaust the memory. They apply
 * while a file is read, before anything is stored.
 */
export const mostColumns = 1000
export const longestRow = 262_144
const longestHeader = 200

export const tooManyColumns = `a row has at most ${mostColumns} columns`
export const tooLongRow = `a row has at most ${longestRow} characters`

/** A refusal that names a place in the file. */
export function refusedAt(row: number, column: number, reason: string): FileRefused {
  return new FileRefused(`Row ${row}, column ${columnLetters(column)}: ${reason}.`)
}

/** The file of rejected rows has one more column. */
export function refuseWideHeader(row: number, headers: string[]): void {
  const long = headers.findIndex((header) => header.length > longestHeader)
  if (long >= 0) throw refusedAt(row, long, `the header is longer than ${longestHeader} characters`)
  const own = headers.filter((header) => header !== rejectColumn)
  if (own.length > mostColumns) throw refusedAt(row, mostColumns, tooManyColumns)
}

/** The place where a row exceeds the limit of characters; undefined if it does not. */
export function placeOfExcess(cells: string[]): number | undefined {
  let characters = 0
  const at = cells.findIndex((cell) => {
    characters += cell.length
    return characters > longestRow
  })
  return at < 0 ? undefined : at
}

import { columnLetters, FileRefused, rejectColumn } from './row-source.ts'

/**
 * What a row may hold, whatever the format: far more than people write, and an end to files that are made to fill the
 * memory. They hold while a file is read, before anything of it is kept.
 */
export const mostColumns = 1000
export const longestRow = 262_144
const longestHeader = 200

export const tooManyColumns = `a row has at most ${mostColumns} columns`
export const tooLongRow = `a row has at most ${longestRow} characters`

/** A file that is refused for what stands in one place of it. */
export function refusedAt(row: number, column: number, reason: string): FileRefused {
  return new FileRefused(`Row ${row}, column ${columnLetters(column)}: ${reason}.`)
}

/** The file of rejected rows has a column more than the file they came from. */
export function refuseWideHeader(row: number, headers: string[]): void {
  const long = headers.findIndex((header) => header.length > longestHeader)
  if (long >= 0) throw refusedAt(row, long, `the header is longer than ${longestHeader} characters`)
  const own = headers.filter((header) => header !== rejectColumn)
  if (own.length > mostColumns) throw refusedAt(row, mostColumns, tooManyColumns)
}

/** Where the characters of a row become too many; undefined where they do not. */
export function placeOfExcess(cells: string[]): number | undefined {
  let characters = 0
  const at = cells.findIndex((cell) => {
    characters += cell.length
    return characters > longestRow
  })
  return at < 0 ? undefined : at
}

import { columnLetters, FileRefused, type FirstRow } from './row-source.ts'

export interface HeaderOptions {
  /** The row of the headers; 0 for a file without headers. Default: detected. */
  headerRow?: number
  /** Whether a text is the name of a column. Without it, the first row with content has the headers. */
  isHeader?(text: string): boolean
}

export interface Header {
  row: number
  names: string[]
}

/** The last row that can be chosen. */
export const mostHeaderRow = 100

/** The rows among which the headers are searched. */
export const examinedRows = 30

/**
 * Finds the row of the headers: the row with the most names of columns. Titles and notes may precede it. Of two rows
 * of headers, the lower one counts; the upper one completes it where it is empty or repeats a name.
 */
export function findHeader(rows: FirstRow[], { headerRow, isHeader }: HeaderOptions): Header {
  if (headerRow === 0) return lettered(rows)
  const filled = rows.filter(({ cells }) => cells.some((cell) => cell !== ''))
  const [first] = filled
  if (!first) throw new FileRefused('The file has no header row.', undefined, 'no_rows')
  const counts = isHeader ?? (() => false)
  if (headerRow !== undefined) {
    const at = filled.findIndex(({ row }) => row === headerRow)
    if (at < 0)
      throw new FileRefused(`Row ${headerRow} is empty or missing: it cannot be the header row.`, {
        option: 'header_row',
      })
    return headerAt(filled, at, counts)
  }
  if (!isHeader) return { row: first.row, names: first.cells }
  const candidates = filled.flatMap((each, at) =>
    each === first || !holdsValues(each, filled, counts) ? [headerAt(filled, at, counts)] : [],
  )
  const best = candidates.reduce((before, each) => (isBetter(each, before) ? each : before))
  const above = filled.filter(({ row }) => row < best.row)
  if (best.known > 1 || (best.known === 1 && above.every(({ cells }) => widthOf(cells) <= 1))) return best
  if (first.cells.some(isData)) return lettered(rows)
  return byWidth(filled) ?? { row: first.row, names: first.cells }
}

/** Whether the cells of a row are values: numbers, addresses, or texts that other rows have in the same column. */
function holdsValues(
  { row, cells }: FirstRow,
  rows: FirstRow[],
  isHeader: (text: string) => boolean,
): boolean {
  const others = rows.filter((other) => other.row !== row)
  const isRepeated = (cell: string, column: number) => others.some(({ cells }) => cells[column] === cell)
  return cells.some((cell, column) => isData(cell) || (isHeader(cell) && isRepeated(cell, column)))
}

interface Candidate extends Header {
  /** The number of different names of columns. */
  known: number
  /** The upper row of two, if it completes this one. */
  upper: FirstRow | undefined
}

/** Of two equal rows, the upper one has the headers, unless it has gaps that the lower one fills. */
function isBetter(candidate: Candidate, before: Candidate): boolean {
  if (candidate.known !== before.known) return candidate.known > before.known
  if (candidate.known === 0 || candidate.upper?.row !== before.row) return false
  return widthOf(candidate.names) > widthOf(before.names)
}

function headerAt(rows: FirstRow[], at: number, isHeader: (text: string) => boolean): Candidate {
  const { row, cells } = rows[at]!
  const knownIn = (names: string[]) => new Set(names.filter((name) => name !== '' && isHeader(name))).size
  const alone = { row, names: cells, known: knownIn(cells), upper: undefined }
  const upper = rows[at - 1]
  if (upper?.row !== row - 1 || widthOf(upper.cells) < 2 || upper.cells.some(isData)) return alone
  const width = Math.max(upper.cells.length, cells.length)
  const known = knownIn(
    Array.from({ length: width }, (_, index) => cells[index] || (upper.cells[index] ?? '')),
  )
  return known >= alone.known ? { row, names: combined(upper.cells, cells), known, upper } : alone
}

/** An upper header applies to the empty cells on its right: the cells are merged. */
function combined(upper: string[], lower: string[]): string[] {
  const width = Math.max(upper.length, lower.length)
  const repeated = lower.filter((name, index) => name !== '' && lower.indexOf(name) !== index)
  let group = ''
  return Array.from({ length: width }, (_, index) => {
    const [above = '', name = ''] = [upper[index], lower[index]]
    if (above !== '') group = above
    if (name === '') return above
    return repeated.includes(name) && group !== '' && group !== name ? `${group} ${name}` : name
  })
}

/** Numbers and addresses occur in rows of people, not in headers. */
function isData(cell: string): boolean {
  return (
    /^[^\s@]{1,200}@[^\s@]{1,200}\.[^\s@]{1,100}$/.test(cell) ||
    (cell.length <= 40 && /^\D{0,3}[0-9][0-9\s().-]{5,}[0-9]$/.test(cell))
  )
}

function widthOf(cells: string[]): number {
  return new Set(cells.filter((cell) => cell !== '')).size
}

/** Without known names: the first row that is about as wide as the table. */
function byWidth(rows: FirstRow[]): Header | undefined {
  const widest = Math.max(...rows.map(({ cells }) => widthOf(cells)))
  const found = rows.find(({ cells }) => widthOf(cells) > 1 && widthOf(cells) * 2 > widest)
  return found && { row: found.row, names: found.cells }
}

/** A file without headers: its columns have the letters of a spreadsheet. */
function lettered(rows: FirstRow[]): Header {
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  if (width === 0) throw new FileRefused('The file has no rows.', undefined, 'no_rows')
  return { row: 0, names: Array.from({ length: width }, (_, index) => columnLetters(index)) }
}

const shownRows = 15
const shownCells = 60
const shownCharacters = 80

/** The beginnings of the first rows, to show. */
export function shownRowsOf(rows: FirstRow[]): FirstRow[] {
  return rows.slice(0, shownRows).map(({ row, cells }) => ({
    row,
    cells: cells.slice(0, shownCells).map((cell) => cell.slice(0, shownCharacters).toWellFormed()),
  }))
}

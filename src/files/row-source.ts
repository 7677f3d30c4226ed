/** A file of rows. It can be read repeatedly, as a stream. */
export interface RowSource {
  format: Format
  headers: string[]
  /** The row of the headers, the lower one of two; 0 for a file without headers. */
  headerRow: number
  /** The first rows as read, also those above the headers, with the beginnings of their cells. */
  firstRows: FirstRow[]
  /** The sheet of a workbook that is read. */
  sheet?: string
  sheets?: SheetInfo[]
  /** The detected text encoding. */
  encoding?: string
  /** Whether the dates of a spreadsheet count from 1904 instead of 1900. */
  countsFrom1904: boolean
  bytes: number
  rows(onProgress?: (bytes: number) => void): AsyncIterable<SourceRow>
  close(): Promise<void>
}

export interface FirstRow {
  row: number
  cells: string[]
}

/** A sheet of a workbook. */
export interface SheetInfo {
  name: string
  isHidden: boolean
  /** The last row, as the workbook states it; undefined if it does not. */
  rows?: number | undefined
}

/** A cell without a valid value. */
export interface CellFault {
  fault: string
  /** The content of the cell, for the file of rejected rows. */
  text?: string
}

export type Cell = string | CellFault

/** The content of a cell, valid or not. */
export function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : (cell.text ?? '')
}

/** The text of a cell. Files write ="00123" so that spreadsheets keep the zeros. */
export function plainText(cell: string): string {
  const text = cell.trim()
  if (!text.startsWith('="') || !text.endsWith('"') || text.length < 3) return text
  const inner = text.slice(2, -1)
  return inner.replaceAll('""', '').includes('"') ? text : inner.replaceAll('""', '"').trim()
}

export interface SourceRow {
  /** As in a spreadsheet: the header is row 1, unless blank rows precede it. */
  row: number
  /** In the order of the headers; "" is an empty cell. */
  cells: Cell[]
  /** The cells of a row that has more or fewer cells than the header, or that cannot be read. */
  unfitted?: string[]
  /** Why no cell of the row can be trusted. Each cell has this fault. */
  fault?: string
}

/** A row whose cells cannot be assigned to the headers. */
export function unreadableRow(row: number, fault: string, unfitted: string[], width: number): SourceRow {
  const cells = Array.from({ length: width }, (_, index) => ({ fault, text: unfitted[index] ?? '' }))
  return { row, cells, unfitted, fault }
}

/** The column with the reason of a rejection. It is ignored when the file of rejected rows is imported. */
export const rejectColumn = 'reject_reason'

export const formats = ['csv', 'xlsx', 'ndjson'] as const
export type Format = (typeof formats)[number]

/** The setting that would help: an option of a command, a parameter of an operation. */
interface Remedy {
  option: 'format' | 'encoding' | 'sheet' | 'header_row' | 'mapping'
  /** The values that would help, if only some would. */
  values?: readonly string[]
}

/** Frequent refusals, which the console explains in its own words. */
export const refusalReasons = [
  ...(['old_workbook', 'web_page', 'encrypted_workbook', 'not_a_workbook', 'no_rows', 'encoding'] as const),
  'missing_column',
  'contact_cards',
] as const
export type RefusalReason = (typeof refusalReasons)[number]

/** A file that cannot be imported at all. The message names no option, because callers have different ones. */
export class FileRefused extends Error {
  readonly remedy: Remedy | undefined
  readonly reason: RefusalReason | undefined

  constructor(message: string, remedy?: Remedy, reason?: RefusalReason) {
    super(message)
    this.remedy = remedy
    this.reason = reason
  }
}

/** The message of a refusal, with the advice of the caller. */
export function refusalOf(
  { message, remedy }: FileRefused,
  tellingWith: (option: Remedy['option']) => string,
): string {
  if (!remedy) return message
  const values = remedy.values ? ` ${remedy.values.join(' or ')}` : ''
  return `${message} ${tellingWith(remedy.option)}${values}.`
}

/** A, B, … Z, AA: the names of columns in spreadsheets. */
export function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last
}

/** A file of rows. It can be read repeatedly, as a stream. */
export interface RowSource {
  format: Format
  headers: string[]
  /** The detected text encoding. */
  encoding?: string
  /** Whether the dates of a spreadsheet count from 1904 instead of 1900. */
  countsFrom1904: boolean
  bytes: number
  rows(onProgress?: (bytes: number) => void): AsyncIterable<SourceRow>
  close(): Promise<void>
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

export interface SourceRow {
  /** As in a spreadsheet: the header is row 1, unless blank rows precede it. */
  row: number
  /** In the order of the headers; "" is an empty cell. */
  cells: Cell[]
  /** The cells of a row that has more or fewer cells than the header. */
  unfitted?: string[]
}

/** The column with the reason of a rejection. It is ignored when the file of rejected rows is imported. */
export const rejectColumn = 'reject_reason'

export const formats = ['csv', 'xlsx', 'ndjson'] as const
export type Format = (typeof formats)[number]

/** The setting that would help: an option of a command, a parameter of an operation. */
interface Remedy {
  option: 'format' | 'encoding' | 'sheet' | 'mapping'
  /** The values that would help, if only some would. */
  values?: readonly string[]
}

/** A file that cannot be imported at all. The message names no option, because callers have different ones. */
export class FileRefused extends Error {
  readonly remedy: Remedy | undefined

  constructor(message: string, remedy?: Remedy) {
    super(message)
    this.remedy = remedy
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

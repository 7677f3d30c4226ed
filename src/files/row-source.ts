/** A file of rows. It can be read through any number of times, a piece at a time. */
export interface RowSource {
  format: Format
  headers: string[]
  /** The text encoding it was found to have. */
  encoding?: string
  /** Days of spreadsheets that count from 1904 rather than 1900. */
  countsFrom1904: boolean
  bytes: number
  rows(onProgress?: (bytes: number) => void): AsyncIterable<SourceRow>
  close(): Promise<void>
}

/** A cell that is there but cannot be taken for a value. */
export interface CellFault {
  fault: string
  /** What stands there, for the file of rejected rows. */
  text?: string
}

export type Cell = string | CellFault

/** What stands in it, whether or not it can be taken for a value. */
export function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : (cell.text ?? '')
}

export interface SourceRow {
  /** As a spreadsheet counts: the header is row 1, unless blank rows stand above it. */
  row: number
  /** In the order of the headers; "" where there is nothing. */
  cells: Cell[]
  /** What the row holds, where that is more or fewer cells than there are headers. */
  unfitted?: string[]
}

/** The column that tells why a row was rejected; the file of rejected rows is fed again with it. */
export const rejectColumn = 'reject_reason'

export const formats = ['csv', 'xlsx', 'ndjson'] as const
export type Format = (typeof formats)[number]

/** What would help a file that was refused: commands have it as an option, operations as a parameter. */
interface Remedy {
  option: 'format' | 'encoding' | 'sheet' | 'mapping'
  /** What may help, where not everything can. */
  values?: readonly string[]
}

/** What makes a file unfit as a whole: nothing of it is imported. The message names no option, as its readers have others. */
export class FileRefused extends Error {
  readonly remedy: Remedy | undefined

  constructor(message: string, remedy?: Remedy) {
    super(message)
    this.remedy = remedy
  }
}

/** Why a file was refused and what would help, as its reader tells that: with an option, or a parameter. */
export function refusalOf(
  { message, remedy }: FileRefused,
  tellingWith: (option: Remedy['option']) => string,
): string {
  if (!remedy) return message
  const values = remedy.values ? ` ${remedy.values.join(' or ')}` : ''
  return `${message} ${tellingWith(remedy.option)}${values}.`
}

/** A, B, … Z, AA: what a spreadsheet calls its columns. */
export function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last
}

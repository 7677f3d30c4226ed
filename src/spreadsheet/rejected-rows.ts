import { stringify } from 'csv-stringify/sync'
import { LineFile } from './line-file.ts'
import { rejectColumn } from './map-columns.ts'
import type { Cell, RowSource, SourceRow } from './row-source.ts'

/** Where rows that were rejected go: as they came, with the reason beside them, to be mended and fed again. */
export interface RejectedRows {
  add(row: SourceRow, reason: string): Promise<void>
  finish(): Promise<string | undefined>
  discard(): Promise<void>
}

/** Spreadsheets take a CSV file for UTF-8 only by its byte order mark. */
const byteOrderMark = '\ufeff'

export function rejectedRows(path: string, { format, headers }: RowSource): RejectedRows {
  const kept = headers.flatMap((header, index) => (header === rejectColumn ? [] : [{ header, index }]))
  const textOf = ({ cells }: SourceRow, index: number) => plain(cells[index]!)
  const csvLine = (cells: string[]) => stringify([cells])
  const isCsv = format !== 'ndjson'
  const file = new LineFile(
    path,
    isCsv ? byteOrderMark + csvLine([...kept.map(({ header }) => header), rejectColumn]) : '',
  )
  const lineOf = isCsv
    ? (row: SourceRow, reason: string) => csvLine([...kept.map(({ index }) => textOf(row, index)), reason])
    : (row: SourceRow, reason: string) => {
        const members = kept
          .map(({ header, index }) => [header, textOf(row, index)])
          .filter(([, text]) => text !== '')
        return `${JSON.stringify({ ...Object.fromEntries(members), [rejectColumn]: reason })}\n`
      }
  return {
    add: (row, reason) => file.add(lineOf(row, reason)),
    finish: () => file.finish(),
    discard: () => file.discard(),
  }
}

export function rejectsPath(file: string, { format }: RowSource): string {
  return `${file}.rejects.${format === 'ndjson' ? 'ndjson' : 'csv'}`
}

function plain(cell: Cell): string {
  return typeof cell === 'string' ? cell : (cell.text ?? '')
}

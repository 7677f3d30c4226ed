import { byteOrderMark, csvLines } from './csv-lines.ts'
import { LineFile } from './line-file.ts'
import { type RowSource, rejectColumn, type SourceRow, textOf } from './row-source.ts'

/** Where rows that were rejected go: as they came, with the reason beside them, to be mended and fed again. */
export interface RejectedRows {
  add(row: SourceRow, reason: string): Promise<void>
  finish(): Promise<string | undefined>
  discard(): Promise<void>
}

export function rejectedRows(path: string, { format, headers }: RowSource): RejectedRows {
  const kept = headers.flatMap((header, index) => (header === rejectColumn ? [] : [{ header, index }]))
  const textsOf = ({ cells }: SourceRow) => kept.map(({ index }) => textOf(cells[index]!))
  const isCsv = format !== 'ndjson'
  const file = new LineFile(
    path,
    isCsv ? byteOrderMark + csvLine([...kept.map(({ header }) => header), rejectColumn]) : '',
  )
  // A row that does not fit its header stays one that does not, so that it cannot go in before it is mended.
  const lineOf = isCsv
    ? (row: SourceRow, reason: string) => csvLine([...(row.unfitted ?? textsOf(row)), reason])
    : (row: SourceRow, reason: string) => {
        const members = textsOf(row).map((text, index) => [kept[index]!.header, text])
        const told = members.filter(([, text]) => text !== '')
        return `${JSON.stringify({ ...Object.fromEntries(told), [rejectColumn]: reason })}\n`
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

function csvLine(cells: string[]): string {
  return csvLines([cells], 'unix')
}

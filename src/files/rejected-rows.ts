import { byteOrderMark, csvLines } from './csv-lines.ts'
import { LineFile } from './line-file.ts'
import { type RowSource, rejectColumn, type SourceRow, textOf } from './row-source.ts'

/** The file of rejected rows: the rows as they were, with their reasons, to be corrected and imported. */
export interface RejectedRows {
  add(row: SourceRow, reason: string): Promise<void>
  finish(): Promise<string | undefined>
  discard(): Promise<void>
}

export function rejectedRows(path: string, { format, headers }: RowSource): RejectedRows {
  const kept = headers.flatMap((header, index) => (header === rejectColumn ? [] : [{ header, index }]))
  const textsOf = ({ cells }: SourceRow) => kept.map(({ index }) => textOf(cells[index] ?? ''))
  const isCsv = format !== 'ndjson'
  const file = new LineFile(
    path,
    isCsv ? byteOrderMark + csvLine([...kept.map(({ header }) => header), rejectColumn]) : '',
  )
  // A row that does not fit the header stays unchanged: it must be corrected before an import.
  const lineOf = isCsv
    ? (row: SourceRow, reason: string) => csvLine([...(row.unfitted ?? textsOf(row)), reason])
    : (row: SourceRow, reason: string) => {
        // The text of a line that is not JSON is kept, so that it can be corrected.
        if (row.unfitted) return `${JSON.stringify({ line: row.unfitted.join(), [rejectColumn]: reason })}\n`
        const texts = textsOf(row)
        const members = kept.map(({ header }, index) => [header, texts[index] ?? ''])
        const filled = members.filter(([, text]) => text !== '')
        return `${JSON.stringify({ ...Object.fromEntries(filled), [rejectColumn]: reason })}\n`
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

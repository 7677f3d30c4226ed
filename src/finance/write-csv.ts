import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { controlHeadings, controlLines } from './control-sheet.ts'
import { type Cell, type ExportRow, exportColumns } from './export-row.ts'
import type { FormatWriter } from './format-writer.ts'

/** CSV that a spreadsheet opens as it is: in UTF-8 with its mark, and no text in it is run as a formula. */
export const writeCsv: FormatWriter = {
  write: (rows) => Readable.from(csvOf(rows), { objectMode: false }),
  beside: {
    suffix: '.control.csv',
    render: (control) => byteOrderMark + linesOf([[...controlHeadings], ...controlLines(control)]),
  },
}

const byteOrderMark = '\uFEFF'

async function* csvOf(batches: AsyncIterable<ExportRow[]>): AsyncGenerator<string> {
  yield byteOrderMark + linesOf([exportColumns])
  for await (const batch of batches) yield linesOf(batch.map(({ cells }) => cells))
}

/** Texts that begin like a formula get an apostrophe in front; numbers never do. */
function linesOf(lines: Cell[][]): string {
  return stringify(lines, { record_delimiter: 'windows', escape_formulas: true })
}

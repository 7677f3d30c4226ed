import { Readable } from 'node:stream'
import { byteOrderMark, csvLines } from './csv-lines.ts'
import type { SheetWriter, WrittenRow } from './sheet-writer.ts'

/** CSV for spreadsheets: UTF-8 with byte order mark, without formulas. */
export const writeCsv: SheetWriter = {
  write: (columns, rows) => Readable.from(csvOf(columns, rows), { objectMode: false }),
  beside: {
    suffix: '.control.csv',
    render: ({ headings, lines }) => byteOrderMark + csvLines([headings, ...lines], 'windows'),
  },
}

async function* csvOf(columns: string[], batches: AsyncIterable<WrittenRow[]>): AsyncGenerator<string> {
  yield byteOrderMark + csvLines([columns], 'windows')
  for await (const batch of batches)
    yield csvLines(
      batch.map(({ cells }) => cells),
      'windows',
    )
}

import { Readable } from 'node:stream'
import { byteOrderMark, csvLines } from './csv-lines.ts'
import type { SheetWriter, WrittenRow } from './write-xlsx.ts'

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

/** One row per line, unchanged. */
export const writeNdjson: SheetWriter = {
  write: (_columns, rows) => Readable.from(linesOf(rows), { objectMode: false }),
  beside: { suffix: '.control.json', render: ({ json }) => `${JSON.stringify(json, null, 2)}\n` },
}

async function* linesOf(batches: AsyncIterable<WrittenRow[]>): AsyncGenerator<string> {
  for await (const batch of batches) yield batch.map(({ line }) => line).join('')
}

import { Readable } from 'node:stream'
import type { SheetWriter, WrittenRow } from './sheet-writer.ts'

/** One row per line, unchanged. */
export const writeNdjson: SheetWriter = {
  write: (_columns, rows) => Readable.from(linesOf(rows), { objectMode: false }),
  beside: { suffix: '.control.json', render: ({ json }) => `${JSON.stringify(json, null, 2)}\n` },
}

async function* linesOf(batches: AsyncIterable<WrittenRow[]>): AsyncGenerator<string> {
  for await (const batch of batches) yield batch.map(({ line }) => line).join('')
}

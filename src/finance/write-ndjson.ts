import { Readable } from 'node:stream'
import type { ExportRow } from './export-row.ts'
import type { FormatWriter } from './format-writer.ts'

/** One row per line, which is also what the control sheet's SHA-256 is taken over. */
export const writeNdjson: FormatWriter = {
  write: (rows) => Readable.from(linesOf(rows), { objectMode: false }),
  beside: { suffix: '.control.json', render: (control) => `${JSON.stringify(control, null, 2)}\n` },
}

async function* linesOf(batches: AsyncIterable<ExportRow[]>): AsyncGenerator<string> {
  for await (const batch of batches) yield batch.map(({ line }) => line).join('')
}

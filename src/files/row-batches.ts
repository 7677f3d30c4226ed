import type { RowSource, SourceRow } from './row-source.ts'

/** Size of a batch. */
export interface BatchSize {
  rows: number
  characters: number
}

/** Called with the bytes read, the size of the file, and the number of rows. */
export type Progress = (bytes: number, total: number, rows: number) => void

/** The rows of a file in batches. The next batch is read while the caller works on this one. */
export function rowBatches(
  source: RowSource,
  size: BatchSize,
  onProgress?: Progress,
): AsyncGenerator<SourceRow[]> {
  return ahead(batchesOf(source, size, onProgress))
}

async function* batchesOf(
  source: RowSource,
  size: BatchSize,
  onProgress?: Progress,
): AsyncGenerator<SourceRow[]> {
  let batch: SourceRow[] = []
  let characters = 0
  let rows = 0
  for await (const row of source.rows((bytes) => onProgress?.(bytes, source.bytes, rows))) {
    rows++
    batch.push(row)
    characters += row.cells.reduce((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0)
    if (batch.length < size.rows && characters < size.characters) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

async function* ahead<T>(batches: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = batches.next()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = batches.next()
      next.catch(() => undefined)
      yield value
    }
  } finally {
    await next.catch(() => undefined)
    await batches.return(undefined)
  }
}

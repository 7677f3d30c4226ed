import { stat } from 'node:fs/promises'
import { storableText } from '../contract/formats.ts'
import { csvSource } from './csv-rows.ts'
import { formatOf } from './file-format.ts'
import { ndjsonSource } from './ndjson-rows.ts'
import { FileRefused, type FirstRow, type Format, type RowSource, type SourceRow } from './row-source.ts'
import { encodingOf, textOf } from './text-encoding.ts'
import { type XlsxOptions, xlsxSource } from './xlsx-rows.ts'
import { workbookTexts } from './xlsx-workbook.ts'

export interface ReadOptions extends XlsxOptions {
  format?: Format
  encoding?: string
}

export async function readRows(file: string, options: ReadOptions = {}): Promise<RowSource> {
  const source = await sourceOf(file, options)
  const storable = ({ row, cells }: FirstRow) => ({ row, cells: cells.map(storableText) })
  return { ...source, headers: source.headers.map(storableText), firstRows: source.firstRows.map(storable) }
}

async function sourceOf(file: string, options: ReadOptions): Promise<RowSource> {
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile()) throw new FileRefused(`There is no file ${file}.`)
  if (found.size === 0) throw new FileRefused('The file is empty.', undefined, 'no_rows')
  const format = await formatOf(file, options.format)
  if (format === 'xlsx') return xlsxSource(file, options)
  if (format === 'ndjson') return ndjsonSource(file, found.size, options.encoding)
  return csvSource(file, found.size, options)
}

/** All texts of a file, by line or cell, in any column. */
export async function* textsOf(file: string, options: ReadOptions = {}): AsyncGenerator<string> {
  const format = await formatOf(file, options.format)
  if (format === 'xlsx') return yield* workbookTexts(file)
  let rest = ''
  for await (const piece of textOf(file, await encodingOf(file, options.encoding, format === 'csv'))) {
    const lines = (rest + piece).split(/\r\n?|\n/)
    rest = lines.pop() ?? ''
    yield* format === 'ndjson' ? lines.map(unescaped) : lines
    if (rest.length <= longestLine) continue
    yield rest
    rest = rest.slice(-longestOverlap)
  }
  yield format === 'ndjson' ? unescaped(rest) : rest
}

const longestLine = 1_048_576
/** Longer than any text that is searched for. */
const longestOverlap = 1000

/** JSON may escape any character. */
function unescaped(line: string): string {
  try {
    return JSON.stringify(JSON.parse(line))
  } catch {
    return line
  }
}

/** Size of a batch. */
interface BatchSize {
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

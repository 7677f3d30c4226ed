import { stat } from 'node:fs/promises'
import { storableText } from '../contract/formats.ts'
import { csvSource } from './csv-rows.ts'
import { ndjsonSource } from './ndjson-rows.ts'
import { FileRefused, type Format, formats, type RowSource, type SourceRow } from './row-source.ts'
import { encodingOf, textOf } from './text-encoding.ts'
import { xlsxSource } from './xlsx-rows.ts'
import { workbookTexts } from './xlsx-workbook.ts'

export interface ReadOptions {
  format?: Format
  encoding?: string
  sheet?: string
}

export async function readRows(file: string, options: ReadOptions = {}): Promise<RowSource> {
  const source = await sourceOf(file, options)
  return { ...source, headers: source.headers.map(storableText) }
}

async function sourceOf(file: string, options: ReadOptions): Promise<RowSource> {
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile()) throw new FileRefused(`There is no file ${file}.`)
  if (found.size === 0) throw new FileRefused('The file is empty.')
  const format = options.format ?? formatOf(file)
  if (format === 'xlsx') return xlsxSource(file, options.sheet)
  if (format === 'ndjson') return ndjsonSource(file, found.size, options.encoding)
  return csvSource(file, found.size, options.encoding)
}

/** All texts of a file, by line or cell, in any column. */
export async function* textsOf(file: string, options: ReadOptions = {}): AsyncGenerator<string> {
  const format = options.format ?? formatOf(file)
  if (format === 'xlsx') return yield* workbookTexts(file)
  let rest = ''
  for await (const piece of textOf(file, await encodingOf(file, options.encoding))) {
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

const endings: Record<string, Format> = {
  csv: 'csv',
  tsv: 'csv',
  txt: 'csv',
  xlsx: 'xlsx',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
}

function formatOf(file: string): Format {
  const format = endings[/\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase() ?? '']
  if (format) return format
  throw new FileRefused('The format of the file cannot be recognised by its name.', {
    option: 'format',
    values: formats,
  })
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

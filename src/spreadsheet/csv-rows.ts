import { Readable } from 'node:stream'
import { CsvError, type Options, parse } from 'csv-parse'
import { FileRefused, type RowSource, type SourceRow } from './row-source.ts'
import { encodingOf, textOf } from './text-encoding.ts'

/** Rows between commas, semicolons or tabs, with quotes that may hold line breaks. */
export async function csvSource(file: string, bytes: number, told?: string): Promise<RowSource> {
  const encoding = await encodingOf(file, told)
  const delimiter = await delimiterOf(file, encoding)
  const options: Options = { delimiter, relax_column_count: true }
  const { headers, headerRow } = await findHeaders(recordsOf(file, encoding, options))
  return {
    format: 'csv',
    headers,
    encoding,
    countsFrom1904: false,
    bytes,
    async *rows(onProgress) {
      for await (const { row, cells } of recordsOf(file, encoding, options, onProgress)) {
        if (row <= headerRow || cells.every((cell) => cell === '')) continue
        yield { row, cells: fitted(cells as string[], headers.length) }
      }
    },
    async close() {},
  }
}

async function* recordsOf(
  file: string,
  encoding: string,
  options: Options,
  onProgress?: (bytes: number) => void,
): AsyncGenerator<SourceRow> {
  const text = Readable.from(textOf(file, encoding, onProgress))
  const parser = text.pipe(parse(options))
  text.on('error', (error) => parser.destroy(error))
  let row = 0
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      row++
      yield { row, cells: cells.map((cell) => cell.trim()) }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new FileRefused(`Row ${row + 1} cannot be read: ${sentences[error.code] ?? error.message}`)
  } finally {
    text.destroy()
  }
}

const sentences: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell that begins there never ends.',
  CSV_INVALID_CLOSING_QUOTE: 'something follows the closing quote of a cell.',
  INVALID_OPENING_QUOTE: 'a quote stands in the middle of a cell that is not quoted.',
  CSV_MAX_RECORD_SIZE: 'it is too long.',
}

async function findHeaders(
  records: AsyncIterable<SourceRow>,
): Promise<{ headers: string[]; headerRow: number }> {
  for await (const { row, cells } of records) {
    if (cells.some((cell) => cell !== '')) return { headers: cells as string[], headerRow: row }
  }
  throw new FileRefused('The file has no header row.')
}

/** A row that is longer or shorter than the header has lost a quote or a delimiter: none of its cells can be trusted. */
function fitted(cells: string[], width: number): SourceRow['cells'] {
  const surplus = cells.slice(width).some((cell) => cell !== '')
  if (!surplus && cells.length >= width) return cells.slice(0, width)
  const fault = `stands in a row of ${cells.length} cells under a header of ${width}`
  return [...cells, ...Array(Math.max(0, width - cells.length)).fill('')]
    .slice(0, width)
    .map((cell) => ({ fault, text: cell }))
}

/** Whichever of the three divides the header row most often, outside of quotes. */
async function delimiterOf(file: string, encoding: string): Promise<string> {
  const counts = new Map([',', ';', '\t'].map((delimiter) => [delimiter, 0]))
  let quoted = false
  let started = false
  scan: for await (const text of textOf(file, encoding)) {
    for (const character of text) {
      if (character === '"') quoted = !quoted
      if (quoted) continue
      if ((character === '\n' || character === '\r') && started) break scan
      if (character !== '\n' && character !== '\r') started = true
      if (counts.has(character)) counts.set(character, counts.get(character)! + 1)
    }
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]![0]
}

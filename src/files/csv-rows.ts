import { CsvError, parse } from 'csv-parse'
import { unescapeFormulas } from './csv-lines.ts'
import {
  longestRow,
  mostColumns,
  placeOfExcess,
  refusedAt,
  refuseWideHeader,
  tooLongRow,
  tooManyColumns,
} from './limits.ts'
import { columnLetters, FileRefused, type RowSource, rejectColumn, type SourceRow } from './row-source.ts'
import { encodingOf, textOf } from './text-encoding.ts'

/** Rows separated by commas, semicolons or tabs. Quoted cells may contain line breaks. */
export async function csvSource(file: string, bytes: number, given?: string): Promise<RowSource> {
  const encoding = await encodingOf(file, given)
  const text = { file, encoding, delimiter: await delimiterOf(file, encoding) }
  const { row: headerRow, cells } = await findHeaders(text)
  const written = cells.includes(rejectColumn) ? unescapeFormulas : (cell: string) => cell
  const headers = cells.map(written)
  refuseWideHeader(headerRow, headers)
  return {
    format: 'csv',
    headers,
    encoding,
    countsFrom1904: false,
    bytes,
    async *rows(onProgress) {
      for await (const { row, cells } of recordsOf(text, onProgress)) {
        if (row <= headerRow || cells.every((cell) => cell === '')) continue
        yield { row, ...fitted(cells.map(written), headers.length) }
      }
    },
    async close() {},
  }
}

interface CsvText {
  file: string
  encoding: string
  delimiter: string
}

interface CsvRecord {
  row: number
  cells: string[]
}

/** A UTF-8 character has at most 4 bytes, so a row within the limit is never cut. */
const mostBytes = 4 * longestRow

async function* recordsOf(
  { file, encoding, delimiter }: CsvText,
  onProgress?: (bytes: number) => void,
): AsyncGenerator<CsvRecord> {
  const records: CsvRecord[] = []
  let row = 0
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: mostBytes,
    on_record(cells: string[]) {
      records.push(bounded(++row, cells))
      return null
    },
  })
  // Every failure arrives with the callback of its write.
  parser.on('error', () => undefined)
  const sent = (send: (done: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => send((error) => (error ? reject(error) : resolve())))
  let unbroken = 0
  try {
    for await (const piece of textOf(file, encoding, onProgress)) {
      await sent((done) => parser.write(piece, done))
      yield* records.splice(0)
      const lineBreak = Math.max(piece.lastIndexOf('\n'), piece.lastIndexOf('\r'))
      unbroken = lineBreak < 0 ? unbroken + piece.length : piece.length - lineBreak
      // The parser limits the content of cells. The rest of a longer line must be separators.
      if (unbroken > mostBytes) throw refusedAt(row + 1, mostColumns, tooManyColumns)
    }
    await sent((done) => parser.end(done))
    yield* records.splice(0)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const place = `Row ${row + 1}, column ${columnLetters(error.index as number)}`
    throw new FileRefused(`${place} cannot be read: ${sentences[error.code] ?? error.message}`)
  } finally {
    parser.destroy()
  }
}

const sentences: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell that starts there never ends.',
  CSV_INVALID_CLOSING_QUOTE: 'something follows the closing quote of a cell.',
  INVALID_OPENING_QUOTE: 'a quote is in the middle of a cell that is not quoted.',
  CSV_MAX_RECORD_SIZE: `${tooLongRow}; a quote that never ends may be why.`,
}

function bounded(row: number, cells: string[]): CsvRecord {
  if (cells.length > mostColumns + 1) throw refusedAt(row, mostColumns, tooManyColumns)
  const excess = placeOfExcess(cells)
  if (excess !== undefined) throw refusedAt(row, excess, tooLongRow)
  return { row, cells: cells.map((cell) => cell.trim()) }
}

async function findHeaders(text: CsvText): Promise<CsvRecord> {
  for await (const record of recordsOf(text)) if (record.cells.some((cell) => cell !== '')) return record
  throw new FileRefused('The file has no header row.')
}

/** A row that is longer or shorter than the header lacks a quote or a separator: none of its cells can be trusted. */
function fitted(cells: string[], width: number): Pick<SourceRow, 'cells' | 'unfitted'> {
  const surplus = cells.slice(width).some((cell) => cell !== '')
  if (!surplus && cells.length >= width) return { cells: cells.slice(0, width) }
  const fault = `is in a row of ${cells.length} cells under a header of ${width}`
  const faults = Array.from({ length: width }, (_, index) => ({ fault, text: cells[index] ?? '' }))
  return { cells: faults, unfitted: cells }
}

/** The separator that is most frequent in the header row, outside of quotes. */
async function delimiterOf(file: string, encoding: string): Promise<string> {
  const counts = new Map([',', ';', '\t'].map((delimiter) => [delimiter, 0]))
  let quoted = false
  let started = false
  let characters = 0
  scan: for await (const text of textOf(file, encoding)) {
    for (const character of text) {
      if (character === '"') quoted = !quoted
      if (quoted) continue
      if ((character === '\n' || character === '\r') && started) break scan
      if (character !== '\n' && character !== '\r') started = true
      const count = counts.get(character)
      if (count !== undefined) counts.set(character, count + 1)
    }
    characters += text.length
    if (characters > mostBytes) break
  }
  const [[delimiter] = [',']] = [...counts].sort((a, b) => b[1] - a[1])
  return delimiter
}

import { CsvError, parse } from 'csv-parse'
import {
  longestRow,
  mostColumns,
  placeOfExcess,
  tooLongRow,
  tooManyColumns,
} from '../../../../files/limits.ts'
import { readRows } from '../../../../files/read-rows.ts'
import { textOf as cellText } from '../../../../files/row-source.ts'
import { textOf } from '../../../../files/text-encoding.ts'
import { refusedLine } from './statement-file.ts'

/** A row of a table, with the line of the file where it ends. */
export interface TableRecord {
  line: number
  cells: string[]
}

/** Rows and cells that a file of 64 MB can have. */
const mostRecords = 250_000

/** All rows of a CSV file, also those before and after the table. Bills mark numbers with a backtick or a tab. */
export async function readCsvRecords(file: string, encoding: string): Promise<TableRecord[]> {
  const records: TableRecord[] = []
  const parser = parse({
    delimiter: await delimiterOf(file, encoding),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: 4 * longestRow,
    on_record(cells: string[], { lines }: { lines: number }) {
      addRecord(records, lines, cells)
      return null
    },
  })
  parser.on('error', () => undefined)
  const sent = (send: (done: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => send((error) => (error ? reject(error) : resolve())))
  try {
    for await (const piece of textOf(file, encoding)) await sent((done) => parser.write(piece, done))
    await sent((done) => parser.end(done))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw refusedLine((records.at(-1)?.line ?? 0) + 1, 'a quoted cell does not end, or is too long')
  } finally {
    parser.destroy()
  }
  return records
}

/** The rows of a sheet. */
export async function readSheetRecords(file: string, sheet?: string): Promise<TableRecord[]> {
  const source = await readRows(file, { format: 'xlsx', sheet })
  try {
    const records: TableRecord[] = []
    addRecord(records, 1, source.headers)
    for await (const { row, cells, unfitted } of source.rows())
      addRecord(records, row, unfitted ?? cells.map(cellText))
    return records
  } finally {
    await source.close()
  }
}

function addRecord(records: TableRecord[], line: number, cells: string[]): void {
  if (records.length >= mostRecords) throw refusedLine(line, `the file has more than ${mostRecords} rows`)
  if (cells.length > mostColumns) throw refusedLine(line, tooManyColumns)
  if (placeOfExcess(cells) !== undefined) throw refusedLine(line, tooLongRow)
  const plain = cells.map((cell) =>
    cell
      .trim()
      .replace(/^[`'\t]+/, '')
      .trim(),
  )
  if (plain.some((cell) => cell !== '')) records.push({ line, cells: plain })
}

/** The separator that is most frequent in one of the first lines. Lines before the table have few. */
async function delimiterOf(file: string, encoding: string): Promise<string> {
  let head = ''
  for await (const piece of textOf(file, encoding)) {
    head += piece
    if (head.length > 65_536) break
  }
  const counts = [',', ';', '\t', '|'].map((delimiter) => ({
    delimiter,
    count: Math.max(
      ...head
        .split(/\r\n|\n|\r/)
        .slice(0, 60)
        .map((line) => line.replaceAll(/"[^"]*"/g, '').split(delimiter).length),
    ),
  }))
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).delimiter
}

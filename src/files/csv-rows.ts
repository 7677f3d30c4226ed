import { unescapeFormulas } from './csv-lines.ts'
import { type CsvRecord, type CsvShape, csvRecords, fits } from './csv-records.ts'
import { examinedRows, findHeader, type HeaderOptions, shownRowsOf } from './header-row.ts'
import { longestRow, refuseWideHeader } from './limits.ts'
import { FileRefused, plainText, type RowSource, rejectColumn, unreadableRow } from './row-source.ts'
import { encodingOf, textOf } from './text-encoding.ts'

/**
 * Rows separated by commas, semicolons, tabs or vertical bars, or by the separator of the first line (sep=;). Quoted cells may
 * contain line breaks.
 */
export async function csvSource(
  file: string,
  bytes: number,
  options: HeaderOptions & { encoding?: string } = {},
): Promise<RowSource> {
  const encoding = await encodingOf(file, options.encoding, true)
  const shape = await shapeOf(textOf(file, encoding))
  const first = await firstRecords(csvRecords(textOf(file, encoding), shape), options.headerRow)
  const { row: headerRow, names } = findHeader(readable(first), options)
  const written = names.includes(rejectColumn) ? unescapeFormulas : (cell: string) => cell
  const headers = names.map(written)
  refuseWideHeader(headerRow, headers)
  const width = headers.length
  return {
    format: 'csv',
    headers,
    headerRow,
    firstRows: shownRowsOf(first),
    encoding,
    countsFrom1904: false,
    bytes,
    async *rows(onProgress) {
      const table = { width, headerRow }
      for await (const record of csvRecords(textOf(file, encoding, onProgress), { ...shape, table })) {
        const { row, cells, fault } = record
        if (row <= headerRow || cells.every((cell) => cell.trim() === '')) continue
        const texts = cells.map((cell) => written(plainText(cell)))
        if (fault !== undefined) yield unreadableRow(row, fault, texts, width)
        else if (fits(cells, width)) yield { row, cells: texts.slice(0, width) }
        else yield unreadableRow(row, misfit(cells.length, width), texts, width)
      }
    },
    async close() {},
  }
}

/** A row that is longer or shorter than the header lacks a quote or a separator: none of its cells can be trusted. */
function misfit(cells: number, width: number): string {
  return `the row has ${cells} cells under a header of ${width}`
}

/** The first rows with content, among which the headers are. */
async function firstRecords(records: AsyncIterable<CsvRecord>, headerRow = 0): Promise<CsvRecord[]> {
  const first: CsvRecord[] = []
  for await (const { cells, ...record } of records) {
    const texts = cells.map(plainText)
    if (texts.some((text) => text !== '')) first.push({ ...record, cells: texts })
    if (first.length >= examinedRows && record.row >= headerRow) break
  }
  return first
}

function readable(records: CsvRecord[]): CsvRecord[] {
  const found = records.filter(({ fault }) => fault === undefined)
  const [first] = records
  if (first?.fault !== undefined && found.length === 0)
    throw new FileRefused(`Row ${first.row} cannot be read: ${first.fault}.`)
  return found
}

const delimiters = [',', ';', '\t', '|']

/** The separator with the same number in most of the first rows, outside of quotes. */
async function shapeOf(text: AsyncIterable<string>): Promise<CsvShape> {
  const counts = delimiters.map((delimiter) => ({ delimiter, now: 0, rows: new Map<number, number>() }))
  let head = ''
  for await (const piece of text) {
    head += piece
    if (head.length > longestRow) break
  }
  const said = /^"?sep=(.)"?(?:\r\n|\n|\r)/i.exec(head)
  if (said?.[1]) return { delimiter: said[1], startsWithSeparator: true }
  let quoted = false
  let rows = 0
  for (const character of head) {
    if (character === '"') quoted = !quoted
    if (quoted) continue
    if (character === '\n' || character === '\r') {
      if (++rows >= examinedRows) break
      for (const each of counts) note(each)
      continue
    }
    const each = counts.find(({ delimiter }) => delimiter === character)
    if (each) each.now++
  }
  for (const each of counts) note(each)
  const ranked = counts.map(({ delimiter, rows }) => {
    const [[width, times] = [0, 0]] = [...rows].sort((a, b) => b[1] - a[1] || b[0] - a[0])
    return { delimiter, width, times }
  })
  ranked.sort((a, b) => b.times - a.times || b.width - a.width)
  return { delimiter: ranked[0]?.delimiter ?? ',', startsWithSeparator: false }
}

function note(each: { now: number; rows: Map<number, number> }): void {
  if (each.now > 0) each.rows.set(each.now, (each.rows.get(each.now) ?? 0) + 1)
  each.now = 0
}

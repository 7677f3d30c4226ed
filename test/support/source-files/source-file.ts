import type { ImportOptions } from '../../../src/changes/lead-import/import-lead-file.ts'
import { writeBook, type XlsxCell, type XlsxSheet } from '../sheets.ts'

/** The expected data of a person after the import. An omitted member is not stored. */
export interface ExpectedLead {
  name?: string
  first_name?: string
  last_name?: string
  /** "86 13800138000" */
  mobile?: string
  second?: string
  email?: string
  wechat?: string
  external_id?: string
  birthday?: string
  /** An instant of the organization's zone, Asia/Shanghai: "2026-05-01 09:30:00". Today if the file has no time. */
  time?: string
  note?: string
  tags?: Record<string, string>
  /** Names of advisers. */
  owners?: string[]
  /** Fields of the lead, by their names in the interface. */
  lead?: Record<string, string | boolean>
}

/** A file as its source writes it, and its expected import. */
export interface SourceFile {
  source: string
  /** Facts about the format: encoding, headers, quirks. */
  facts: string
  name: string
  content: string | Buffer | ((path: string) => Promise<unknown>)
  options?: ImportOptions
  leads?: ExpectedLead[]
  /** Rejected rows and the reasons. */
  rejects?: Record<number, string>
  /** Rows that repeat an earlier row. */
  repeats?: number
  /** Why the whole file is refused. */
  refused?: string
}

type Value = string | number

/** Lines of cells. Cells with a separator, a quote or a line break are quoted. */
export function separated(rows: Value[][], separator = ',', lineEnd = '\r\n'): string {
  const cellOf = (value: Value) => {
    const text = String(value)
    return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  return rows.map((cells) => cells.map(cellOf).join(separator) + lineEnd).join('')
}

/** As some systems write it: every cell in quotes. */
export function quoted(rows: Value[][], separator = ','): string {
  return rows
    .map((cells) => `${cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(separator)}\n`)
    .join('')
}

export const withMark = (text: string) => Buffer.from(`\ufeff${text}`)

export const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

/** An encoder of GBK, made by inverting the decoder. */
export function gbk(text: string): Buffer {
  const decoder = new TextDecoder('gb18030')
  const bytesOf = new Map<string, number[]>()
  for (let first = 0x81; first <= 0xfe; first++)
    for (let second = 0x40; second <= 0xfe; second++)
      if (second !== 0x7f) bytesOf.set(decoder.decode(Uint8Array.of(first, second)), [first, second])
  return Buffer.from(Array.from(text).flatMap((one) => bytesOf.get(one) ?? [one.codePointAt(0)!]))
}

export const latin = (text: string) => Buffer.from(text, 'latin1')

/** A workbook of one sheet. */
export const book =
  (rows: XlsxCell[][], more: Partial<XlsxSheet> = {}, options: { date1904?: boolean } = {}) =>
  (path: string) =>
    writeBook(path, [{ name: 'Sheet1', ...more, rows }], options)

export const books = (sheets: XlsxSheet[]) => (path: string) => writeBook(path, sheets)

export const lines = (records: unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** The serial number of a day and time in a spreadsheet. */
export function serial(day: string): number {
  return (Date.parse(`${day.replace(' ', 'T')}Z`) - Date.UTC(1899, 11, 30)) / 86_400_000
}

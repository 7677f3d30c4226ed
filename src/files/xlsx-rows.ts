import { unescapeFormulas } from './csv-lines.ts'
import { dateOfSerial } from './excel-dates.ts'
import { examinedRows, findHeader, type HeaderOptions, shownRowsOf } from './header-row.ts'
import { longestRow, mostColumns, refusedAt, refuseWideHeader, tooLongRow, tooManyColumns } from './limits.ts'
import {
  type Cell,
  FileRefused,
  plainText,
  type RowSource,
  rejectColumn,
  type SheetInfo,
  type SourceRow,
  textOf,
} from './row-source.ts'
import { mergeResolver, placeOf, readMerges } from './xlsx-merges.ts'
import { openWorkbook, type Sheet, type Workbook } from './xlsx-workbook.ts'
import { xmlPieces } from './xml-pieces.ts'

/** Maximum number of rows of a sheet. */
const mostRows = 1_048_576

export interface XlsxOptions extends HeaderOptions {
  sheet?: string
  /** Merged cells of the table: each row gets their value, or they are a fault. */
  mergedCells?: 'value' | 'fault'
}

/** The rows of one sheet. Formulas have the value that was stored with them. */
export async function xlsxSource(file: string, options: XlsxOptions = {}): Promise<RowSource> {
  const book = await openWorkbook(file)
  try {
    const { sheet, first } = await chooseSheet(book, options)
    const { row: headerRow, names } = findHeader(
      first.map(({ row, cells }) => ({ row, cells: cells.map(textOf) })),
      options,
    )
    refuseFaults(first.find(({ row }) => row === headerRow))
    const written = names.includes(rejectColumn) ? unescapeFormulas : (text: string) => text
    const headers = names.map(written)
    refuseWideHeader(headerRow, headers)
    const merges = await readMerges(await sheet.open())
    return {
      format: 'xlsx',
      headers,
      headerRow,
      firstRows: shownRowsOf(first.map(({ row, cells }) => ({ row, cells: cells.map(textOf) }))),
      sheet: sheet.name,
      sheets: await infoOf(book.sheets),
      countsFrom1904: book.countsFrom1904,
      bytes: sheet.bytes,
      async *rows(onProgress) {
        const table = { headerRow, width: headers.length }
        const resolve = mergeResolver(merges, table, options.mergedCells ?? 'fault')
        for await (const source of sheetRows(book, sheet, onProgress)) {
          if (source.row <= headerRow) continue
          const { row, cells } = resolve(source)
          if (cells.every((cell) => cell === '')) continue
          const cellAt = (cell: Cell = '') => (typeof cell === 'string' ? written(cell) : cell)
          yield { row, cells: headers.map((_, index) => cellAt(cells[index])) }
        }
      },
      close: book.close,
    }
  } catch (error) {
    await book.close()
    throw error
  }
}

/** The sheet of this name or, without a name, the first visible one with content, with its first rows. */
async function chooseSheet(book: Workbook, { sheet: name, headerRow }: XlsxOptions) {
  const named = name === undefined ? book.sheets : book.sheets.filter((sheet) => sheet.name === name)
  if (book.sheets.length === 0) throw new FileRefused('The workbook has no sheet.', undefined, 'no_rows')
  if (named.length === 0) {
    const names = book.sheets.slice(0, 20).map((sheet) => sheet.name)
    throw new FileRefused(`The workbook has no sheet ${name}; it has ${names.join(', ')}.`, {
      option: 'sheet',
    })
  }
  const visible = named.filter(({ isHidden }) => !isHidden)
  for (const sheet of visible.length > 0 ? visible.slice(0, mostTried) : named.slice(0, 1)) {
    const first = await firstRows(sheetRows(book, sheet), headerRow)
    if (first.length > 0) return { sheet, first }
  }
  throw new FileRefused('The sheet has no header row.', { option: 'sheet' }, 'no_rows')
}

const mostTried = 20

async function firstRows(rows: AsyncIterable<SourceRow>, headerRow = 0): Promise<SourceRow[]> {
  const first: SourceRow[] = []
  for await (const row of rows) {
    if (row.cells.some((cell) => cell !== '')) first.push(row)
    if (first.length >= examinedRows && row.row >= headerRow) break
  }
  return first
}

/** A header that cannot be read is refused, not treated as an empty one. */
function refuseFaults(header: SourceRow | undefined): void {
  for (const [column, cell] of (header?.cells ?? []).entries())
    if (typeof cell !== 'string') throw refusedAt(header!.row, column, `the header ${cell.fault}`)
}

const mostDescribed = 50

async function infoOf(sheets: Sheet[]): Promise<SheetInfo[]> {
  const infos: SheetInfo[] = []
  for (const sheet of sheets.slice(0, mostDescribed))
    infos.push({ name: sheet.name, isHidden: sheet.isHidden, rows: await lastRowOf(sheet) })
  return infos
}

/** The last row that the sheet states before its rows. */
async function lastRowOf(sheet: Sheet): Promise<number | undefined> {
  if (sheet.bytes === 0) return undefined
  let [range, isBehind] = ['', false]
  const events = {
    open(name: string, { ref = '' }: Record<string, string>) {
      if (name === 'dimension') range = ref
      if (name === 'sheetData' || range !== '') isBehind = true
    },
  }
  for await (const _ of xmlPieces(await sheet.open(), events)) if (isBehind) break
  // An empty sheet states its first cell.
  return range === 'A1' ? 0 : placeOf(range.split(':').at(-1) ?? '')?.row
}

/** Resolves values when a row is read: a sheet may refer to the same long text many times. */
async function* sheetRows(
  book: Workbook,
  sheet: Sheet,
  onProgress?: (bytes: number) => void,
): AsyncGenerator<SourceRow> {
  const rows: RawRow[] = []
  const reader = sheetReader((row) => rows.push(row))
  for await (const bytes of xmlPieces(await sheet.open(), reader)) {
    onProgress?.(bytes)
    for (const row of rows.splice(0)) yield valuesOf(row, book)
  }
  for (const row of rows) yield valuesOf(row, book)
}

interface RawRow {
  row: number
  cells: RawCell[]
}

interface RawCell {
  column: number
  type: string
  style: number
  text: string
  isFormula: boolean
}

/** Skips cells that have only a format: some reach to the last column of a sheet. */
function sheetReader(emit: (row: RawRow) => void) {
  let row: RawRow = { row: 0, cells: [] }
  let cell: RawCell = { column: -1, type: '', style: 0, text: '', isFormula: false }
  let characters = 0
  let reading = false
  let phonetic = false
  return {
    open(name: string, attributes: Record<string, string>) {
      if (name === 'row') {
        row = { row: rowNumber(attributes.r, row.row), cells: [] }
        cell = { ...cell, column: -1 }
        characters = 0
      }
      if (name === 'c') {
        const column = placeOf(attributes.r ?? '')?.column ?? cell.column + 1
        const { t: type = 'n', s: style = 0 } = attributes
        cell = { column, type, style: Number(style), text: '', isFormula: false }
      }
      if (name === 'f') cell.isFormula = true
      if (name === 'rPh') phonetic = true
      if (name === 'v' || (name === 't' && !phonetic)) reading = true
    },
    text(piece: string) {
      if (!reading) return
      characters += piece.length
      if (characters > longestRow) throw refusedAt(row.row, cell.column, tooLongRow)
      cell.text += piece
    },
    close(name: string) {
      if (name === 'v' || name === 't') reading = false
      if (name === 'rPh') phonetic = false
      if (name === 'c' && (cell.text !== '' || cell.isFormula)) {
        if (cell.column >= mostColumns) throw refusedAt(row.row, cell.column, tooManyColumns)
        if (row.cells.length > mostColumns) throw outOfOrder()
        row.cells.push(cell)
      }
      if (name === 'row') emit(row)
    },
  }
}

function rowNumber(given: string | undefined, last: number): number {
  const row = given === undefined ? last + 1 : Number(given)
  if (!Number.isInteger(row) || row <= last) throw outOfOrder()
  if (row > mostRows) throw new FileRefused(`The sheet has more than ${mostRows} rows.`)
  return row
}

function outOfOrder(): FileRefused {
  return new FileRefused('The workbook is damaged: its cells are not in order.')
}

function valuesOf({ row, cells }: RawRow, book: Workbook): SourceRow {
  const values: Cell[] = []
  let characters = 0
  for (const cell of cells) {
    const value = valueOfCell(cell, book)
    if (typeof value === 'string') characters += value.length
    if (characters > longestRow) throw refusedAt(row, cell.column, tooLongRow)
    while (values.length < cell.column) values.push('')
    values[cell.column] = value
  }
  return { row, cells: values }
}

/** A formula that was never calculated has no value, unless it was stored as a text, which may be empty. */
function valueOfCell({ type, style, text, isFormula }: RawCell, book: Workbook): Cell {
  if (text === '') {
    return isFormula && type !== 'str'
      ? { fault: 'holds a formula without a stored value: open and save the workbook once' }
      : ''
  }
  switch (type) {
    case 's':
      return unescaped(book.strings.get(Number(text))) ?? noSuchText
    case 'b':
      return text === '1' ? 'true' : 'false'
    case 'e':
      return { fault: `holds the error ${text}`, text }
    case 'd':
      return text.replace('T', ' ').replace(/\.0+$/, '').trim()
    case 'n':
      return book.dateStyles[style] ? dateCell(text, book.countsFrom1904) : numberCell(text)
    default:
      return unescaped(text) ?? ''
  }
}

const noSuchText = { fault: 'refers to a text that the workbook does not have' }

/** Characters that XML cannot hold are escaped as _xHHHH_. */
function unescaped(text: string | undefined): string | undefined {
  return (
    text &&
    plainText(
      text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
    )
  )
}

function dateCell(text: string, countsFrom1904: boolean): Cell {
  return (
    dateOfSerial(Number(text), countsFrom1904) ?? {
      fault: `holds the date number ${text}, which is not a date`,
      text,
    }
  )
}

/** Spreadsheets show 15 digits of a number and store up to 17: it is read as shown. */
function numberCell(text: string): Cell {
  if (/^-?[0-9]{1,15}$/.test(text) || text === '') return text
  const value = Number(text)
  if (!Number.isFinite(value)) return { fault: `holds ${text}, which is not a number`, text }
  if (Math.abs(value) >= 1e15) {
    return {
      fault: 'holds a number of more than 15 digits, which spreadsheets round: store it as text',
      text,
    }
  }
  return plainDecimal(value.toPrecision(15))
}

/** The digits of a number without exponent and trailing zeros. */
function plainDecimal(text: string): string {
  const [, sign = '', whole = '', decimals = '', exponent = '0'] =
    /^(-?)([0-9]+)(?:\.([0-9]+))?(?:e([+-][0-9]+))?$/.exec(text) ?? []
  const digits = whole + decimals
  const point = whole.length + Number(exponent)
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0')
  const at = Math.max(point, 1)
  const rest = padded.slice(at).replace(/0+$/, '')
  return `${sign}${padded.slice(0, at)}${rest && `.${rest}`}`
}

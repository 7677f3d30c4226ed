import { unescapeFormulas } from './csv-lines.ts'
import { dateOfSerial } from './excel-dates.ts'
import { longestRow, mostColumns, refusedAt, refuseWideHeader, tooLongRow, tooManyColumns } from './limits.ts'
import {
  type Cell,
  columnLetters,
  FileRefused,
  type RowSource,
  rejectColumn,
  type SourceRow,
} from './row-source.ts'
import { openWorkbook, type Workbook } from './xlsx-workbook.ts'
import { xmlPieces } from './xml-pieces.ts'

/** The most rows of a sheet. */
const mostRows = 1_048_576

/** The rows of one sheet. Formulas have the value that was stored with them. */
export async function xlsxSource(file: string, sheet?: string): Promise<RowSource> {
  const book = await openWorkbook(file, sheet)
  try {
    const { row: headerRow, cells } = await firstRow(sheetRows(book))
    const written = cells.includes(rejectColumn) ? unescapeFormulas : (text: string) => text
    const headers = cells.map((cell, index) => written(headerOf(headerRow, index, cell)))
    refuseWideHeader(headerRow, headers)
    return {
      format: 'xlsx',
      headers,
      countsFrom1904: book.countsFrom1904,
      bytes: book.sheetBytes,
      async *rows(onProgress) {
        for await (const { row, cells } of sheetRows(book, { headers, headerRow }, onProgress)) {
          if (row <= headerRow || cells.every((cell) => cell === '')) continue
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

async function firstRow(rows: AsyncIterable<SourceRow>): Promise<SourceRow> {
  for await (const row of rows) if (row.cells.some((cell) => cell !== '')) return row
  throw new FileRefused('The sheet has no header row.')
}

/** A header that cannot be read is refused, not treated as an empty one. */
function headerOf(row: number, column: number, cell: Cell): string {
  if (typeof cell === 'string') return cell
  throw refusedAt(row, column, `the header ${cell.fault}`)
}

interface Table {
  headers: string[]
  headerRow: number
}

/** Resolves values when a row is read: a sheet may refer to the same long text many times. */
async function* sheetRows(
  book: Workbook,
  table?: Table,
  onProgress?: (bytes: number) => void,
): AsyncGenerator<SourceRow> {
  const rows: RawRow[] = []
  const sheet = sheetReader(
    (row) => rows.push(row),
    (range) => table && refuseMerge(range, table),
  )
  for await (const bytes of xmlPieces(await book.openSheet(), sheet)) {
    onProgress?.(bytes)
    for (const row of rows.splice(0)) yield valuesOf(row, book)
  }
  for (const row of rows) yield valuesOf(row, book)
}

/** Merged cells of the table would have no value of their own. */
function refuseMerge(range: string, { headers, headerRow }: Table): void {
  const [from, to = from] = range.split(':').map(placeOf)
  if (!from || !to || to.row < headerRow || from.column >= headers.length) return
  const name = headers[from.column] || columnLetters(from.column)
  throw new FileRefused(
    `Row ${Math.max(from.row, headerRow)}, column ${name}: the cells ${range} are merged; split them.`,
  )
}

function placeOf(reference: string): { row: number; column: number } | undefined {
  const [, letters, digits] = /^\$?([A-Z]{1,3})\$?([0-9]+)$/.exec(reference) ?? []
  if (letters === undefined) return undefined
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  return { row: Number(digits), column }
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
function sheetReader(emit: (row: RawRow) => void, onMerge: (range: string) => void) {
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
      if (name === 'mergeCell' && attributes.ref !== undefined) onMerge(attributes.ref)
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
  return text
    ?.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .trim()
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

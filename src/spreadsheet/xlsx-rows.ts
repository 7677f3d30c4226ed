import { dateOfSerial } from './excel-dates.ts'
import { type Cell, columnLetters, FileRefused, type RowSource, type SourceRow } from './row-source.ts'
import { openWorkbook, type Workbook, xmlPieces } from './xlsx-workbook.ts'

/** The rows of one sheet. Formulas count for the value they were stored with. */
export async function xlsxSource(file: string, sheet?: string): Promise<RowSource> {
  const book = await openWorkbook(file, sheet)
  try {
    const { row: headerRow, cells } = await firstRow(sheetRows(book))
    const headers = Array.from(cells, (cell) => (typeof cell === 'string' ? cell : ''))
    return {
      format: 'xlsx',
      headers,
      countsFrom1904: book.countsFrom1904,
      bytes: book.sheetBytes,
      async *rows(onProgress) {
        for await (const { row, cells } of sheetRows(book, { headers, headerRow }, onProgress)) {
          if (row <= headerRow || cells.every((cell) => cell === '')) continue
          yield { row, cells: Array.from(headers, (_, index) => cells[index] ?? '') }
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
  for await (const row of rows) if (row.cells.some((cell) => cell !== '' && cell !== undefined)) return row
  throw new FileRefused('The sheet has no header row.')
}

interface Table {
  headers: string[]
  headerRow: number
}

/** Merged cells are listed after the rows; a merge within the table leaves cells that say nothing of their own. */
async function* sheetRows(
  book: Workbook,
  table?: Table,
  onProgress?: (bytes: number) => void,
): AsyncGenerator<SourceRow> {
  const rows: SourceRow[] = []
  const merges: string[] = []
  const sheet = sheetReader(book, (row) => rows.push(row), merges)
  for await (const bytes of xmlPieces(await book.openSheet(), sheet)) {
    onProgress?.(bytes)
    yield* rows.splice(0)
  }
  yield* rows.splice(0)
  if (table) for (const range of merges) refuseMerge(range, table)
}

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

function sheetReader(book: Workbook, emit: (row: SourceRow) => void, merges: string[]) {
  let row: SourceRow = { row: 0, cells: [] }
  let cell = { column: 0, type: '', style: 0, text: '', isFormula: false, isThere: false }
  let reading = false
  let phonetic = false
  return {
    open(name: string, attributes: Record<string, string>) {
      if (name === 'row')
        row = { row: attributes.r === undefined ? row.row + 1 : Number(attributes.r), cells: [] }
      if (name === 'c') {
        const column =
          attributes.r === undefined ? row.cells.length : (placeOf(attributes.r)?.column ?? row.cells.length)
        cell = {
          column,
          type: attributes.t ?? 'n',
          style: Number(attributes.s ?? 0),
          text: '',
          isFormula: false,
          isThere: false,
        }
      }
      if (name === 'f') cell.isFormula = true
      if (name === 'rPh') phonetic = true
      if (name === 'v' || (name === 't' && !phonetic)) {
        reading = true
        cell.isThere = true
      }
      if (name === 'mergeCell' && attributes.ref !== undefined) merges.push(attributes.ref)
    },
    text(piece: string) {
      if (reading) cell.text += piece
    },
    close(name: string) {
      if (name === 'v' || name === 't') reading = false
      if (name === 'rPh') phonetic = false
      if (name === 'c') {
        while (row.cells.length < cell.column) row.cells.push('')
        row.cells[cell.column] = valueOfCell(cell, book)
      }
      if (name === 'row') emit(row)
    },
  }
}

interface RawCell {
  type: string
  style: number
  text: string
  isFormula: boolean
  isThere: boolean
}

function valueOfCell({ type, style, text, isFormula, isThere }: RawCell, book: Workbook): Cell {
  if (!isThere)
    return isFormula
      ? { fault: 'holds a formula without a stored value: open and save the workbook once' }
      : ''
  switch (type) {
    case 's':
      return (
        book.strings.get(Number(text))?.trim() ?? {
          fault: 'refers to a text that the workbook does not have',
        }
      )
    case 'b':
      return text === '1' ? 'true' : 'false'
    case 'e':
      return { fault: `holds the error ${text}`, text }
    case 'd':
      return text.replace('T', ' ').replace(/\.0+$/, '').trim()
    case 'n':
      return book.dateStyles[style] ? dateCell(text, book.countsFrom1904) : numberCell(text)
    default:
      return text.trim()
  }
}

function dateCell(text: string, countsFrom1904: boolean): Cell {
  return (
    dateOfSerial(Number(text), countsFrom1904) ?? {
      fault: `holds the date number ${text}, which is no day`,
      text,
    }
  )
}

/** Spreadsheets keep 15 digits of a number and store it with up to 17: it is read as it is shown. */
function numberCell(text: string): Cell {
  if (/^-?[0-9]{1,15}$/.test(text) || text === '') return text
  const value = Number(text)
  if (!Number.isFinite(value)) return { fault: `holds ${text}, which is no number`, text }
  if (Math.abs(value) >= 1e15) {
    return {
      fault: 'holds a number of more than 15 digits, of which spreadsheets lose the rest: make it a text',
      text,
    }
  }
  return plainDecimal(value.toPrecision(15))
}

/** The digits of a number without an exponent, and without noughts at the end of its decimals. */
function plainDecimal(text: string): string {
  const [, sign, whole, decimals = '', exponent = '0'] =
    /^(-?)([0-9]+)(?:\.([0-9]+))?(?:e([+-][0-9]+))?$/.exec(text)!
  const digits = whole! + decimals
  const point = whole!.length + Number(exponent)
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0')
  const at = Math.max(point, 1)
  const rest = padded.slice(at).replace(/0+$/, '')
  return `${sign}${padded.slice(0, at)}${rest && `.${rest}`}`
}

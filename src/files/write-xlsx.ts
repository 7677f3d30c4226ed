import { PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { WrittenCell } from './csv-lines.ts'
import { columnLetters } from './row-source.ts'

/**
 * A workbook with two sheets, rows and control totals, written as a stream. Texts are inline strings, which no
 * spreadsheet evaluates: unlike in CSV, formulas need no escape.
 */
export const writeXlsx: SheetWriter = {
  write(columns, rows, control) {
    const zip = new ZipFile()
    const out = new PassThrough()
    // A sheet that cannot be read completely must fail the file, not end it early.
    const fail = (error: unknown) => void out.destroy(error as Error)
    zip.on('error', fail)
    zip.outputStream.pipe(out)
    for (const [path, xml] of Object.entries(frame)) zip.addBuffer(Buffer.from(xml), path, entryOptions)
    const addSheet = (path: string, xml: () => AsyncIterable<string> | Iterable<string>) =>
      zip.addReadStreamLazy(path, entryOptions, (give) => {
        give(null, Readable.from(xml(), { objectMode: false }).on('error', fail))
      })
    addSheet('xl/worksheets/sheet1.xml', () => sheetOfRows(columns, rows))
    // Read after the rows, so that the control totals are complete.
    addSheet('xl/worksheets/sheet2.xml', () => sheetOfControl(control()))
    zip.end()
    return out
  },
}

/** The same rows make the same bytes: no entry has a time or an origin. */
const entryOptions = { mtime: new Date(0), forceDosTimestamp: true, mode: 0o100644 }

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const frame = {
  '[Content_Types].xml':
    `${declaration}<Types xmlns="${packaged}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/>` +
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${contentType}.worksheet+xml"/>` +
    `<Override PartName="/xl/worksheets/sheet2.xml" ContentType="${contentType}.worksheet+xml"/></Types>`,
  '_rels/.rels':
    `${declaration}<Relationships xmlns="${packaged}/relationships">` +
    `<Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml':
    `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>` +
    '<sheet name="rows" sheetId="1" r:id="rId1"/><sheet name="control" sheetId="2" r:id="rId2"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    `${declaration}<Relationships xmlns="${packaged}/relationships">` +
    `<Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/>` +
    `<Relationship Id="rId2" Type="${office}/worksheet" Target="worksheets/sheet2.xml"/></Relationships>`,
}

/** Maximum number of rows of a sheet, including the headings. */
const mostRows = 1_048_576
const sheetStart =
  `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>'
const sheetEnd = '</sheetData></worksheet>'

async function* sheetOfRows(columns: string[], batches: AsyncIterable<WrittenRow[]>): AsyncGenerator<string> {
  yield sheetStart + rowXml(1, columns)
  let row = 1
  for await (const batch of batches) {
    if (row + batch.length > mostRows) {
      throw new Error(
        `A sheet holds ${mostRows} rows, and there are more: take csv or ndjson, or a shorter range.`,
      )
    }
    yield batch.map(({ cells }) => rowXml(++row, cells)).join('')
  }
  yield sheetEnd
}

function* sheetOfControl({ headings, lines }: WrittenControl): Generator<string> {
  yield sheetStart
  for (const [index, line] of [headings, ...lines].entries()) yield rowXml(index + 1, line)
  yield sheetEnd
}

function rowXml(row: number, cells: WrittenCell[]): string {
  return `<row r="${row}">${cells.map((cell, column) => cellXml(`${columnLetters(column)}${row}`, cell)).join('')}</row>`
}

function cellXml(place: string, cell: WrittenCell): string {
  if (cell === null || cell === '') return ''
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`
  if (typeof cell === 'object') return `<c r="${place}"><v>${cell.decimal}</v></c>`
  return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escapeText(cell)}</t></is></c>`
}

const references: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Characters that XML cannot hold are written as _xHHHH_, and so are texts that look like this escape. */
function escapeText(text: string): string {
  return text
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(
      /[\x00-\x08\x0B-\x1F\uFFFE\uFFFF]/g,
      (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll(/[&<>]/g, (character) => references[character] ?? character)
}

/** A row for all formats: its cells in the order of the columns, and its canonical JSON. */
export interface WrittenRow {
  cells: WrittenCell[]
  line: string
}

/** Control totals, as an object and as lines with headings. */
export interface WrittenControl {
  json: object
  headings: string[]
  lines: WrittenCell[][]
}

/** Writes a format. The control totals are complete after the last row. */
export interface SheetWriter {
  write(columns: string[], rows: AsyncIterable<WrittenRow[]>, control: () => WrittenControl): Readable
  /** Writes the control totals to another file, for formats without a place for them. */
  beside?: { suffix: string; render(control: WrittenControl): string }
}

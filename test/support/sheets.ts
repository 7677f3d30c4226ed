import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { columnLetters, type RowSource, type SourceRow } from '../../src/files/row-source.ts'

/** A folder for the files of a test. */
export async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-sheets-'))
  let count = 0
  return {
    folder,
    async file(name: string, content: string | Buffer): Promise<string> {
      const path = join(folder, `${++count}-${name}`)
      await writeFile(path, content)
      return path
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

export async function rowsOf(source: RowSource): Promise<SourceRow[]> {
  const rows: SourceRow[] = []
  for await (const row of source.rows()) rows.push(row)
  return rows
}

/** A cell of a test's workbook: XML of its own, or a value. */
export type XlsxCell =
  | string
  | number
  | boolean
  | { date: number }
  | { xml: (reference: string) => string }
  | null

export interface XlsxOptions {
  merges?: string[]
  date1904?: boolean
  /** Texts in the cells themselves, rather than shared. */
  inline?: boolean
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

export interface XlsxSheet extends XlsxOptions {
  name: string
  /** hidden or veryHidden */
  state?: string
  rows: XlsxCell[][]
}

/** Writes a workbook of one sheet. Style 1 shows a date, style 2 one of a format of its own. */
export async function writeXlsx(
  path: string,
  rows: XlsxCell[][],
  options: XlsxOptions = {},
): Promise<string> {
  return writeBook(path, [{ name: 'Orders', rows, ...options }], options)
}

export async function writeBook(
  path: string,
  sheets: XlsxSheet[],
  { date1904 }: Pick<XlsxOptions, 'date1904'> = {},
): Promise<string> {
  const shared: string[] = []
  const parts = sheets.map((sheet) => sheetXml(sheet, shared))
  const listed = sheets.map(
    ({ name, state }, n) =>
      `<sheet name="${escaped(name)}" sheetId="${n + 1}"${state ? ` state="${state}"` : ''} r:id="rId${n + 1}"/>`,
  )
  const relations = sheets.map(
    (_, n) => `<Relationship Id="rId${n + 1}" Target="worksheets/sheet${n + 1}.xml"/>`,
  )
  await packParts(path, {
    'xl/workbook.xml': `<workbook ${main} xmlns:r="urn:r"><workbookPr date1904="${date1904 ? 1 : 0}"/><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="urn:p">${relations.join('')}</Relationships>`,
    'xl/styles.xml': `<styleSheet ${main}><numFmts><numFmt numFmtId="170" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst ${main}>${shared.join('')}</sst>`,
    ...Object.fromEntries(parts.map((xml, n) => [`xl/worksheets/sheet${n + 1}.xml`, xml])),
  })
  return path
}

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'

function sheetXml({ rows, merges = [], inline }: XlsxSheet, shared: string[]): string {
  const cellOf = (cell: XlsxCell, reference: string): string => {
    if (cell === null) return ''
    if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`
    if (typeof cell === 'boolean') return `<c r="${reference}" t="b"><v>${Number(cell)}</v></c>`
    if (typeof cell === 'object')
      return 'date' in cell ? `<c r="${reference}" s="2"><v>${cell.date}</v></c>` : cell.xml(reference)
    if (inline) return `<c r="${reference}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`
    shared.push(`<si><t>${escaped(cell)}</t><rPh sb="0" eb="1"><t>spoken</t></rPh></si>`)
    return `<c r="${reference}" t="s"><v>${shared.length - 1}</v></c>`
  }
  const lines = rows.map((cells, row) => {
    const line = cells.map((cell, column) => cellOf(cell, `${columnLetters(column)}${row + 1}`))
    return `<row r="${row + 1}">${line.join('')}</row>`
  })
  const merged = merges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')
  const dimension =
    rows.length > 0 ? `A1:${columnLetters(Math.max(...rows.map((row) => row.length)))}${rows.length}` : 'A1'
  return `<worksheet ${main}><dimension ref="${dimension}"/><sheetData>${lines.join('')}</sheetData>${merged && `<mergeCells>${merged}</mergeCells>`}</worksheet>`
}

/** A workbook of the given parts. A part may come in pieces. */
export async function packParts(path: string, parts: Record<string, string | Iterable<string>>) {
  const zip = new ZipFile()
  for (const [name, xml] of Object.entries(parts)) {
    if (typeof xml === 'string') zip.addBuffer(Buffer.from(xml), name, { compress: xml !== '' })
    else zip.addReadStreamLazy(name, (give) => give(null, Readable.from(xml, { objectMode: false })))
  }
  zip.end()
  await pipeline(zip.outputStream as NodeJS.ReadableStream, createWriteStream(path))
}

import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { RowSource, SourceRow } from '../../src/files/row-source.ts'

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

/** Writes a workbook of one sheet. Style 1 shows a date, style 2 one of a format of its own. */
export async function writeXlsx(
  path: string,
  rows: XlsxCell[][],
  options: XlsxOptions = {},
): Promise<string> {
  const shared: string[] = []
  const cellOf = (cell: XlsxCell, reference: string): string => {
    if (cell === null) return ''
    if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`
    if (typeof cell === 'boolean') return `<c r="${reference}" t="b"><v>${Number(cell)}</v></c>`
    if (typeof cell === 'object')
      return 'date' in cell ? `<c r="${reference}" s="2"><v>${cell.date}</v></c>` : cell.xml(reference)
    if (options.inline) return `<c r="${reference}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`
    shared.push(`<si><t>${escaped(cell)}</t><rPh sb="0" eb="1"><t>spoken</t></rPh></si>`)
    return `<c r="${reference}" t="s"><v>${shared.length - 1}</v></c>`
  }
  const sheetRows = rows.map((cells, row) => {
    const line = cells.map((cell, column) => cellOf(cell, `${String.fromCharCode(65 + column)}${row + 1}`))
    return `<row r="${row + 1}">${line.join('')}</row>`
  })
  const merges = (options.merges ?? []).map((ref) => `<mergeCell ref="${ref}"/>`).join('')
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
  const parts: Record<string, string> = {
    'xl/workbook.xml': `<workbook ${main} xmlns:r="urn:r"><workbookPr date1904="${options.date1904 ? 1 : 0}"/><sheets><sheet name="Orders" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      '<Relationships xmlns="urn:p"><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/styles.xml': `<styleSheet ${main}><numFmts><numFmt numFmtId="170" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst ${main}>${shared.join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${main}><sheetData>${sheetRows.join('')}</sheetData>${merges && `<mergeCells>${merges}</mergeCells>`}</worksheet>`,
  }
  await packParts(path, parts)
  return path
}

/** A workbook of the given parts. A part may come in pieces. */
export async function packParts(path: string, parts: Record<string, string | Iterable<string>>) {
  const zip = new ZipFile()
  for (const [name, xml] of Object.entries(parts)) {
    if (typeof xml === 'string') zip.addBuffer(Buffer.from(xml), name)
    else zip.addReadStreamLazy(name, (give) => give(null, Readable.from(xml, { objectMode: false })))
  }
  zip.end()
  await pipeline(zip.outputStream as NodeJS.ReadableStream, createWriteStream(path))
}

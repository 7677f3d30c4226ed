import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { TestDatabase } from '../../test/harness/database.ts'
import type { OrganizationContext } from '../contract/endpoint.ts'
import { newId } from '../contract/new-id.ts'
import { createCursors } from '../orders/cursors.ts'
import { createOrganization } from '../organizations/manage-organizations.ts'
import type { RowSource, SourceRow } from '../spreadsheet/row-source.ts'
import { type ImportOptions, type ImportReport, importOrders } from './import-orders.ts'

/** A folder for the files of a test. */
export async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-import-'))
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

export interface ImportOrganization {
  corp_id: string
  context: OrganizationContext
  import(file: string, options?: ImportOptions): Promise<ImportReport>
  query(text: string): Promise<Record<string, unknown>[]>
  /** Of every row of every table of the organization. */
  checksum(): Promise<string>
}

export async function openImport(database: TestDatabase, time_zone = 'UTC'): Promise<ImportOrganization> {
  const corp_id = newId()
  const organization = await createOrganization(
    database.owner,
    { corp_id, name: 'School', time_zone },
    new Date(),
  )
  const account = { app_id: 'command-line' } as OrganizationContext['account']
  const context = {
    db: database.owner.of(corp_id),
    organization,
    account,
    now: new Date(),
    newId,
    cursors: createCursors(),
  }
  const query = async (text: string) =>
    (await database.superuser.query(text.replaceAll('$corp', `'${corp_id}'`))).rows
  return {
    corp_id,
    context,
    import: (file, options = {}) => importOrders(context, file, options),
    query,
    async checksum() {
      const tables = [
        'users',
        'orders',
        'sub_orders',
        'payments',
        'order_versions',
        'order_remarks',
        'ledger_clocks',
        'order_import_rows',
      ]
      const sums = tables.map(
        (table) =>
          `select '${table}' as name, md5(string_agg(t::text, '|' order by t::text)) as sum from ${table} t where corp_id = $corp`,
      )
      return JSON.stringify(await query(`${sums.join(' union all ')} order by name`))
    },
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
  const subOrders: Record<string, string> = {
    'xl/workbook.xml': `<workbook ${main} xmlns:r="urn:r"><workbookPr date1904="${options.date1904 ? 1 : 0}"/><sheets><sheet name="Orders" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      '<Relationships xmlns="urn:p"><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/styles.xml': `<styleSheet ${main}><numFmts><numFmt numFmtId="170" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst ${main}>${shared.join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${main}><sheetData>${sheetRows.join('')}</sheetData>${merges && `<mergeCells>${merges}</mergeCells>`}</worksheet>`,
  }
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(subOrders))
    zip.addBuffer(Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`), name)
  zip.end()
  await pipeline(zip.outputStream as NodeJS.ReadableStream, createWriteStream(path))
  return path
}

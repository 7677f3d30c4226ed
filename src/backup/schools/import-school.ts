import { listArchives, resealArchive } from '../../access/audit/archive-store.ts'
import { sealArchive } from '../../access/audit/archives.ts'
import { verifyAudit } from '../../access/audit/verify-audit.ts'
import type { Keyring } from '../../access/organizations/keyring.ts'
import { findOrganizations } from '../../access/organizations/organization-store.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { sealKey } from '../../changes/erasure/contact-hash.ts'
import { makeKey } from '../../changes/erasure/tombstone-store.ts'
import { newId } from '../../contract/new-id.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { refreshStatistics } from '../../database/schema-store.ts'
import { rebuildDerivedData } from '../../derived/derived-data.ts'
import { startEpoch } from '../../events/feed-store.ts'
import type { TableFileEnd, TableStart } from '../table-file.ts'
import { exported, type SchoolProgress } from './export-school.ts'
import { formatVersion, readSchoolFile, type SchoolHeader } from './school-file.ts'
import {
  findAccountIds,
  findOccupied,
  insertPage,
  pauseWebhooks,
  readShapes,
  type TableShape,
} from './school-table-store.ts'
import { carriedTables, rebuiltTables } from './school-tables.ts'

export interface ImportedSchool {
  corp_id: string
  rows: number
  /** Programs that need a new secret. */
  accounts: string[]
  /** Webhooks that were paused, because their secrets stay behind. */
  paused_webhooks: number
  orders: number
  audit_entries: number
}

/**
 * Creates an organization from an exported file, in one transaction: nobody sees it before it is complete, and a failure
 * leaves nothing. Ids are kept. Derived data are rebuilt, the books and the audit are checked before the commit.
 */
export async function importSchool(
  db: Database,
  keyring: Keyring,
  file: string,
  { schema, now }: { schema: number; now: Date },
  progress: SchoolProgress = () => {},
): Promise<ImportedSchool> {
  const header = await readHeader(file, schema)
  const { corp_id } = header
  return db.of(corp_id).transaction(async (tx) => {
    await refuseKnown(tx, corp_id)
    const total = (await readEnd(file)).rows
    const { end, accounts } = await insertAll(tx, file, corp_id, sum(total), progress)
    await settle(tx, keyring, header)
    const paused_webhooks = await pauseWebhooks(tx, corp_id, now)
    progress(1, 1, 'rebuilding derived data')
    // Inside the transaction: without statistics, plans for tables that were empty take minutes.
    await refreshStatistics(tx, carriedTables)
    await rebuildDerivedData(tx, corp_id)
    await refreshStatistics(tx, rebuiltTables)
    // Audited like any change, so that the chain names the import.
    const after = { imported_from: header.service, exported_at: header.exported_at, sha256: end.sha256 }
    tx.note({ record_type: 'organizations', record_id: corp_id, after, action: 'made' })
    progress(1, 1, 'checking the books')
    const checked = await checkImported(db, tx, corp_id)
    return { corp_id, rows: sum(end.rows), accounts, paused_webhooks, ...checked }
  })
}

async function readHeader(file: string, schema: number): Promise<SchoolHeader> {
  for await (const line of readSchoolFile(file)) {
    if (!('header' in line)) break
    const { header } = line
    refuseOtherVersion(file, header, schema)
    return header
  }
  throw new Error(`The file ${file} is empty.`)
}

function refuseOtherVersion(file: string, header: SchoolHeader, schema: number): void {
  if (header.version !== formatVersion)
    throw new Error(
      `The file ${file} has version ${header.version} of the format, and this version reads ${formatVersion}. ` +
        `It was written by ${header.service}.`,
    )
  if (header.schema > schema)
    throw new Error(
      `The file ${file} has schema ${header.schema}, and this installation has schema ${schema}. ` +
        'Upgrade this installation first.',
    )
  if (header.schema < schema)
    throw new Error(
      `The file ${file} has schema ${header.schema}, and this installation has schema ${schema}. ` +
        'Upgrade the installation that wrote it, and export again.',
    )
}

/** Reads the whole file once, so that a damaged one is refused before anything is written. */
async function readEnd(file: string): Promise<TableFileEnd> {
  for await (const line of readSchoolFile(file)) if ('end' in line) return line.end
  throw new Error(`The file ${file} is empty.`)
}

async function refuseKnown(tx: Queryable, corp_id: string): Promise<void> {
  const [known] = await findOrganizations(tx, [corp_id])
  if (known) throw new Error(`There already is an organization ${corp_id}.`)
  const occupied = await findOccupied(tx, corp_id)
  if (occupied.length > 0)
    throw new Error(`Records of an earlier organization ${corp_id} are in ${occupied.join(', ')}.`)
}

/** Rows of one statement. */
const mostRows = 1000
const mostCharacters = 2_000_000

async function insertAll(
  tx: Queryable,
  file: string,
  corp_id: string,
  total: number,
  progress: SchoolProgress,
): Promise<{ end: TableFileEnd; accounts: string[] }> {
  const shapes = await readShapes(tx, carriedTables)
  const accounts: string[] = []
  let shape: TableShape | undefined
  let rows: string[] = []
  let characters = 0
  let done = 0
  const flush = async () => {
    if (!shape || rows.length === 0) return
    if (shape.table === 'accounts') accounts.push(...(await newAccounts(tx, shape, rows)))
    await insertPage(tx, shape, corp_id, rows)
    done += rows.length
    progress(done, total, shape.table)
    rows = []
    characters = 0
  }
  for await (const line of readSchoolFile(file)) {
    if ('row' in line) {
      rows.push(line.row)
      characters += line.row.length
      if (rows.length === mostRows || characters > mostCharacters) await flush()
    } else if ('start' in line) {
      await flush()
      shape = shapeOf(file, shapes, line.start)
    } else if ('end' in line) {
      await flush()
      return { end: line.end, accounts }
    }
  }
  throw new Error(`The file ${file} is empty.`)
}

/** The file names tables and columns that this installation has, and no others. */
function shapeOf(file: string, shapes: Map<string, TableShape>, { table, columns }: TableStart): TableShape {
  const known = shapes.get(table)
  if (!known) throw new Error(`The file ${file} has a table ${table}, which this version does not know.`)
  const shape = exported(known)
  const names = shape.columns.map(({ name }) => name)
  const differing = [...names, ...columns].filter((name) => !names.includes(name) || !columns.includes(name))
  if (differing.length > 0)
    throw new Error(
      `The table ${table} in the file ${file} has other columns than this installation (${differing.join(', ')}): ` +
        'export with the version that imports.',
    )
  return { ...shape, columns: columns.map((name) => shape.columns.find((column) => column.name === name)!) }
}

/** Accounts span organizations: one with the same id may be another program. */
async function newAccounts(tx: Queryable, { columns }: TableShape, rows: string[]): Promise<string[]> {
  const position = columns.findIndex(({ name }) => name === 'app_id')
  const appIds = rows.map((row) => JSON.parse(row)[position] as string)
  const known = await findAccountIds(tx, appIds)
  if (known.length > 0) throw new Error(`There already is an account ${known.join(', ')}.`)
  return appIds
}

/** Cursors of the feed that others hold must not continue here, where events get numbers of their own. */
async function settle(tx: Queryable, keyring: Keyring, header: SchoolHeader): Promise<void> {
  const { corp_id, erasure_key } = header
  await startEpoch(tx, corp_id, newId())
  for (const archive of await listArchives(tx, corp_id))
    await resealArchive(tx, corp_id, archive.archive_id, sealArchive(corp_id, archive, keyring))
  if (erasure_key !== null)
    await makeKey(tx, corp_id, sealKey(keyring, corp_id, Buffer.from(erasure_key, 'hex')))
}

/** Inside the transaction: an import whose books do not balance is rolled back. */
async function checkImported(db: Database, tx: Queryable, corp_id: string) {
  const inside: Database = { ...db, shared: tx, of: () => tx }
  const audit = await verifyAudit(inside, corp_id)
  const ledger = await checkLedger(inside, corp_id)
  if (audit.total + ledger.total > 0) {
    const [first] = [...audit.breaches, ...ledger.discrepancies]
    throw new Error(
      `The books of the file do not agree: ${audit.total} breaches of the audit and ${ledger.total} discrepancies, ` +
        `first ${first!.what}. Nothing was imported.`,
    )
  }
  return { orders: ledger.orders, audit_entries: audit.entries }
}

function sum(rows: Record<string, number>): number {
  return Object.values(rows).reduce((all, count) => all + count, 0)
}

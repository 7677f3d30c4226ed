import type { Keyring } from '../../access/organizations/keyring.ts'
import { knownOrganization } from '../../access/organizations/organization-store.ts'
import { openKey } from '../../changes/erasure/contact-hash.ts'
import { findRegister, sealedKeyOf } from '../../changes/erasure/tombstone-store.ts'
import { serviceVersion } from '../../contract/service-version.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { currentSchema } from '../../database/schema-store.ts'
import { refuseExisting, type TableFileEnd, type WrittenTable, writeTableFile } from '../table-file.ts'
import { formatName, formatVersion, type SchoolHeader } from './school-file.ts'
import { countRows, inOrderOfReference, readPage, readShapes, type TableShape } from './school-table-store.ts'
import { carriedTables, leftOutColumns } from './school-tables.ts'

/** Called after each page with the rows that are written, and all rows. */
export type SchoolProgress = (done: number, total: number, table: string) => void

/**
 * Writes everything of an organization into one file, from one snapshot: later changes are not in it. Secrets are left out
 * (`school-tables.ts`). The file is as confidential as the database.
 */
export async function exportSchool(
  db: Database,
  keyring: Keyring,
  corp_id: string,
  file: string,
  now: Date,
  progress: SchoolProgress = () => {},
): Promise<TableFileEnd> {
  await knownOrganization(db.shared, corp_id)
  await refuseExisting(file)
  const end = await db.of(corp_id).snapshot(async (tx) => {
    const header = await headerOf(tx, keyring, corp_id, now)
    const shapes = await readShapes(tx, carriedTables)
    const report = await reporter(tx, corp_id, progress)
    const ordered = await inOrderOfReference(tx, carriedTables)
    const tables = ordered.map((table) => writtenTable(tx, corp_id, exported(shapes.get(table)!), report))
    return writeTableFile(file, header, tables)
  })
  await db.of(corp_id).transaction(async (tx) => {
    tx.note({ record_type: 'organizations', record_id: corp_id, action: 'exported' })
  })
  return end
}

async function headerOf(tx: Queryable, keyring: Keyring, corp_id: string, now: Date): Promise<SchoolHeader> {
  const sealed = sealedKeyOf(await findRegister(tx, corp_id))
  return {
    format: formatName,
    version: formatVersion,
    schema: (await currentSchema(tx)).schema,
    service: serviceVersion,
    corp_id,
    exported_at: now.toISOString(),
    erasure_key: sealed ? openKey(keyring, corp_id, sealed).toString('hex') : null,
  }
}

async function reporter(tx: Queryable, corp_id: string, progress: SchoolProgress) {
  let total = 0
  for (const table of carriedTables) total += await countRows(tx, table, corp_id)
  let done = 0
  return (table: string, rows: number) => {
    done += rows
    progress(done, total, table)
  }
}

/** The columns that the file has. */
export function exported(shape: TableShape): TableShape {
  const without = leftOutColumns[shape.table] ?? []
  return { ...shape, columns: shape.columns.filter(({ name }) => !without.includes(name)) }
}

function writtenTable(
  tx: Queryable,
  corp_id: string,
  shape: TableShape,
  report: (table: string, rows: number) => void,
): WrittenTable {
  const { table, columns } = shape
  return {
    table,
    columns: columns.map(({ name }) => name),
    async *pages() {
      for (let after: string[] | undefined; ; ) {
        const { rows, next } = await readPage(tx, shape, corp_id, after)
        report(table, rows.length)
        yield rows
        if (!next) return
        after = next
      }
    },
  }
}

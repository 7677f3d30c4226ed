import { linkEntries } from '../../access/audit/link-entries.ts'
import {
  addDeleted,
  beginDeletion,
  completeDeletion,
  type Deletion,
  findCompletedDeletion,
  findOpenDeletion,
} from '../../access/organizations/deletion-store.ts'
import { lockSuspension } from '../../access/organizations/suspension-store.ts'
import type { Database } from '../../database/database.ts'
import { tenantTables } from '../../database/tables.ts'
import { findHead } from '../published-heads/head-store.ts'
import type { SchoolProgress } from './export-school.ts'
import {
  countRows,
  deleteAccounts,
  deleteOrganization,
  deletePage,
  findOccupied,
  inOrderOfReference,
  readShapes,
} from './school-table-store.ts'
import type { SchoolTable } from './school-tables.ts'

/** Proof of a deletion: the deleted rows, and the ends of the chains that vouched for them. */
export interface DeletionCertificate {
  format: 'matricula deletion certificate'
  version: 1
  deletion_id: string
  corp_id: string
  requested_at: string
  began_at: string
  completed_at: string
  /** The ends of the audit chain and of the ledger chain before the deletion, as `audit heads` shows them. */
  heads: object
  rows: Record<string, number>
}

const deletedTables: SchoolTable[] = [...tenantTables, 'verified_domains']

/**
 * The second step of a deletion: deletes every row of the organization in batches, and the organization last. After a crash,
 * the same call continues. A call after the end returns the certificate again.
 */
export async function deleteSchool(
  db: Database,
  corp_id: string,
  now: Date,
  progress: SchoolProgress = () => {},
): Promise<DeletionCertificate> {
  const deletion = await begin(db, corp_id, now)
  if (deletion.completed_at) return certificateOf(deletion)
  const tables = (await inOrderOfReference(db.shared, deletedTables)).reverse()
  const shapes = await readShapes(db.shared, tables)
  let total = 0
  for (const table of tables) total += await countRows(db.of(corp_id), table, corp_id)
  let done = 0
  // A request in progress may still have written, so this repeats until a round finds nothing.
  do {
    for (const table of tables)
      for (let deleted = 1; deleted > 0; ) {
        deleted = await db.of(corp_id).transaction(async (tx) => {
          const rows = await deletePage(tx, shapes.get(table)!, corp_id)
          if (rows > 0) await addDeleted(tx, deletion.deletion_id, table, rows)
          return rows
        })
        done += deleted
        progress(Math.min(done, total), total, table)
      }
  } while ((await findOccupied(db.of(corp_id), corp_id)).length > 0)
  return certificateOf(await finish(db, corp_id, deletion.deletion_id, now))
}

async function begin(db: Database, corp_id: string, now: Date): Promise<Deletion> {
  await linkEntries(db, corp_id)
  return db.of(corp_id).transaction(async (tx) => {
    const suspension = await lockSuspension(tx, corp_id)
    const open = await findOpenDeletion(tx, corp_id)
    const completed = suspension ? undefined : await findCompletedDeletion(tx, corp_id)
    if (!open && completed) return completed
    if (!suspension) throw new Error(`There is no organization ${corp_id}.`)
    if (!open)
      throw new Error(
        `Request the deletion of ${corp_id} first: matricula org delete ${corp_id} --reason <text>.`,
      )
    if (open.due_at > now)
      throw new Error(`The deletion of ${corp_id} can be confirmed from ${open.due_at.toISOString()} on.`)
    if (open.began_at) return open
    const { corp_id: _, ...heads } = await findHead(tx, corp_id)
    await beginDeletion(tx, open.deletion_id, heads, now)
    return { ...open, began_at: now, heads }
  })
}

/** Deletes the organization and the programs that only it had, and notes the deletion, in one transaction. */
async function finish(db: Database, corp_id: string, deletion_id: string, now: Date): Promise<Deletion> {
  return db.shared.transaction(async (tx) => {
    for (const [table, rows] of Object.entries(await deleteAccounts(tx, corp_id)))
      await addDeleted(tx, deletion_id, table, rows)
    await deleteOrganization(tx, corp_id)
    await addDeleted(tx, deletion_id, 'organizations', 1)
    const completed = await completeDeletion(tx, deletion_id, now)
    const after = { deletion_id, heads: completed.heads }
    tx.note({ record_type: 'organizations', record_id: corp_id, after, action: 'removed' })
    return completed
  })
}

function certificateOf(deletion: Deletion): DeletionCertificate {
  const { deletion_id, corp_id, requested_at, began_at, completed_at, heads, deleted } = deletion
  return {
    format: 'matricula deletion certificate',
    version: 1,
    deletion_id,
    corp_id,
    requested_at: requested_at.toISOString(),
    began_at: began_at!.toISOString(),
    completed_at: completed_at!.toISOString(),
    heads: heads!,
    rows: deleted,
  }
}

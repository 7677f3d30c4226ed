import { rm } from 'node:fs/promises'
import {
  type Archive,
  type ArchiveKind,
  insertArchive,
  listArchives,
  noteRemoved,
  type StoredArchive,
} from '../../access/audit/archive-store.ts'
import { sealArchive } from '../../access/audit/archives.ts'
import { auditHashesOf } from '../../access/audit/audit-chain-store.ts'
import { ofNoOrganization } from '../../access/audit/link-entries.ts'
import type { Keyring } from '../../access/organizations/keyring.ts'
import { knownOrganization } from '../../access/organizations/organization-store.ts'
import { newId } from '../../contract/new-id.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { writeAuditArchive } from './archive-audit.ts'
import { type ArchiveHeader, readArchiveFile } from './archive-file.ts'
import { writeRecordArchive } from './archive-records.ts'
import {
  markBatches,
  markImports,
  removeBatchRecords,
  removeEntries,
  removeImportRows,
} from './archived-row-store.ts'

export interface ArchiveOptions {
  /** '' for the audit of no organization. */
  corp_id: string
  kind: ArchiveKind
  olderThan: Date
  /** A new file. */
  out: string
  now: Date
  keyring: Keyring
}

/** A file that was written, and is not noted yet. */
export type WrittenArchive = Pick<Archive, 'rows' | 'sha256' | 'length' | 'head'> & {
  /** The records whose details are in the file. */
  ids: string[]
}

export interface Archived {
  /** The archive in the file; undefined if no row is old enough. */
  archive: Archive | undefined
  /** Rows that were removed now, also of an archive that an earlier call did not finish. */
  removed: number
}

export type ArchiveProgress = (removed: number) => void

/**
 * Moves old rows of an organization to a file: writes it, reads it again, notes it, and removes the rows in small steps. A
 * call after a crash continues: a file that was not noted is written again, and rows that were noted are removed.
 */
export async function archiveRows(
  db: Database,
  options: ArchiveOptions,
  progress: ArchiveProgress = () => {},
): Promise<Archived> {
  const { corp_id, kind, out } = options
  if (corp_id !== ofNoOrganization) await knownOrganization(db.shared, corp_id)
  else if (kind !== 'audit') throw new Error('Only the audit has rows of no organization.')
  let removed = await removeNoted(db, options, progress)
  const known = await findKnown(db, options)
  if (known) return { archive: known, removed }
  const written =
    kind === 'audit'
      ? await writeAuditArchive(db, options)
      : await writeRecordArchive(db, { ...options, kind })
  if (!written) return { archive: undefined, removed }
  if ((await endOf(out)).sha256 !== written.sha256)
    throw new Error(`The file ${out} does not hold what was written. Nothing was removed.`)
  const archive = await note(db, options, written)
  removed += await removeNoted(db, options, progress)
  return { archive, removed }
}

/** The archive that an existing file has. A file of a call that ended before it was noted is removed: its rows are stored. */
async function findKnown(db: Database, options: ArchiveOptions): Promise<Archive | undefined> {
  const { corp_id, kind, out } = options
  const found = await endOf(out).catch((error: Error) => {
    if (error.message.includes('(ENOENT)')) return undefined
    throw error
  })
  if (!found) return undefined
  const { header, sha256, last } = found
  const other = new Error(`The file ${out} exists. Name a new one.`)
  if (header.corp_id !== corp_id || header.kind !== kind) throw other
  const on = db.of(corp_id)
  const known = (await listArchives(on, corp_id)).find((each) => each.sha256 === sha256)
  if (known) return archiveOf(known)
  if (kind === 'audit') {
    const [seq, , hash] = last ?? []
    const [stored] = await auditHashesOf(on, corp_id, [Number(seq)])
    if (stored?.hash !== hash) throw other
  }
  await rm(out)
  return undefined
}

/** Reads a whole file. The last row of an audit is its last link. */
async function endOf(file: string) {
  let header: ArchiveHeader | undefined
  let row: string | undefined
  for await (const line of readArchiveFile(file)) {
    if ('header' in line) header = line.header
    if ('row' in line) row = line.row
    if ('end' in line)
      return { header: header!, sha256: line.end.sha256, last: row && (JSON.parse(row) as string[]) }
  }
  throw new Error(`The file ${file} is empty.`)
}

/** From here on, the rows count as archived. */
async function note(db: Database, options: ArchiveOptions, written: WrittenArchive): Promise<Archive> {
  const { corp_id, kind, olderThan, now, keyring } = options
  const { ids, ...members } = written
  const archive: Archive = {
    ...{ archive_id: newId(), kind, made_at: now.toISOString(), older_than: olderThan.toISOString() },
    ...members,
  }
  await db.of(corp_id).transaction(async (tx) => {
    const mark = { audit: undefined, changes: markBatches, imports: markImports }[kind]
    if (mark && (await mark(tx, corp_id, ids, archive.archive_id)) !== ids.length)
      throw new Error('Some of the records were changed during this. Repeat the command.')
    await insertArchive(tx, corp_id, archive, sealArchive(corp_id, archive, keyring))
  })
  return archive
}

/** Rows per transaction: other writers wait for a moment at most. */
const removedAtOnce = 1000

/** Removes the rows of archives that were noted. Returns their number. */
async function removeNoted(
  db: Database,
  { corp_id, kind }: ArchiveOptions,
  progress: ArchiveProgress,
): Promise<number> {
  const on = db.of(corp_id)
  const open = (await listArchives(on, corp_id)).filter((each) => each.kind === kind && !each.is_removed)
  let removed = 0
  for (const archive of open) {
    for (let rows = 1; rows > 0; removed += rows) {
      rows = await on.transaction((tx) => removeSome(tx, corp_id, archive))
      progress(removed + rows)
    }
    await on.transaction((tx) => noteRemoved(tx, corp_id, archive.archive_id))
  }
  return removed
}

function removeSome(tx: Queryable, corp_id: string, archive: StoredArchive): Promise<number> {
  const { kind, archive_id, length } = archive
  if (kind === 'audit') return removeEntries(tx, corp_id, { length: length!, limit: removedAtOnce })
  const remove = kind === 'changes' ? removeBatchRecords : removeImportRows
  return remove(tx, corp_id, { archive_id, limit: removedAtOnce })
}

function archiveOf({
  is_removed: _,
  secret_box: __,
  secret_key_id: ___,
  ...archive
}: StoredArchive): Archive {
  return archive
}

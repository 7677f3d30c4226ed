import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { SealedSecret } from '../organizations/secret-store.ts'

export const archiveKinds = ['audit', 'changes', 'imports'] as const
export type ArchiveKind = (typeof archiveKinds)[number]

/** The sealed description of an archive. */
export interface Archive {
  archive_id: string
  kind: ArchiveKind
  made_at: string
  /** The file has rows from before this instant. */
  older_than: string
  rows: number
  sha256: string
  /** Audit: the last link in the file. */
  length: number | null
  head: string | null
}

export interface StoredArchive extends Archive {
  /** Whether its rows were removed from the database. */
  is_removed: boolean
  secret_box: Buffer | null
  secret_key_id: string | null
}

/** Oldest first. */
export async function listArchives(on: Queryable, corp_id: string): Promise<StoredArchive[]> {
  const rows = await on.query<
    Omit<StoredArchive, 'made_at' | 'older_than'> & { made_at: Date; older_than: Date }
  >(sql`
    select archive_id, kind, made_at, older_than, rows, sha256, length, head, is_removed, secret_box, secret_key_id
      from archives where corp_id = ${corp_id} order by archive_id`)
  return rows.map((row) => ({
    ...row,
    made_at: row.made_at.toISOString(),
    older_than: row.older_than.toISOString(),
  }))
}

export async function insertArchive(
  tx: Queryable,
  corp_id: string,
  archive: Archive,
  sealed: SealedSecret,
): Promise<void> {
  const { archive_id, kind, made_at, older_than, rows, sha256, length, head } = archive
  await tx.query(sql`
    insert into archives (corp_id, archive_id, kind, made_at, older_than, rows, sha256, length, head, secret_box, secret_key_id)
    values (${corp_id}, ${archive_id}, ${kind}, ${made_at}::timestamptz, ${older_than}::timestamptz, ${rows}::bigint, ${sha256},
            ${length}::bigint, ${head}, ${sealed.secret_box}, ${sealed.secret_key_id})`)
  tx.note({ record_type: 'archives', record_id: archive_id, after: archive })
}

/** Seals an archive again, with the key of another installation. */
export async function resealArchive(
  tx: Queryable,
  corp_id: string,
  archive_id: string,
  { secret_box, secret_key_id }: SealedSecret,
): Promise<void> {
  await tx.query(sql`
    update archives set secret_box = ${secret_box}, secret_key_id = ${secret_key_id}
     where corp_id = ${corp_id} and archive_id = ${archive_id}`)
  tx.note({ record_type: 'archives', record_id: archive_id, after: { secret_key_id } })
}

export async function noteRemoved(tx: Queryable, corp_id: string, archive_id: string): Promise<void> {
  await tx.query(sql`
    update archives set is_removed = true where corp_id = ${corp_id} and archive_id = ${archive_id}`)
  tx.note({ record_type: 'archives', record_id: archive_id, after: { is_removed: true } })
}

/** The number of links that are in archives only. */
export async function archivedLength(on: Queryable, corp_id: string): Promise<number> {
  const [found] = await on.query<{ length: number | null }>(sql`
    select max(length) as length from archives where corp_id = ${corp_id} and kind = 'audit'`)
  return found?.length ?? 0
}

import type { Queryable, Surveyor } from '../../database/database.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'
import { survey } from '../../database/survey.ts'
import { importColumns, type LeadImport, lockImport, noteState } from './lead-import-store.ts'

export async function appendPiece(
  tx: Queryable,
  corp_id: string,
  piece: { import_id: string; start: number; bytes: Buffer },
  now: Date,
): Promise<void> {
  const { import_id, start, bytes } = piece
  await tx.query(sql`
    insert into lead_import_pieces (corp_id, import_id, start, bytes)
    values (${corp_id}, ${import_id}, ${start}, ${bytes})`)
  await tx.query(sql`
    update lead_imports set received = ${start + bytes.length}, mtime = ${now}
     where corp_id = ${corp_id} and import_id = ${import_id}`)
  const received = { before: { received: start }, after: { received: start + bytes.length } }
  tx.note({ record_type: 'lead_imports', record_id: import_id, ...received })
}

/** The piece of an uploaded file at this offset. */
export async function findPiece(
  on: Queryable,
  corp_id: string,
  import_id: string,
  start: number,
): Promise<Buffer | undefined> {
  const [row] = await on.query<{ bytes: Buffer }>(sql`
    select bytes from lead_import_pieces
     where corp_id = ${corp_id} and import_id = ${import_id} and start = ${start}`)
  return row?.bytes
}

/** Deletes a locked file with its pieces and rows. */
export async function deleteImport(
  tx: Queryable,
  corp_id: string,
  { import_id, state }: Pick<LeadImport, 'import_id' | 'state'>,
): Promise<void> {
  await tx.pipeline([
    ...removingContent(corp_id, import_id),
    sql`delete from lead_imports where corp_id = ${corp_id} and import_id = ${import_id}`,
  ])
  // Without its name, which may be that of a person: audit entries cannot be erased.
  tx.note({ record_type: 'lead_imports', record_id: import_id, before: { state } })
}

function removingContent(corp_id: string, import_id: string): Statement[] {
  return ['lead_import_pieces', 'lead_import_rows'].map(
    (table) => sql`delete from ${raw(table)} where corp_id = ${corp_id} and import_id = ${import_id}`,
  )
}

/** Files whose bytes are stored: those before and during their commit. */
export async function listKeptFiles(on: Queryable, corp_id: string): Promise<LeadImport[]> {
  return on.query<LeadImport>(sql`
    select ${importColumns} from lead_imports
     where corp_id = ${corp_id} and state <> 'done' and received > 0
     order by import_id`)
}

/**
 * Discards the content of a file and stores the reason, unless the file is being committed. It has to be uploaded
 * again.
 */
export async function emptyImport(
  tx: Queryable,
  corp_id: string,
  import_id: string,
  refusal: string,
  now: Date,
): Promise<void> {
  const found = await lockImport(tx, corp_id, import_id)
  if (!found?.received || found.state === 'committing' || found.state === 'done') return
  await tx.pipeline([
    ...removingContent(corp_id, import_id),
    sql`
      update lead_imports
         set state = 'refused', refusal = ${refusal}, refusal_reason = null, received = 0, last_row = 0, plan = null, reading = null,
             content_hash = null, options = options - 'mapping' - 'values', busy_until = null, mtime = ${now}
       where corp_id = ${corp_id} and import_id = ${import_id}`,
  ])
  noteState(tx, import_id, 'refused')
}

/** The organizations with pieces of files that are done, or with files that were given up before an instant. */
export async function findCorpIdsWithOldImports(on: Surveyor, before: Date): Promise<string[]> {
  return on.corpIds(survey`
    select distinct i.corp_id from lead_imports i
     where i.state in ('uploading', 'planning', 'planned', 'refused') and i.mtime < ${before}
    union
    select i.corp_id from lead_imports i
     where i.state = 'done' and exists (select from lead_import_pieces p
                                         where p.corp_id = i.corp_id and p.import_id = i.import_id)`)
}

/** Deletes pieces that are no longer needed, and files that were never committed. */
export async function pruneImports(on: Queryable, corp_id: string, before: Date): Promise<void> {
  await on.query(sql`
    delete from lead_import_pieces p
     where p.corp_id = ${corp_id} and p.import_id in (
           select import_id from lead_imports
            where corp_id = ${corp_id}
              and (state = 'done' or state in ('uploading', 'planning', 'planned', 'refused') and mtime < ${before}))`)
  await on.query(sql`
    delete from lead_import_rows r
     where r.corp_id = ${corp_id} and r.import_id in (
           select import_id from lead_imports
            where corp_id = ${corp_id} and state in ('uploading', 'planning', 'planned', 'refused') and mtime < ${before})`)
  await on.query(sql`
    delete from lead_imports
     where corp_id = ${corp_id} and state in ('uploading', 'planning', 'planned', 'refused') and mtime < ${before}`)
}

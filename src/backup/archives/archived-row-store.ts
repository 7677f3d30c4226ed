import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** Rows of the tables that archives move to files. Personal members are not read. */

/** Removes audit entries up to a link, with their links and personal parts. Returns their number: 0 if none is left. */
export async function removeEntries(
  tx: Queryable,
  corp_id: string,
  { length, limit }: { length: number; limit: number },
): Promise<number> {
  const found = await tx.query<{ seq: number; entry_id: string; person_id: string | null }>(sql`
    select l.seq, l.entry_id, e.person_id
      from (select seq, entry_id from audit_links
             where corp_id = ${corp_id} and seq <= ${length}::bigint order by seq limit ${limit}) l
      left join audit_entries e on e.corp_id = ${corp_id} and e.entry_id = l.entry_id`)
  const entryIds = found.map(({ entry_id }) => entry_id)
  const personIds = [...new Set(found.flatMap(({ person_id }) => person_id ?? []))]
  await tx.query(sql`
    delete from audit_personal
     where corp_id = ${corp_id} and person_id = any(${personIds}) and entry_id = any(${entryIds})`)
  await tx.query(sql`delete from audit_entries where corp_id = ${corp_id} and entry_id = any(${entryIds})`)
  await tx.query(sql`
    delete from audit_links where corp_id = ${corp_id} and seq = any(${found.map(({ seq }) => seq)}::bigint[])`)
  return found.length
}

/** The number of links that the event feed has followed. Without a feed, all are. */
export async function followedLinks(on: Queryable, corp_id: string): Promise<number> {
  const [feed] = await on.query<{ linked: number }>(sql`
    select linked from event_feeds where corp_id = ${corp_id}`)
  return feed?.linked ?? Number.MAX_SAFE_INTEGER
}

/** The next batches, by id, that ended before an instant and whose undo, if any, ended too. */
export async function oldBatches(
  on: Queryable,
  corp_id: string,
  page: { before: Date; after: string; limit: number },
): Promise<{ id: string; text: string }[]> {
  return on.query(sql`
    select b.batch_id as id,
           jsonb_build_array(b.batch_id, b.kind, b.executor_id, b.records::text, b.counts::text, b.ctime::text, b.mtime::text)::text
             as text
      from change_batches b
     where b.corp_id = ${corp_id} and b.batch_id > ${page.after} and b.mtime < ${page.before} and b.is_complete
       and b.archive_id is null
       and not exists (select from change_batches u
                        where u.corp_id = ${corp_id} and u.batch_id = b.undone_by_batch_id
                          and not (u.is_complete and u.mtime < ${page.before}))
     order by b.batch_id limit ${page.limit}`)
}

export async function recordsOfBatch(
  on: Queryable,
  corp_id: string,
  batch_id: string,
  { after, limit }: { after: number; limit: number },
): Promise<{ at: number; text: string }[]> {
  return on.query(sql`
    select position as at, jsonb_build_array(batch_id, position::text, record_type, record_id)::text as text
      from change_batch_records
     where corp_id = ${corp_id} and batch_id = ${batch_id} and position > ${after}
     order by position limit ${limit}`)
}

export async function markBatches(
  tx: Queryable,
  corp_id: string,
  batchIds: string[],
  archive_id: string,
): Promise<number> {
  const marked = await tx.query(sql`
    update change_batches b set archive_id = ${archive_id}
     where b.corp_id = ${corp_id} and b.batch_id = any(${batchIds}) and b.is_complete and b.archive_id is null
       and not exists (select from change_batches u
                        where u.corp_id = ${corp_id} and u.batch_id = b.undone_by_batch_id and not u.is_complete)
    returning b.batch_id`)
  return marked.length
}

export async function removeBatchRecords(
  tx: Queryable,
  corp_id: string,
  { archive_id, limit }: { archive_id: string; limit: number },
): Promise<number> {
  const found = await tx.query<{ batch_id: string; position: number }>(sql`
    select r.batch_id, r.position
      from change_batches b
      join change_batch_records r on r.corp_id = ${corp_id} and r.batch_id = b.batch_id
     where b.corp_id = ${corp_id} and b.archive_id = ${archive_id} limit ${limit}`)
  for (const [batch_id, rows] of Map.groupBy(found, (row) => row.batch_id))
    await tx.query(sql`
      delete from change_batch_records
       where corp_id = ${corp_id} and batch_id = ${batch_id} and position = any(${rows.map(({ position }) => position)}::integer[])`)
  return found.length
}

/** The next imports of lead files, by id, that were done before an instant. */
export async function oldImports(
  on: Queryable,
  corp_id: string,
  page: { before: Date; after: string; limit: number },
): Promise<{ id: string; text: string }[]> {
  return on.query(sql`
    select import_id as id, jsonb_build_array(import_id, executor_id, ctime::text, mtime::text)::text as text
      from lead_imports
     where corp_id = ${corp_id} and import_id > ${page.after} and mtime < ${page.before} and state = 'done'
       and archive_id is null
     order by import_id limit ${page.limit}`)
}

export async function rowsOfImport(
  on: Queryable,
  corp_id: string,
  import_id: string,
  { after, limit }: { after: number; limit: number },
): Promise<{ at: number; text: string }[]> {
  return on.query(sql`
    select row as at, jsonb_build_array(import_id, row::text, outcome)::text as text
      from lead_import_rows
     where corp_id = ${corp_id} and import_id = ${import_id} and row > ${after}
     order by row limit ${limit}`)
}

export async function markImports(
  tx: Queryable,
  corp_id: string,
  importIds: string[],
  archive_id: string,
): Promise<number> {
  const marked = await tx.query(sql`
    update lead_imports set archive_id = ${archive_id}
     where corp_id = ${corp_id} and import_id = any(${importIds}) and state = 'done' and archive_id is null
    returning import_id`)
  return marked.length
}

export async function removeImportRows(
  tx: Queryable,
  corp_id: string,
  { archive_id, limit }: { archive_id: string; limit: number },
): Promise<number> {
  const found = await tx.query<{ import_id: string; row: number }>(sql`
    select r.import_id, r.row
      from lead_imports i
      join lead_import_rows r on r.corp_id = ${corp_id} and r.import_id = i.import_id
     where i.corp_id = ${corp_id} and i.archive_id = ${archive_id} limit ${limit}`)
  for (const [import_id, rows] of Map.groupBy(found, (each) => each.import_id))
    await tx.query(sql`
      delete from lead_import_rows
       where corp_id = ${corp_id} and import_id = ${import_id} and row = any(${rows.map(({ row }) => row)}::integer[])`)
  return found.length
}

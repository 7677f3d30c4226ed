import type { Reach } from '../../contract/guard.ts'
import type { Queryable, Surveyor } from '../../database/database.ts'
import { insertingRows } from '../../database/insert-rows.ts'
import { type Statement, sql } from '../../database/sql.ts'
import { survey } from '../../database/survey.ts'
import type { BulkEdit } from './edit-users.ts'

/** A bulk edit in the background, and the users whom its executor may change. */
export interface StoredEdit {
  edit: BulkEdit
  reach: Reach
}

interface BatchKey {
  corp_id: string
  batch_id: string
}

/** Some users of an edit. */
interface EditPart {
  number: number
  user_ids: string[]
}

const partColumns = { batch_id: 'text', number: 'integer', user_ids: 'text[]' } as const

export function insertingPart({ corp_id, batch_id }: BatchKey, part: EditPart): Statement[] {
  return insertingRows('bulk_edit_parts', partColumns, corp_id, [{ batch_id, ...part }])
}

/** Stores the edit of a batch, and the number of its users. */
export async function storeEdit(
  tx: Queryable,
  { corp_id, batch_id }: BatchKey,
  stored: StoredEdit,
  remaining: number,
): Promise<void> {
  await tx.query(sql`
    update change_batches set edit = ${JSON.stringify(stored)}::jsonb, remaining = ${remaining}
     where corp_id = ${corp_id} and batch_id = ${batch_id}`)
}

export async function findEdit(
  on: Queryable,
  { corp_id, batch_id }: BatchKey,
): Promise<StoredEdit | undefined> {
  const [row] = await on.query<{ edit: StoredEdit | null }>(sql`
    select edit from change_batches where corp_id = ${corp_id} and batch_id = ${batch_id}`)
  return row?.edit ?? undefined
}

/** Takes the next part out of the list. */
export async function takePart(
  tx: Queryable,
  { corp_id, batch_id }: BatchKey,
): Promise<EditPart | undefined> {
  const [part] = await tx.query<EditPart>(sql`
    select number, user_ids from bulk_edit_parts
     where corp_id = ${corp_id} and batch_id = ${batch_id}
     order by number limit 1`)
  if (!part) return undefined
  await tx.query(sql`
    delete from bulk_edit_parts
     where corp_id = ${corp_id} and batch_id = ${batch_id} and number = ${part.number}`)
  return part
}

/** Ends an edit: its users and the edit itself are no longer needed. */
export async function endEdit(tx: Queryable, { corp_id, batch_id }: BatchKey, now: Date): Promise<void> {
  await tx.pipeline([
    sql`delete from bulk_edit_parts where corp_id = ${corp_id} and batch_id = ${batch_id}`,
    sql`
      update change_batches set edit = null, is_complete = true, remaining = null, mtime = ${now}
       where corp_id = ${corp_id} and batch_id = ${batch_id}`,
  ])
}

/** The organizations with bulk edits that nothing has moved since then. */
export async function findCorpIdsWithIdleEdits(on: Surveyor, before: Date): Promise<string[]> {
  return on.corpIds(survey`
    select distinct b.corp_id from change_batches b
     where b.kind = 'bulk_update' and not b.is_complete and b.mtime < ${before}`)
}

export async function findIdleEdits(
  on: Queryable,
  corp_id: string,
  before: Date,
): Promise<{ batch_id: string; executor_id: string }[]> {
  return on.query(sql`
    select batch_id, executor_id from change_batches
     where corp_id = ${corp_id} and kind = 'bulk_update' and not is_complete and mtime < ${before}
     order by mtime limit 10`)
}

/** The unfinished edits of an executor. */
export async function findUnfinished(on: Queryable, corp_id: string, executor_id: string): Promise<string[]> {
  const rows = await on.query<{ batch_id: string }>(sql`
    select batch_id from change_batches
     where corp_id = ${corp_id} and kind = 'bulk_update' and not is_complete and executor_id = ${executor_id}
     order by ctime limit 10`)
  return rows.map(({ batch_id }) => batch_id)
}

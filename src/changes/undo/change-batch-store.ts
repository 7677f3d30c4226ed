import { ApiError } from '../../contract/errors.ts'
import type { Queryable, Surveyor } from '../../database/database.ts'
import { insertingRows } from '../../database/insert-rows.ts'
import { raw, type Statement, sql, timestamp } from '../../database/sql.ts'
import { survey, type Unfinished } from '../../database/survey.ts'
import type { OrderFields } from '../../orders/ledger/order-state-store.ts'
import type { OrderState } from '../../orders/rules/order-rules.ts'
import type { Image, ImageType } from './record-images.ts'

export type BatchKind =
  | 'lead_import'
  | 'order_import'
  | 'bulk_update'
  | 'contact_update'
  | 'user_merge'
  | 'undo'

export interface ChangeBatch {
  batch_id: string
  kind: BatchKind
  /** For an undo of an undo, the kind of the first batch. */
  root_kind: BatchKind
  executor_id: string
  is_complete: boolean
  records: number
  undoes_batch_id: string | null
  remaining: number | null
  undone_by_batch_id: string | null
  counts: Record<string, number>
  /** The archive that names its records. It can no longer be undone. */
  archive_id: string | null
  ctime: Date
  mtime: Date
}

/** Why an undo left a record alone. If it restored a part, `members` are the others. */
export interface LeftAlone {
  reason: string
  members: string[]
}

/**
 * The change of a record of a table by a batch. A created record is noted by its stamp, a removed one by its whole image, a
 * changed one by the members that differ. Both are null for a record that an undo left alone.
 */
interface RecordChangeOf<T extends ImageType> {
  record_type: T
  record_id: string
  before: Partial<Image<T>> | null
  after: Partial<Image<T>> | null
  left_alone?: LeftAlone | null
}
export type RecordChange<T extends ImageType = ImageType> = { [K in T]: RecordChangeOf<K> }[T]

/** The members of an order that an import may change. */
export interface OrderContent {
  state: OrderState
  fields: OrderFields
}

/** A merge moves an order to another user. An import creates it (`before` is null) or changes its content. */
export interface OrderChange {
  record_type: 'orders'
  record_id: string
  before: { user_id: string } | OrderContent | null
  after: { user_id: string } | OrderVersion | null
  left_alone?: LeftAlone | null
}

/** The version that a change made, and the facts that no undo removes: `payment`, `remark`. */
export interface OrderVersion {
  version: number
  stays?: string[]
}

export type Change = RecordChange | OrderChange

const columns = raw(
  `batch_id, kind, root_kind, executor_id, is_complete, records, undoes_batch_id, remaining, undone_by_batch_id, counts, archive_id, ctime, mtime`,
)

export async function insertBatch(
  on: Queryable,
  corp_id: string,
  batch: Pick<ChangeBatch, 'batch_id' | 'kind' | 'executor_id'> & {
    root_kind?: BatchKind
    undoes_batch_id?: string
    remaining?: number
  },
  now: Date,
): Promise<void> {
  await on.transaction(async (tx) => {
    await tx.query(sql`
      insert into change_batches (corp_id, batch_id, kind, root_kind, executor_id, undoes_batch_id, remaining, ctime, mtime)
      values (${corp_id}, ${batch.batch_id}, ${batch.kind}, ${batch.root_kind ?? batch.kind}, ${batch.executor_id},
              ${batch.undoes_batch_id ?? null}, ${batch.remaining ?? null}, ${now}, ${now})`)
    tx.note({ record_type: 'change_batches', record_id: batch.batch_id, after: batch })
  })
}

export async function findBatch(
  on: Queryable,
  corp_id: string,
  batch_id: string,
): Promise<ChangeBatch | undefined> {
  const [row] = await on.query<ChangeBatch>(sql`
    select ${columns} from change_batches where corp_id = ${corp_id} and batch_id = ${batch_id}`)
  return row
}

export async function findShownBatch(
  on: Queryable,
  { corp_id, time_zone }: { corp_id: string; time_zone: string },
  batch_id: string,
): Promise<(ChangeBatch & { ctime_text: string; mtime_text: string }) | undefined> {
  const [row] = await on.query<ChangeBatch & { ctime_text: string; mtime_text: string }>(sql`
    select ${columns}, ${timestamp('ctime', time_zone)} as ctime_text, ${timestamp('mtime', time_zone)} as mtime_text
      from change_batches where corp_id = ${corp_id} and batch_id = ${batch_id}`)
  return row
}

/** The organizations with undos that nothing has moved since then. */
export async function findCorpIdsWithIdleUndos(on: Surveyor, before: Date): Promise<string[]> {
  return on.corpIds(survey`
    select distinct b.corp_id from change_batches b
     where b.kind = 'undo' and not b.is_complete and b.mtime < ${before}`)
}

/** Undos of all organizations that are not complete. */
export async function countUnfinishedUndos(on: Surveyor, now: Date): Promise<Unfinished> {
  const [found] = await on.ask<Unfinished>(survey`
    select count(*) as waiting,
           coalesce(extract(epoch from ${now}::timestamptz - min(b.ctime)), 0)::double precision as age
      from change_batches b
     where b.kind = 'undo' and not b.is_complete`)
  return found!
}

/** Undos without progress since `before`. */
export async function findIdleUndos(
  on: Queryable,
  corp_id: string,
  before: Date,
): Promise<Pick<ChangeBatch, 'batch_id' | 'executor_id'>[]> {
  return on.query(sql`
    select batch_id, executor_id from change_batches
     where corp_id = ${corp_id} and kind = 'undo' and not is_complete and mtime < ${before}
     order by mtime limit 10`)
}

/** Locked while changes of a batch are noted or undone. */
export async function lockBatch(tx: Queryable, corp_id: string, batch_id: string): Promise<ChangeBatch> {
  const [row] = await tx.query<ChangeBatch>(sql`
    select ${columns} from change_batches where corp_id = ${corp_id} and batch_id = ${batch_id} for update`)
  if (!row) throw new ApiError('changeBatchNotFound')
  return row
}

const recordColumns = {
  batch_id: 'text',
  position: 'integer',
  record_type: 'text',
  record_id: 'text',
  before: 'jsonb',
  after: 'jsonb',
  left_alone: 'jsonb',
} as const

/** Appends changes to a locked batch. */
export function noteChanges(
  corp_id: string,
  { batch_id, records }: Pick<ChangeBatch, 'batch_id' | 'records'>,
  changes: Change[],
  now: Date,
): Statement[] {
  if (changes.length === 0) return []
  const rows = changes.map((change, index) => ({
    left_alone: null,
    ...change,
    batch_id,
    position: records + index,
  }))
  return [
    ...insertingRows('change_batch_records', recordColumns, corp_id, rows),
    sql`
      update change_batches set records = ${records + changes.length}, mtime = ${now}
       where corp_id = ${corp_id} and batch_id = ${batch_id}`,
  ]
}

export async function updateBatch(
  tx: Queryable,
  corp_id: string,
  batch: Pick<ChangeBatch, 'batch_id' | 'is_complete' | 'remaining' | 'undone_by_batch_id' | 'counts'>,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    update change_batches
       set is_complete = ${batch.is_complete}, remaining = ${batch.remaining},
           undone_by_batch_id = ${batch.undone_by_batch_id}, counts = ${JSON.stringify(batch.counts)}::jsonb, mtime = ${now}
     where corp_id = ${corp_id} and batch_id = ${batch.batch_id}`)
}

/**
 * Orders that another batch has returned to the content of this batch take the version of that other batch. This batch
 * can then be undone again.
 */
export async function adoptOrderVersions(
  tx: Queryable,
  corp_id: string,
  { batch_id, from_batch_id }: { batch_id: string; from_batch_id: string },
): Promise<void> {
  await tx.query(sql`
    update change_batch_records r set after = jsonb_set(r.after, '{version}', n.after->'version')
      from change_batch_records n
     where r.corp_id = ${corp_id} and r.batch_id = ${batch_id} and r.record_type = 'orders' and r.after ? 'version'
       and n.corp_id = ${corp_id} and n.batch_id = ${from_batch_id} and n.record_type = 'orders'
       and n.record_id = r.record_id and n.after ? 'version'`)
}

/** The changes of a batch between two positions, last first. */
export async function changesWithin(
  on: Queryable,
  corp_id: string,
  batch_id: string,
  { from, to }: { from: number; to: number },
): Promise<Change[]> {
  return on.query<Change>(sql`
    select record_type, record_id, before, after from change_batch_records
     where corp_id = ${corp_id} and batch_id = ${batch_id} and position >= ${from} and position < ${to}
     order by position desc`)
}

/** A user whom a batch changed and who belongs to other owners now. */
export async function findUserOfOthers(
  on: Queryable,
  corp_id: string,
  batch_id: string,
  owner_id: string,
): Promise<{ owner_ids: string[]; pool: string } | undefined> {
  const [row] = await on.query<{ owner_ids: string[]; pool: string }>(sql`
    select u.owner_ids, u.pool
      from change_batch_records r
      join users u on u.corp_id = ${corp_id} and u.user_id = r.record_id
     where r.corp_id = ${corp_id} and r.batch_id = ${batch_id} and r.record_type = 'users' and r.before is not null
       and not ${owner_id} = any(u.owner_ids)
     limit 1`)
  return row
}

/** The records that an undo did not restore, or not completely. */
export async function listLeftAlone(
  on: Queryable,
  corp_id: string,
  batch_id: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ record_type: string; record_id: string; left_alone: LeftAlone }[]> {
  return on.query(sql`
    select record_type, record_id, left_alone from change_batch_records
     where corp_id = ${corp_id} and batch_id = ${batch_id} and left_alone is not null
     order by position limit ${limit} offset ${offset}`)
}

export async function countLeftAlone(on: Queryable, corp_id: string, batch_id: string): Promise<number> {
  const [row] = await on.query<{ total: number }>(sql`
    select count(*) as total from change_batch_records
     where corp_id = ${corp_id} and batch_id = ${batch_id} and left_alone is not null`)
  return row?.total ?? 0
}

export async function completeBatch(
  tx: Queryable,
  corp_id: string,
  batch_id: string,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    update change_batches set is_complete = true, mtime = ${now}
     where corp_id = ${corp_id} and batch_id = ${batch_id}`)
}

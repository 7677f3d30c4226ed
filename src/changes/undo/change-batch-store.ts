import type { Queryable } from '../../database/database.ts'
import { insertingRows } from '../../database/insert-rows.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'
import { timestamp } from '../../database/sql-time.ts'
import type { Image } from './record-images.ts'

export type BatchKind = 'lead_import' | 'order_import' | 'bulk_update' | 'user_merge' | 'undo'

export interface ChangeBatch {
  batch_id: string
  kind: BatchKind
  /** Of an undo: the kind of what it takes back in the end. */
  root_kind: BatchKind
  executor_id: string
  is_complete: boolean
  records: number
  undoes_batch_id: string | null
  remaining: number | null
  undone_by_batch_id: string | null
  counts: Record<string, number>
  ctime: Date
  mtime: Date
}

/** Why a record was left alone; the members, where the others were put back. */
export interface LeftAlone {
  reason: string
  members: string[]
}

/** What a batch did to a record. */
export interface Change {
  record_type: string
  record_id: string
  before: Image | null
  after: Image | null
  left_alone?: LeftAlone | null
}

const columns = raw(
  `batch_id, kind, root_kind, executor_id, is_complete, records, undoes_batch_id, remaining, undone_by_batch_id, counts, ctime, mtime`,
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
      values (${corp_id}, ${batch.batch_id}, ${batch.kind}, ${batch.root_kind ?? batch.kind}, ${batch.executor_id}, ${batch.undoes_batch_id ?? null},
              ${batch.remaining ?? null}, ${now}, ${now})`)
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

/** Undos that have not moved since then. */
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

/** Whoever notes changes of a batch, or takes it back, holds it. */
export async function lockBatch(
  tx: Queryable,
  corp_id: string,
  batch_id: string,
): Promise<ChangeBatch | undefined> {
  const [row] = await tx.query<ChangeBatch>(sql`
    select ${columns} from change_batches where corp_id = ${corp_id} and batch_id = ${batch_id} for update`)
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

/** Notes changes behind those that the batch, which is locked, has noted. */
export function noteChanges(
  corp_id: string,
  { batch_id, records }: Pick<ChangeBatch, 'batch_id' | 'records'>,
  changes: Change[],
  now: Date,
): Statement[] {
  if (changes.length === 0) return []
  const rows = changes.map((change, index) => ({
    ...{ left_alone: null, ...change, batch_id, position: records + index },
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
 * Orders that were made or changed by a batch, and are again as it left them by another one, have the version of that
 * one: so the first can be undone once more.
 */
export async function takeVersionsOfOrders(
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

/** The changes of a batch within these positions, last first. */
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

/** One of the users whom a batch found and changed, who has other owners now. */
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

/** The records that an undo left alone, wholly or in part. */
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
  return row!.total
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

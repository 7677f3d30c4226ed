import type { Queryable, Surveyor } from '../../database/database.ts'
import { raw, sql } from '../../database/sql.ts'
import { survey } from '../../database/survey.ts'

export const deliveryStates = ['waiting', 'delivered', 'dead'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** An event on its way to an endpoint. */
export interface Delivery {
  endpoint_id: string
  seq: number
  event_id: string
  type: string
  state: DeliveryState
  failures: number
  attempts: number
  next_at: Date
  error: string | null
  status: number | null
  ctime: Date
  mtime: Date
}

const columns = raw(
  'endpoint_id, seq, event_id, type, state, failures, attempts, next_at, error, status, ctime, mtime',
)

/** Deliveries of an endpoint, the newest event first. */
export async function findDeliveries(
  on: Queryable,
  corp_id: string,
  {
    endpoint_id,
    state,
    before,
    limit,
  }: { endpoint_id: string; state?: DeliveryState | undefined; before?: number | undefined; limit: number },
): Promise<Delivery[]> {
  // As a literal, so that the planner finds the partial index.
  const ofState = state === undefined ? raw('') : raw(`and state = '${state}'`)
  const ofPage = before === undefined ? raw('') : sql`and seq < ${before}::bigint`
  return on.query<Delivery>(sql`
    select ${columns} from webhook_deliveries
     where corp_id = ${corp_id} and endpoint_id = ${endpoint_id} ${ofState} ${ofPage}
     order by seq desc limit ${limit}`)
}

export interface DeliveryId {
  endpoint_id: string
  seq: number
}

export async function findDelivery(
  on: Queryable,
  corp_id: string,
  { endpoint_id, seq }: DeliveryId,
): Promise<Delivery | undefined> {
  const [delivery] = await on.query<Delivery>(sql`
    select ${columns} from webhook_deliveries
     where corp_id = ${corp_id} and endpoint_id = ${endpoint_id} and seq = ${seq}::bigint`)
  return delivery
}

/** An attempt to deliver an event. */
export interface Attempt {
  attempt: number
  at: Date
  duration_ms: number
  /** Null: delivered. */
  error: string | null
  /** Null: no response. */
  status: number | null
  response: string
}

/** The latest attempts of a delivery, the newest first. */
export async function findAttempts(
  on: Queryable,
  corp_id: string,
  { endpoint_id, seq }: DeliveryId,
  limit: number,
): Promise<Attempt[]> {
  return on.query<Attempt>(sql`
    select attempt, at, duration_ms, error, status, response from webhook_attempts
     where corp_id = ${corp_id} and endpoint_id = ${endpoint_id} and seq = ${seq}::bigint
     order by attempt desc limit ${limit}`)
}

/** A replayed delivery is attempted at once, but not while a process has it. */
const again = (now: Date) => sql`
  state = 'waiting', failures = 0, next_at = greatest(${now}::timestamptz, leased_until), mtime = ${now}`

export async function replayDelivery(
  tx: Queryable,
  corp_id: string,
  { endpoint_id, seq }: DeliveryId,
  now: Date,
): Promise<number> {
  const rows = await tx.query(sql`
    update webhook_deliveries set ${again(now)}
     where corp_id = ${corp_id} and endpoint_id = ${endpoint_id} and seq = ${seq}::bigint
    returning seq`)
  return rows.length
}

/** Replays dead deliveries of an endpoint, the oldest first. Returns their number. */
export async function replayDead(
  tx: Queryable,
  corp_id: string,
  endpoint_id: string,
  now: Date,
  limit: number,
): Promise<number> {
  const dead = await tx.query<{ seq: number }>(sql`
    select seq from webhook_deliveries
     where corp_id = ${corp_id} and endpoint_id = ${endpoint_id} and state = 'dead'
     order by seq limit ${limit}`)
  const rows = await tx.query(sql`
    update webhook_deliveries set ${again(now)}
     where corp_id = ${corp_id} and endpoint_id = ${endpoint_id} and state = 'dead'
       and seq = any(${dead.map(({ seq }) => seq)}::bigint[])
    returning seq`)
  return rows.length
}

/**
 * Replays the events of a range before the cursor, also events that it never received. Returns their number.
 */
export async function replayRange(
  tx: Queryable,
  corp_id: string,
  endpoint_id: string,
  { from, until, types }: { from: number; until: number; types: string[] },
  now: Date,
): Promise<number> {
  const cursors = await tx.query<{ seq: number }>(sql`
    select seq from webhook_cursors where corp_id = ${corp_id} and endpoint_id = ${endpoint_id} for update`)
  const last = Math.min(until, cursors[0]?.seq ?? 0)
  const rows = await tx.query(sql`
    insert into webhook_deliveries as d (corp_id, endpoint_id, seq, event_id, type, state, failures, attempts, next_at,
                                         ctime, mtime)
    select ${corp_id}, ${endpoint_id}, e.seq, e.event_id, e.type, 'waiting', 0, 0, ${now}::timestamptz,
           ${now}::timestamptz, ${now}::timestamptz
      from events e
     where e.corp_id = ${corp_id} and e.seq between ${from}::bigint and ${last}::bigint and e.type = any(${types})
       and (e.type <> 'ping' or e.record_id = ${endpoint_id})
    on conflict (corp_id, endpoint_id, seq) do update
       set state = 'waiting', failures = 0, next_at = greatest(excluded.next_at, d.leased_until), mtime = excluded.mtime
    returning seq`)
  return rows.length
}

/** The organizations with deliveries that have been kept long enough, or of endpoints that were removed. */
export async function findCorpIdsWithOldDeliveries(
  on: Surveyor,
  { deliveredBefore, deadBefore }: { deliveredBefore: Date; deadBefore: Date },
): Promise<string[]> {
  return on.corpIds(survey`
    select d.corp_id from webhook_deliveries d
     where d.state <> 'waiting' and d.mtime < ${deliveredBefore} and (d.state = 'delivered' or d.mtime < ${deadBefore})
    union
    select c.corp_id from webhook_cursors c where c.is_removed`)
}

/** Deletes a step of the deliveries that ended before these times. Returns their number. */
export async function pruneDeliveries(
  on: Queryable,
  corp_id: string,
  { deliveredBefore, deadBefore }: { deliveredBefore: Date; deadBefore: Date },
  limit: number,
): Promise<number> {
  return on.transaction(async (tx) => {
    const old = await tx.query<DeliveryId>(sql`
      select endpoint_id, seq from webhook_deliveries
       where corp_id = ${corp_id} and state <> 'waiting' and mtime < ${deliveredBefore}
         and (state = 'delivered' or mtime < ${deadBefore})
       order by mtime limit ${limit}`)
    await deleteDeliveries(tx, corp_id, old)
    return old.length
  })
}

/** Deletes a step of the deliveries of removed endpoints, then their cursors. Returns the number of deliveries. */
export async function pruneRemoved(on: Queryable, corp_id: string, limit: number): Promise<number> {
  const removed = await on.query<{ endpoint_id: string }>(sql`
    select endpoint_id from webhook_cursors where corp_id = ${corp_id} and is_removed limit 1`)
  const [cursor] = removed
  if (!cursor) return 0
  return on.transaction(async (tx) => {
    const left = await tx.query<DeliveryId>(sql`
      select endpoint_id, seq from webhook_deliveries
       where corp_id = ${corp_id} and endpoint_id = ${cursor.endpoint_id} order by seq limit ${limit}`)
    await deleteDeliveries(tx, corp_id, left)
    if (left.length < limit)
      await tx.query(sql`
        delete from webhook_cursors where corp_id = ${corp_id} and endpoint_id = ${cursor.endpoint_id} and is_removed
        returning endpoint_id`)
    return left.length
  })
}

async function deleteDeliveries(tx: Queryable, corp_id: string, ids: DeliveryId[]): Promise<void> {
  for (const [endpoint_id, list] of Map.groupBy(ids, (each) => each.endpoint_id)) {
    const numbers = list.map(({ seq }) => seq)
    await tx.pipeline([
      sql`
        delete from webhook_attempts
         where corp_id = ${corp_id} and endpoint_id = ${endpoint_id} and seq = any(${numbers}::bigint[]) returning 1`,
      sql`
        delete from webhook_deliveries
         where corp_id = ${corp_id} and endpoint_id = ${endpoint_id} and seq = any(${numbers}::bigint[]) returning 1`,
    ])
  }
}

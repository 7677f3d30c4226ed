import type { Queryable, Surveyor } from '../../database/database.ts'
import { insertingRows, sentRows } from '../../database/insert-rows.ts'
import { microseconds, sql } from '../../database/sql.ts'
import { survey } from '../../database/survey.ts'
import { findEvents, type StoredEvent } from '../feed-store.ts'
import type { Attempt, DeliveryState } from './delivery-store.ts'
import type { EndpointSecret } from './endpoint-store.ts'

/** An enabled endpoint, and whether deliveries or events are due. */
export interface ActiveEndpoint {
  endpoint_id: string
  is_failing: boolean
  /** Events of the feed after its cursor. */
  lag: number
  is_due: boolean
}

/** The enabled endpoints of an organization; none while it is suspended. A paused one has nothing due. */
export async function findActiveEndpoints(
  on: Queryable,
  corp_id: string,
  now: Date,
): Promise<ActiveEndpoint[]> {
  return on.query<ActiveEndpoint>(sql`
    select e.endpoint_id, c.failing_since is not null as is_failing, greatest(coalesce(f.length, 0) - c.seq, 0) as lag,
           (c.paused_until is null or c.paused_until <= ${now}) and (
             coalesce(f.length, 0) > c.seq or exists (
               select 1 from webhook_deliveries d
                where d.corp_id = ${corp_id} and d.endpoint_id = e.endpoint_id and d.state = 'waiting'
                  and d.next_at <= ${now})) as is_due
      from webhook_endpoints e
      join webhook_cursors c on c.corp_id = ${corp_id} and c.endpoint_id = e.endpoint_id
      left join event_feeds f on f.corp_id = ${corp_id}
     where e.corp_id = ${corp_id} and e.is_enabled and ${isInService(corp_id)}`)
}

/** The same of all organizations. */
export async function findAllActiveEndpoints(
  on: Surveyor,
  now: Date,
): Promise<(ActiveEndpoint & { corp_id: string })[]> {
  return on.ask(survey`
    select e.corp_id, e.endpoint_id, c.failing_since is not null as is_failing, greatest(coalesce(f.length, 0) - c.seq, 0) as lag,
           (c.paused_until is null or c.paused_until <= ${now}) and (
             coalesce(f.length, 0) > c.seq or exists (
               select 1 from webhook_deliveries d
                where d.corp_id = e.corp_id and d.endpoint_id = e.endpoint_id and d.state = 'waiting'
                  and d.next_at <= ${now})) as is_due
      from webhook_endpoints e
      join webhook_cursors c on c.corp_id = e.corp_id and c.endpoint_id = e.endpoint_id
      left join event_feeds f on f.corp_id = e.corp_id
     where e.is_enabled
       and exists (select 1 from organizations z where z.corp_id = e.corp_id and z.suspended_at is null)`)
}

/** Deliveries of a suspended organization pause. */
const isInService = (corp_id: string) =>
  sql`exists (select 1 from organizations z where z.corp_id = ${corp_id} and z.suspended_at is null)`

/** A delivery that this process has until the end of its lease. */
export interface ClaimedDelivery {
  seq: number
  event_id: string
  /** The number of this attempt. */
  attempt: number
  failures: number
  /** Absent: it was deleted for its age. */
  event: StoredEvent | undefined
}

export interface Claim {
  url: string
  secrets: EndpointSecret[]
  deliveries: ClaimedDelivery[]
  /** Whether more can be claimed at once. */
  hasMore: boolean
}

interface Wanted {
  endpoint_id: string
  now: Date
  leasedUntil: Date
  limit: number
  /** The types that patterns of the endpoint select. */
  typesOf(patterns: string[]): string[]
}

interface LockedEndpoint {
  url: string
  types: string[]
  seq: number
  length: number
}

interface Due {
  seq: number
  event_id: string
  attempts: number
  failures: number
}

/** Events that one claim scans. An endpoint of rare types advances in steps. */
const maxScanned = 20_000

/**
 * Takes deliveries that are due, and the next events of the feed, each for half of the places at least. The lock of the
 * cursor lets one process take at a time, so no two have the same delivery.
 */
export async function claimDeliveries(
  on: Queryable,
  corp_id: string,
  { endpoint_id, now, leasedUntil, limit, typesOf }: Wanted,
): Promise<Claim | undefined> {
  return on.transaction(async (tx) => {
    const { locked, due, secrets } = await tx.pipeline<{
      cursor: object
      locked: LockedEndpoint
      due: Due
      secrets: EndpointSecret
    }>({
      cursor: sql`
        select seq from webhook_cursors where corp_id = ${corp_id} and endpoint_id = ${endpoint_id} for update`,
      locked: sql`
        select e.url, e.types, c.seq, coalesce(f.length, 0) as length
          from webhook_endpoints e
          join webhook_cursors c on c.corp_id = ${corp_id} and c.endpoint_id = e.endpoint_id
          left join event_feeds f on f.corp_id = ${corp_id}
         where e.corp_id = ${corp_id} and e.endpoint_id = ${endpoint_id} and e.is_enabled
           and (c.paused_until is null or c.paused_until <= ${now}) and ${isInService(corp_id)}`,
      due: sql`
        select seq, event_id, attempts, failures from webhook_deliveries
         where corp_id = ${corp_id} and endpoint_id = ${endpoint_id} and state = 'waiting' and next_at <= ${now}
         order by next_at limit ${limit}`,
      secrets: sql`
        select endpoint_id, secret_id, secret_box, secret_key_id, ctime, expires_at from webhook_secrets
         where corp_id = ${corp_id} and endpoint_id = ${endpoint_id} and (expires_at is null or expires_at > ${now})
         order by expires_at desc nulls first`,
    })
    const [endpoint] = locked
    if (!endpoint) return undefined
    const { url, types, seq, length } = endpoint
    const until = Math.min(seq + maxScanned, length)
    const selected = [...typesOf(types), 'ping']
    const window = { after: seq, until, types: selected, limit }
    const found = seq < until ? await findEvents(tx, corp_id, window) : []
    // A test is for its own endpoint.
    const wanted = found.filter(({ type, record_id }) => type !== 'ping' || record_id === endpoint_id)
    const retried = due.slice(0, limit - Math.min(wanted.length, Math.ceil(limit / 2)))
    const fresh = wanted.slice(0, limit - retried.length)
    const next = wanted[fresh.length]
    const passed = next ? next.seq - 1 : found.length === limit ? found.at(-1)!.seq : until
    const events = await findEventsBySeq(
      tx,
      corp_id,
      retried.map((each) => each.seq),
    )
    await tx.runLast([
      ...insertingRows(
        'webhook_deliveries',
        newColumns,
        corp_id,
        fresh.map((event) => ({
          ...{ endpoint_id, seq: event.seq, event_id: event.event_id, type: event.type, state: 'waiting' },
          ...{
            failures: 0,
            attempts: 1,
            next_at: leasedUntil,
            leased_until: leasedUntil,
            ctime: now,
            mtime: now,
          },
        })),
      ),
      sql`
        update webhook_deliveries set attempts = attempts + 1, next_at = ${leasedUntil}, leased_until = ${leasedUntil}
         where corp_id = ${corp_id} and endpoint_id = ${endpoint_id}
           and seq = any(${retried.map((each) => each.seq)}::bigint[])
        returning 1`,
      sql`
        update webhook_cursors set seq = ${passed}::bigint where corp_id = ${corp_id} and endpoint_id = ${endpoint_id}
        returning 1`,
    ])
    return {
      url,
      secrets,
      deliveries: [
        ...retried.map(({ attempts, ...each }) => ({
          ...each,
          attempt: attempts + 1,
          event: events.get(each.seq),
        })),
        ...fresh.map((event) => ({
          ...{ seq: event.seq, event_id: event.event_id, attempt: 1, failures: 0 },
          event,
        })),
      ],
      hasMore: passed < length || due.length > retried.length || due.length === limit,
    }
  })
}

const newColumns = {
  endpoint_id: 'text',
  seq: 'bigint',
  event_id: 'text',
  type: 'text',
  state: 'text',
  failures: 'integer',
  attempts: 'integer',
  next_at: 'timestamptz',
  leased_until: 'timestamptz',
  ctime: 'timestamptz',
  mtime: 'timestamptz',
} as const

async function findEventsBySeq(
  tx: Queryable,
  corp_id: string,
  numbers: number[],
): Promise<Map<number, StoredEvent>> {
  if (numbers.length === 0) return new Map()
  const rows = await tx.query<StoredEvent>(sql`
    select seq, event_id, type, ${microseconds('at')} as at, record_type, record_id, version, changed, related,
           actor_kind, actor_id, request_id
      from events where corp_id = ${corp_id} and seq = any(${numbers}::bigint[])`)
  return new Map(rows.map((event) => [event.seq, event]))
}

/** The outcome of an attempt. */
export interface Outcome extends Attempt {
  seq: number
  state: DeliveryState
  failures: number
  next_at: Date
  /** The receiver asked for a pause. */
  pausedUntil: Date | undefined
}

/**
 * Stores the outcomes of attempts, and the health of the endpoint. A delivery that another process has taken since stays as
 * it is. Returns when the failures of the endpoint began; null if its last attempt succeeded.
 */
export async function recordOutcomes(
  on: Queryable,
  corp_id: string,
  endpoint_id: string,
  outcomes: Outcome[],
): Promise<Date | null> {
  const ended = outcomes.map((each) => ({ ...each, mtime: endOf(each) }))
  const health = healthOf(outcomes)
  const [, , rows] = await on.pipeline<[object, object, { failing_since: Date | null }]>([
    sql`
      update webhook_deliveries d
         set state = o.state, failures = o.failures, next_at = o.next_at, leased_until = null, error = o.error,
             status = o.status, mtime = o.mtime
        from ${sentRows('o', outcomeColumns, ended)}
       where d.corp_id = ${corp_id} and d.endpoint_id = ${endpoint_id} and d.seq = o.seq and d.attempts = o.attempt
         and d.state = 'waiting'
      returning 1`,
    ...insertingRows(
      'webhook_attempts',
      attemptColumns,
      corp_id,
      outcomes.map(({ seq, attempt, at, duration_ms, error, status, response }) => ({
        ...{ endpoint_id, seq, attempt, at, duration_ms, error, status, response },
      })),
    ),
    sql`
      update webhook_cursors
         set delivered_at = greatest(delivered_at, ${health.deliveredAt}::timestamptz),
             failed_at = greatest(failed_at, ${health.failedAt}::timestamptz),
             error = coalesce(${health.error}, error),
             status = case when ${health.error}::text is null then status else ${health.status}::integer end,
             paused_until = greatest(paused_until, ${health.pausedUntil}::timestamptz),
             failing_since = case when ${health.hasSuccess}::boolean then ${health.failingSince}::timestamptz
                                  else coalesce(failing_since, ${health.failingSince}::timestamptz) end
       where corp_id = ${corp_id} and endpoint_id = ${endpoint_id}
      returning failing_since`,
  ])
  return rows[0]?.failing_since ?? null
}

const outcomeColumns = {
  seq: 'bigint',
  attempt: 'integer',
  state: 'text',
  failures: 'integer',
  next_at: 'timestamptz',
  error: 'text',
  status: 'integer',
  mtime: 'timestamptz',
} as const

const attemptColumns = {
  endpoint_id: 'text',
  seq: 'bigint',
  attempt: 'integer',
  at: 'timestamptz',
  duration_ms: 'integer',
  error: 'text',
  status: 'integer',
  response: 'text',
} as const

function endOf({ at, duration_ms }: Attempt): Date {
  return new Date(at.getTime() + duration_ms)
}

/** The health of the endpoint after outcomes in this order. */
function healthOf(outcomes: Outcome[]) {
  const lastSuccess = outcomes.findLastIndex(({ error }) => error === null)
  const success = outcomes[lastSuccess]
  const failure = outcomes.findLast(({ error }) => error !== null)
  const firstFailure = outcomes.slice(lastSuccess + 1)[0]
  const pauses = outcomes.flatMap(({ pausedUntil }) => pausedUntil?.getTime() ?? [])
  return {
    hasSuccess: success !== undefined,
    deliveredAt: success ? endOf(success) : null,
    failedAt: failure ? endOf(failure) : null,
    error: failure?.error ?? null,
    status: failure?.status ?? null,
    failingSince: firstFailure ? endOf(firstFailure) : null,
    pausedUntil: pauses.length > 0 ? new Date(Math.max(...pauses)) : null,
  }
}

/** Ends the leases of deliveries that this process took and did not attempt. */
export async function releaseDeliveries(
  on: Queryable,
  corp_id: string,
  endpoint_id: string,
  deliveries: ClaimedDelivery[],
  now: Date,
): Promise<void> {
  if (deliveries.length === 0) return
  await on.query(sql`
    update webhook_deliveries d set next_at = ${now}, leased_until = null
      from ${sentRows('r', { seq: 'bigint', attempt: 'integer' }, deliveries)}
     where d.corp_id = ${corp_id} and d.endpoint_id = ${endpoint_id} and d.seq = r.seq and d.attempts = r.attempt
       and d.state = 'waiting'
    returning 1`)
}

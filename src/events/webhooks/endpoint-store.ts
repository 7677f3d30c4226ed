import type { SealedSecret } from '../../access/organizations/secret-store.ts'
import type { Queryable } from '../../database/database.ts'
import { raw, sql } from '../../database/sql.ts'

/** A webhook endpoint as it is stored. */
export interface Endpoint {
  endpoint_id: string
  url: string
  /** Patterns such as order.* or *. */
  types: string[]
  description: string
  is_enabled: boolean
  disabled_reason: DisabledReason | null
  disabled_at: Date | null
  version: number
  ctime: Date
  mtime: Date
}

export const disabledReasons = ['failing', 'gone', 'paused'] as const
export type DisabledReason = (typeof disabledReasons)[number]

const columns = raw(`
  e.endpoint_id, e.url, e.types, e.description, e.is_enabled, e.disabled_reason, e.disabled_at, e.version, e.ctime,
  e.mtime`)

/** Adds an endpoint that receives the events after `seq`. */
export async function insertEndpoint(
  tx: Queryable,
  corp_id: string,
  endpoint: Endpoint,
  seq: number,
): Promise<void> {
  const { endpoint_id, url, types, description, is_enabled, version, ctime, mtime } = endpoint
  await tx.pipeline([
    sql`
      insert into webhook_endpoints (corp_id, endpoint_id, url, types, description, is_enabled, version, ctime, mtime)
      values (${corp_id}, ${endpoint_id}, ${url}, ${types}, ${description}, ${is_enabled}, ${version}, ${ctime}, ${mtime})
      returning endpoint_id`,
    sql`
      insert into webhook_cursors (corp_id, endpoint_id, seq) values (${corp_id}, ${endpoint_id}, ${seq}::bigint)
      returning endpoint_id`,
  ])
  tx.note({ record_type: 'webhook_endpoints', record_id: endpoint_id, after: endpoint })
}

export async function countEndpoints(on: Queryable, corp_id: string): Promise<number> {
  const rows = await on.query(sql`select 1 from webhook_endpoints where corp_id = ${corp_id}`)
  return rows.length
}

export async function findEndpoint(
  on: Queryable,
  corp_id: string,
  endpoint_id: string,
): Promise<Endpoint | undefined> {
  const [endpoint] = await on.query<Endpoint>(sql`
    select ${columns} from webhook_endpoints e where e.corp_id = ${corp_id} and e.endpoint_id = ${endpoint_id}`)
  return endpoint
}

/** The same, locked until the end of the transaction. */
export async function lockEndpoint(
  tx: Queryable,
  corp_id: string,
  endpoint_id: string,
): Promise<Endpoint | undefined> {
  const [endpoint] = await tx.query<Endpoint>(sql`
    select ${columns} from webhook_endpoints e
     where e.corp_id = ${corp_id} and e.endpoint_id = ${endpoint_id} for update`)
  return endpoint
}

/** Stores the members of a locked endpoint that changed, as its next version. */
export async function changeEndpoint(
  tx: Queryable,
  corp_id: string,
  before: Endpoint,
  changes: Partial<Endpoint>,
  now: Date,
): Promise<Endpoint> {
  const after: Endpoint = { ...before, ...changes, version: before.version + 1, mtime: now }
  await tx.query(sql`
    update webhook_endpoints
       set url = ${after.url}, types = ${after.types}, description = ${after.description},
           is_enabled = ${after.is_enabled}, disabled_reason = ${after.disabled_reason},
           disabled_at = ${after.disabled_at}, version = ${after.version}, mtime = ${after.mtime}
     where corp_id = ${corp_id} and endpoint_id = ${after.endpoint_id}
    returning endpoint_id`)
  tx.note({ record_type: 'webhook_endpoints', record_id: after.endpoint_id, before, after })
  return after
}

/** Removes a locked endpoint. Maintenance deletes its deliveries later. */
export async function deleteEndpoint(tx: Queryable, corp_id: string, endpoint: Endpoint): Promise<void> {
  const { endpoint_id } = endpoint
  await tx.pipeline([
    sql`delete from webhook_endpoints where corp_id = ${corp_id} and endpoint_id = ${endpoint_id} returning endpoint_id`,
    sql`delete from webhook_secrets where corp_id = ${corp_id} and endpoint_id = ${endpoint_id} returning endpoint_id`,
    sql`
      update webhook_cursors set is_removed = true where corp_id = ${corp_id} and endpoint_id = ${endpoint_id}
      returning endpoint_id`,
  ])
  tx.note({ record_type: 'webhook_endpoints', record_id: endpoint_id, before: endpoint })
}

/** A secret of an endpoint as it is stored. */
export interface EndpointSecret extends SealedSecret {
  endpoint_id: string
  secret_id: string
  ctime: Date
  /** Null: the current secret. */
  expires_at: Date | null
}

/** The name that seals the secrets of an endpoint. No account has it. */
export function sealNameOf(corp_id: string, endpoint_id: string): string {
  return `webhook:${corp_id}:${endpoint_id}`
}

/** Makes a secret the current one. The current one before it expires at `oldUntil`; earlier ones are deleted. */
export async function replaceSecret(
  tx: Queryable,
  corp_id: string,
  secret: EndpointSecret,
  oldUntil: Date,
): Promise<void> {
  const { endpoint_id, secret_id, secret_box, secret_key_id, ctime } = secret
  await tx.pipeline([
    sql`
      delete from webhook_secrets
       where corp_id = ${corp_id} and endpoint_id = ${endpoint_id} and expires_at is not null
      returning endpoint_id`,
    sql`
      update webhook_secrets set expires_at = ${oldUntil} where corp_id = ${corp_id} and endpoint_id = ${endpoint_id}
      returning endpoint_id`,
    sql`
      insert into webhook_secrets (corp_id, endpoint_id, secret_id, secret_box, secret_key_id, ctime)
      values (${corp_id}, ${endpoint_id}, ${secret_id}, ${secret_box}, ${secret_key_id}, ${ctime})
      returning endpoint_id`,
  ])
}

/** The valid secrets of all endpoints of an organization, the current ones first. */
export async function findSecrets(on: Queryable, corp_id: string, now: Date): Promise<EndpointSecret[]> {
  return on.query<EndpointSecret>(sql`
    select endpoint_id, secret_id, secret_box, secret_key_id, ctime, expires_at from webhook_secrets
     where corp_id = ${corp_id} and (expires_at is null or expires_at > ${now})
     order by endpoint_id, expires_at desc nulls first`)
}

/** Stores the resealed secret, unless it was deleted concurrently. */
export async function resealSecret(
  on: Queryable,
  corp_id: string,
  { endpoint_id, secret_id }: EndpointSecret,
  { secret_box, secret_key_id }: SealedSecret,
): Promise<void> {
  await on.query(sql`
    update webhook_secrets set secret_box = ${secret_box}, secret_key_id = ${secret_key_id}
     where corp_id = ${corp_id} and endpoint_id = ${endpoint_id} and secret_id = ${secret_id}
    returning endpoint_id`)
}

/** An endpoint with its progress and health. */
export interface EndpointHealth extends Endpoint {
  seq: number
  /** The number of the newest event of the feed. */
  newest: number
  paused_until: Date | null
  failing_since: Date | null
  delivered_at: Date | null
  failed_at: Date | null
  error: string | null
  status: number | null
  waiting: number
  dead: number
  old_secret_until: Date | null
}

/** Deliveries are counted up to this number. */
export const maxCounted = 10_000

/** The endpoints of an organization with their health, or one of them, the oldest first. */
export async function findEndpointHealth(
  on: Queryable,
  corp_id: string,
  now: Date,
  endpoint_id?: string,
): Promise<EndpointHealth[]> {
  const counted = (state: 'waiting' | 'dead') => sql`
    (select count(*) from (
       select 1 from webhook_deliveries d
        where d.corp_id = ${corp_id} and d.endpoint_id = e.endpoint_id and d.state = ${raw(`'${state}'`)}
        limit ${maxCounted}) counted)`
  return on.query<EndpointHealth>(sql`
    select ${columns}, c.seq, coalesce(f.length, 0) as newest, c.paused_until, c.failing_since, c.delivered_at, c.failed_at,
           c.error, c.status, ${counted('waiting')} as waiting, ${counted('dead')} as dead,
           (select max(s.expires_at) from webhook_secrets s
             where s.corp_id = ${corp_id} and s.endpoint_id = e.endpoint_id and s.expires_at > ${now}) as old_secret_until
      from webhook_endpoints e
      join webhook_cursors c on c.corp_id = ${corp_id} and c.endpoint_id = e.endpoint_id
      left join event_feeds f on f.corp_id = ${corp_id}
     where e.corp_id = ${corp_id} ${endpoint_id === undefined ? raw('') : sql`and e.endpoint_id = ${endpoint_id}`}
     order by e.ctime, e.endpoint_id`)
}

/** Continues a re-enabled endpoint without failures, at least after the event `seq`. */
export async function restartCursor(
  tx: Queryable,
  corp_id: string,
  endpoint_id: string,
  seq: number,
): Promise<void> {
  await tx.query(sql`
    update webhook_cursors set failing_since = null, paused_until = null, seq = greatest(seq, ${seq}::bigint)
     where corp_id = ${corp_id} and endpoint_id = ${endpoint_id}
    returning endpoint_id`)
}

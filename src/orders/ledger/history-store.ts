import type { OrderStatus } from '../../contract/order-statuses.ts'
import type { Origin } from '../../contract/origin.ts'
import type { AuditNote } from '../../database/audit-notes.ts'
import type { Queryable } from '../../database/database.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'
import { timestamp } from '../../database/sql-time.ts'
import {
  appendingLinks,
  type ChainEnd,
  type ChainedVersion,
  chainEndOf,
  contentHash,
  factsOfVersions,
  sinceBefore,
  textDigest,
} from './chain/chain-store.ts'
import type { FactTableName } from './chain/fact-tables.ts'
import type { LedgerInstant } from './ledger-clock-store.ts'

/** What happens to orders. */
export const orderChanges = [
  'created',
  'updated',
  'status',
  'payment',
  'refund',
  'void',
  'apply',
  'unapply',
  'transfer',
  'write_off',
  'remark',
  'expired',
  'merged',
  'unmerged',
  'undone',
  'erased',
] as const
export type OrderChange = (typeof orderChanges)[number]

/** What made a version of an order. */
export interface VersionCause {
  order_id: string
  at: LedgerInstant | Date
  change: OrderChange
  from_status: OrderStatus | null
  executor_id: string | null
  reason: string | null
  /** The payment, refund, transfer or remark that made the version. */
  subject_id: string | null
}

/** What an order shows of its user can be forgotten, so a version has a digest of it instead; so it has of texts. */
const unrecorded = ['user_copy', 'user_copy_salt', 'kept_copy_digest']

/** Versions on their way: what records them, and what chains them once that has answered. */
export interface Recording {
  record: Statement[]
  chain(answers: object[][]): Statement[]
}

/**
 * Keeps orders and their sub-orders as they are now, whole, as the versions they have reached, with the facts that came
 * with them, and chains them in the order of their instants. Whoever runs this holds the ledger's clock. To look for facts
 * in every table is a third of the work: whoever knows which tables have some names them.
 */
export function recordingVersions(
  corp_id: string,
  causes: VersionCause[],
  factTables?: FactTableName[],
): Recording {
  const orderIds = causes.map(({ order_id }) => order_id)
  const since = sinceBefore(corp_id, { order_id: 'o.order_id', version: 'o.version' })
  // The relations belong to the select: a cluster sends those of an insert to its nodes as they are.
  const recording = sql`
    insert into order_versions as v (corp_id, order_id, version, at, change, from_status, to_status, executor_id, reason,
                                     subject_id, record)
    with caused as materialized (
           select c.*, o.version, o.user_copy_salt as salt, ${since} as since
             from jsonb_to_recordset(${JSON.stringify(causes)}::jsonb)
                  as c (order_id text, at timestamptz, change text, from_status text, executor_id text, reason text,
                        subject_id text)
             join orders o on o.corp_id = ${corp_id} and o.order_id = any(${orderIds}) and o.order_id = c.order_id),
         came as materialized (${factsOfVersions(corp_id, raw('caused'), orderIds, factTables)})
    select o.corp_id, o.order_id, o.version, c.at, c.change, c.from_status, o.status, c.executor_id, c.reason, c.subject_id,
           jsonb_build_object('order', to_jsonb(o) - ${unrecorded}::text[], 'facts', coalesce(came.facts, '{}'),
             'reason', ${raw(textDigest('c.salt', 'c.reason'))},
             'sub_orders', coalesce((
               select jsonb_agg(to_jsonb(s) order by s.seq)
                 from sub_orders s where s.corp_id = ${corp_id} and s.order_id = o.order_id), '[]'))
      from caused c
      join orders o on o.corp_id = ${corp_id} and o.order_id = any(${orderIds}) and o.order_id = c.order_id
      left join came on came.order_id = c.order_id
    returning v.order_id, v.version, ${contentHash('v')} as content_hash`
  return {
    record: [recording, chainEndOf(corp_id)],
    chain(answers) {
      const [recorded, [end]] = answers as [Omit<ChainedVersion, 'at'>[], ChainEnd[]]
      if (!end) throw new Error(`The organization ${corp_id} has no ledger clock.`)
      const hashed = new Map(recorded.map((version) => [version.order_id, version]))
      const versions = inOrderOfInstants(causes).map(({ order_id, at }) => ({ ...hashed.get(order_id)!, at }))
      return appendingLinks(corp_id, end, versions).statements
    },
  }
}

export async function recordVersions(tx: Queryable, corp_id: string, causes: VersionCause[]): Promise<void> {
  const { record, chain } = recordingVersions(corp_id, causes)
  const answers = await tx.pipeline(record)
  const recorded = answers[0] as Omit<ChainedVersion, 'at'>[]
  tx.note(...recorded.map(({ order_id, version }) => versionNote(order_id, version, tx.origin)))
  await tx.pipeline(chain(answers))
}

/** What the audit has of a change of an order: the version says the rest. */
export function versionNote(
  order_id: string,
  version: number,
  origin: Origin,
  action: NonNullable<AuditNote['action']> = version === 1 ? 'made' : 'changed',
): AuditNote {
  return { record_type: 'orders', record_id: order_id, version, origin, action }
}

function inOrderOfInstants(causes: VersionCause[]): VersionCause[] {
  const placeOf = ({ order_id, at }: VersionCause) =>
    `${typeof at === 'string' ? at : at.toISOString()} ${order_id}`
  return causes.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
}

/** The version that a change made. */
export interface MadeVersion {
  version: number
  to_status: OrderStatus
}

/** The versions that payments or refunds made when they came, by their ids: who asks again is answered alike. */
export async function findVersionsOf(
  on: Queryable,
  corp_id: string,
  subjects: { order_id: string; subject_id: string }[],
): Promise<Map<string, MadeVersion>> {
  if (subjects.length === 0) return new Map()
  const rows = await on.query<MadeVersion & { subject_id: string }>(sql`
    select subject_id, version, to_status from order_versions
     where corp_id = ${corp_id} and order_id = any(${subjects.map(({ order_id }) => order_id)})
       and change in ('payment', 'refund') and subject_id = any(${subjects.map(({ subject_id }) => subject_id)})`)
  return new Map(rows.map(({ subject_id, ...version }) => [subject_id, version]))
}

/** A version of an order as it was recorded, and the record before it. */
export interface RecordedVersion {
  total: number
  version: number
  at: string
  change: OrderChange
  from_status: string | null
  to_status: string
  executor_id: string | null
  reason: string | null
  subject_id: string | null
  /** What a remark says; empty once its user was erased. */
  remark: string | null
  record: VersionRecord
  previous: VersionRecord | null
}

export interface VersionRecord {
  order: Record<string, unknown>
  sub_orders: Record<string, unknown>[]
  /** The rows of facts that came with the version, by their tables. */
  facts: Record<string, Record<string, unknown>[]>
}

export async function listVersions(
  on: Queryable,
  key: { corp_id: string; order_id: string },
  page: { limit: number; offset: number },
  timeZone: string,
): Promise<RecordedVersion[]> {
  return on.query<RecordedVersion>(sql`
    select count(*) over () as total, v.version, ${timestamp('v.at', timeZone)} as at, v.change, v.from_status, v.to_status,
           v.executor_id, v.reason, v.subject_id, v.record,
           (select m.content from order_remarks m
             where v.change = 'remark' and m.corp_id = ${key.corp_id} and m.remark_id = v.subject_id) as remark,
           (select before.record from order_versions before
             where before.corp_id = ${key.corp_id} and before.order_id = v.order_id
               and before.version = v.version - 1) as previous
      from order_versions v
     where v.corp_id = ${key.corp_id} and v.order_id = ${key.order_id}
     order by v.version
     limit ${page.limit} offset ${page.offset}`)
}

export async function countVersions(
  on: Queryable,
  key: { corp_id: string; order_id: string },
): Promise<number> {
  const [row] = await on.query<{ total: number }>(sql`
    select count(*) as total from order_versions where corp_id = ${key.corp_id} and order_id = ${key.order_id}`)
  return row!.total
}

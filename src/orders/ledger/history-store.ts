import type { OrderStatus } from '../../contract/order-statuses.ts'
import type { Origin } from '../../contract/origin.ts'
import type { AuditNote } from '../../database/audit-notes.ts'
import type { Queryable } from '../../database/database.ts'
import { firstRow } from '../../database/first-row.ts'
import { raw, type Statement, sql, timestamp } from '../../database/sql.ts'
import {
  appendingLinks,
  type ChainEnd,
  type ChainedVersion,
  chainEndOf,
  contentHash,
  factsOfVersion,
  sinceBefore,
  textDigest,
} from './chain/chain-store.ts'
import type { FactTableName } from './chain/fact-tables.ts'
import type { LedgerInstant } from './ledger-clock-store.ts'
import { orderColumnNames } from './order-write-store.ts'

/** The kinds of changes that make a version of an order. */
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
  'move',
  'reversal',
  'remark',
  'expired',
  'merged',
  'unmerged',
  'undone',
  'erased',
] as const
export type OrderChange = (typeof orderChanges)[number]

/** The change that made a version of an order. */
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

/**
 * The columns of an order that its versions hold, and the digest of the erasable copy instead of the copy. They are named,
 * because removing the copy from the complete row takes half of the time of a record.
 */
const recordedColumns = raw(
  ['corp_id', ...orderColumnNames, 'user_copy_digest']
    .filter((name) => name !== 'user_copy' && name !== 'user_copy_salt')
    .join(', '),
)

/** The statements that record versions, and those that then chain them by the rows of the former. */
export interface Recording {
  record: { [Name in keyof RecordedRows]: Statement }
  chain(rows: { [Name in keyof RecordedRows]: RecordedRows[Name][] }): Statement[]
}

/** The rows of the statements that record versions. */
export type RecordedRows = { recorded: Omit<ChainedVersion, 'at'>; ends: ChainEnd }

/**
 * Records orders and their sub-orders as new versions, with their new facts, and chains the versions in the order of
 * their instants. The caller holds the ledger's clock. Searching every fact table takes a third of the time, so a caller
 * that knows the tables with new facts names them.
 */
export function recordingVersions(
  corp_id: string,
  causes: VersionCause[],
  factTables?: FactTableName[],
): Recording {
  const since = sinceBefore(corp_id, { order_id: 'o.order_id', version: 'o.version' })
  const orderOf = (columns: Statement) => sql`
    cross join lateral (
      select ${columns} from orders where corp_id = ${corp_id} and order_id = c.order_id offset 0) o`
  // The CTE belongs to the select: Citus sends those of an insert to its nodes unchanged.
  const recording = sql`
    insert into order_versions as v (corp_id, order_id, version, at, change, from_status, to_status, executor_id, reason,
                                     subject_id, record)
    with caused as materialized (
           select c.*, o.user_copy_salt as salt, ${since} as since
             from jsonb_to_recordset(${JSON.stringify(causes)}::jsonb)
                  as c (order_id text, at timestamptz, change text, from_status text, executor_id text, reason text,
                        subject_id text)
             ${orderOf(raw('order_id, version, user_copy_salt'))})
    select o.corp_id, o.order_id, o.version, c.at, c.change, c.from_status, o.status, c.executor_id, c.reason, c.subject_id,
           jsonb_build_object('order', o, 'facts', ${factsOfVersion(corp_id, 'c', factTables)},
             'reason', ${raw(textDigest('c.salt', 'c.reason'))},
             'sub_orders', coalesce((
               select jsonb_agg(s order by s.seq)
                 from sub_orders s where s.corp_id = ${corp_id} and s.order_id = c.order_id), '[]'))
      from caused c
      ${orderOf(recordedColumns)}
    returning v.order_id, v.version, ${contentHash('v')} as content_hash`
  return {
    record: { recorded: recording, ends: chainEndOf(corp_id) },
    chain({ recorded, ends }) {
      const hashed = new Map(recorded.map((version) => [version.order_id, version]))
      const versions = causes.flatMap(({ order_id, at }) => {
        const version = hashed.get(order_id)
        return version ? [{ ...version, at }] : []
      })
      return appendingLinks(corp_id, firstRow(ends), inOrderOfInstants(versions)).statements
    },
  }
}

export async function recordVersions(tx: Queryable, corp_id: string, causes: VersionCause[]): Promise<void> {
  const { record, chain } = recordingVersions(corp_id, causes)
  const rows = await tx.pipeline<RecordedRows>(record)
  tx.note(...rows.recorded.map(({ order_id, version }) => versionNote(order_id, version, tx.origin)))
  await tx.pipeline(chain(rows))
}

/** The audit's note of a changed order. The version has the details. */
export function versionNote(
  order_id: string,
  version: number,
  origin: Origin,
  action: NonNullable<AuditNote['action']> = version === 1 ? 'made' : 'changed',
): AuditNote {
  return { record_type: 'orders', record_id: order_id, version, origin, action }
}

function inOrderOfInstants(versions: ChainedVersion[]): ChainedVersion[] {
  const placeOf = ({ order_id, at }: ChainedVersion) =>
    `${typeof at === 'string' ? at : at.toISOString()} ${order_id}`
  return versions.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
}

/** The version that a change made. */
export interface MadeVersion {
  version: number
  to_status: OrderStatus
}

/** The versions that payments or refunds made, by their ids: a repeated call gets the first response again. */
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

/** The highest listed price that each order ever had. */
export async function findFullPrices(
  on: Queryable,
  corp_id: string,
  orderIds: string[],
): Promise<Map<string, number>> {
  const rows = await on.query<{ order_id: string; listed_price: number }>(sql`
    select order_id, max((record->'order'->>'listed_price')::bigint) as listed_price
      from order_versions
     where corp_id = ${corp_id} and order_id = any(${orderIds})
     group by order_id`)
  return new Map(rows.map(({ order_id, listed_price }) => [order_id, listed_price]))
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
  /** The text of a remark; empty after the erasure of its user. */
  remark: string | null
  record: VersionRecord
  previous: VersionRecord | null
}

export interface VersionRecord {
  order: Record<string, unknown>
  sub_orders: Record<string, unknown>[]
  /** The facts of the version, by table. */
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
  const rows = await on.query<{ total: number }>(sql`
    select count(*) as total from order_versions where corp_id = ${key.corp_id} and order_id = ${key.order_id}`)
  return firstRow(rows).total
}

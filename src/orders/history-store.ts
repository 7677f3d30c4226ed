import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { timestamp } from '../database/sql-time.ts'

/** A version of an order as it was recorded, and the record before it. */
export interface RecordedVersion {
  total: number
  version: number
  at: string
  change: string
  from_status: string | null
  to_status: string
  executor_id: string | null
  reason: string | null
  subject_id: string | null
  record: VersionRecord
  previous: VersionRecord | null
}

export interface VersionRecord {
  order: Record<string, unknown>
  sub_orders: Record<string, unknown>[]
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

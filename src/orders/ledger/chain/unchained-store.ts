import type { Queryable } from '../../../database/database.ts'
import { raw, sql } from '../../../database/sql.ts'
import { microseconds } from '../../../database/sql-time.ts'
import { type ChainedVersion, contentHash, factsOfVersions, sinceBefore, textDigest } from './chain-store.ts'

/** Versions that were made before there was a chain. */

export interface VersionPlace {
  order_id: string
  version: number
  at: string
}

/** An organization without a clock has no versions either. */
export async function isChained(on: Queryable, corp_id: string): Promise<boolean> {
  const rows = await on.query(sql`
    select 1 from ledger_clocks where corp_id = ${corp_id} and chain_length is null`)
  return rows.length === 0
}

export async function countUnchained(tx: Queryable, corp_id: string): Promise<number> {
  const [row] = await tx.query<{ total: number }>(sql`
    select count(*) as total from order_versions where corp_id = ${corp_id}`)
  return row!.total
}

/** The next versions in the order of the chain. */
export async function unchainedAfter(
  tx: Queryable,
  corp_id: string,
  last: VersionPlace | undefined,
  limit: number,
): Promise<VersionPlace[]> {
  const behind = last
    ? sql`and (v.at, v.order_id, v.version) > (${last.at}::timestamptz, ${last.order_id}, ${last.version}::integer)`
    : raw('')
  return tx.query<VersionPlace>(sql`
    select v.order_id, v.version, ${microseconds('v.at')} as at
      from order_versions v
     where v.corp_id = ${corp_id} ${behind}
     order by v.at, v.order_id, v.version
     limit ${limit}`)
}

/** Puts the facts that came with versions, and the digest of their reason, into their records; returns them in the order given. */
export async function addFacts(
  tx: Queryable,
  corp_id: string,
  places: VersionPlace[],
): Promise<ChainedVersion[]> {
  const orderIds = [...new Set(places.map(({ order_id }) => order_id))]
  const since = sinceBefore(corp_id, { order_id: 'n.order_id', version: 'n.version' })
  const came = await tx.query<{ order_id: string; version: number; added: string }>(sql`
    with places as materialized (
           select n.*, o.user_copy_salt as salt, ${since} as since
             from jsonb_to_recordset(${JSON.stringify(places)}::jsonb)
                  as n (order_id text, version integer, at timestamptz)
             join orders o on o.corp_id = ${corp_id} and o.order_id = n.order_id),
         came as materialized (${factsOfVersions(corp_id, raw('places'), orderIds)})
    select n.order_id, n.version,
           jsonb_build_object('facts', coalesce(came.facts, '{}'),
                              'reason', ${raw(textDigest('n.salt', 'v.reason'))})::text as added
      from places n
      join order_versions v on v.corp_id = ${corp_id} and v.order_id = n.order_id and v.version = n.version
      left join came on came.order_id = n.order_id and came.version = n.version`)
  const hashed = await tx.query<Omit<ChainedVersion, 'at'>>(sql`
    update order_versions v
       set record = v.record || came.added::jsonb
      from jsonb_to_recordset(${JSON.stringify(came)}::jsonb) as came (order_id text, version integer, added text)
     where v.corp_id = ${corp_id} and v.order_id = came.order_id and v.version = came.version
    returning v.order_id, v.version, ${contentHash('v')} as content_hash`)
  const byPlace = new Map(hashed.map((version) => [`${version.order_id} ${version.version}`, version]))
  return places.map(({ order_id, version, at }) => ({ ...byPlace.get(`${order_id} ${version}`)!, at }))
}

import type { Database, Queryable } from '../../src/database/database.ts'
import { raw } from '../../src/database/sql.ts'
import {
  appendLinks,
  type ChainEnd,
  type ChainedVersion,
  contentHash,
  factsOfVersion,
  sinceBefore,
  textDigest,
} from '../../src/orders/ledger/chain/chain-store.ts'
import { ownSql as sql } from './own-sql.ts'

const batchSize = 500

type VersionPlace = Pick<ChainedVersion, 'order_id' | 'version'> & { at: string }

/**
 * Recreates the chain of an organization from its versions, for versions that a test inserted or manipulated by SQL.
 * It works as the owner of the tables, who may change versions.
 */
export async function chainVersions(owner: Database, corp_id: string): Promise<void> {
  await owner.of(corp_id).transaction(async (tx) => {
    await tx.query(sql`delete from ledger_chain where corp_id = ${corp_id}`)
    const places = await tx.query<VersionPlace>(sql`
      select order_id, version, at::text as at
        from order_versions where corp_id = ${corp_id} order by order_versions.at, order_id, version`)
    let end: ChainEnd = { head: '', length: 0 }
    for (let from = 0; from < places.length; from += batchSize) {
      const versions = await addFacts(tx, corp_id, places.slice(from, from + batchSize))
      end = await appendLinks(tx, corp_id, end, versions)
    }
  })
}

/** Adds the facts of versions, and the digest of their reason, to their records. */
async function addFacts(tx: Queryable, corp_id: string, places: VersionPlace[]): Promise<ChainedVersion[]> {
  const since = sinceBefore(corp_id, { order_id: 'n.order_id', version: 'n.version' })
  const hashed = await tx.query<Omit<ChainedVersion, 'at'>>(sql`
    with places as materialized (
           select n.order_id, n.version, n.at, o.user_copy_salt as salt, ${since} as since
             from jsonb_to_recordset(${JSON.stringify(places)}::jsonb)
                  as n (order_id text, version integer, at timestamptz)
             join orders o on o.corp_id = ${corp_id} and o.order_id = n.order_id)
    update order_versions v
       set record = v.record || jsonb_build_object('facts', ${factsOfVersion(corp_id, 'n')},
                                                   'reason', ${raw(textDigest('n.salt', 'v.reason'))})
      from places n
     where v.corp_id = ${corp_id} and v.order_id = n.order_id and v.version = n.version
    returning v.order_id, v.version, ${contentHash('v')} as content_hash`)
  const byPlace = new Map(hashed.map((version) => [`${version.order_id} ${version.version}`, version]))
  return places.map(({ order_id, version, at }) => ({ ...byPlace.get(`${order_id} ${version}`)!, at }))
}

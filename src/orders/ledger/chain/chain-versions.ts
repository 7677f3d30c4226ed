import { listOrganizations } from '../../../access/organizations/organization-store.ts'
import type { Database, Queryable } from '../../../database/database.ts'
import { holdClock } from '../ledger-clock-store.ts'
import { appendLinks, type ChainEnd } from './chain-store.ts'
import { addFacts, countUnchained, isChained, unchainedAfter, type VersionPlace } from './unchained-store.ts'

const batchSize = 500

/** How far the chaining of an organization's versions has come. */
export type ChainProgress = (corp_id: string, versions: number, total: number) => void

/**
 * Chains the versions of organizations that have none of it, since a version of the service before the chain has made
 * them; returns which. Each is one transaction, and servers that start together do each once. By the owner of the
 * tables: old versions get their facts here, which nobody else may write into them.
 */
export async function chainVersions(db: Database, report: ChainProgress = () => {}): Promise<string[]> {
  const chained: string[] = []
  for (const { corp_id } of await listOrganizations(db.shared)) {
    const on = db.of(corp_id)
    if (await isChained(on, corp_id)) continue
    const isMine = await on.transaction(async (tx) => {
      await holdClock(tx, corp_id)
      if (await isChained(tx, corp_id)) return false
      await chainAll(tx, corp_id, report)
      return true
    })
    if (isMine) chained.push(corp_id)
  }
  return chained
}

async function chainAll(tx: Queryable, corp_id: string, report: ChainProgress): Promise<void> {
  const total = await countUnchained(tx, corp_id)
  let end: ChainEnd = { head: '', length: 0 }
  for (let last: VersionPlace | undefined; ; ) {
    const places = await unchainedAfter(tx, corp_id, last, batchSize)
    if (places.length === 0) break
    end = await appendLinks(tx, corp_id, end, await addFacts(tx, corp_id, places))
    last = places.at(-1)!
    report(corp_id, end.length, total)
  }
  if (end.length === 0) await appendLinks(tx, corp_id, end, [])
}

import type { Database } from '../../database/database.ts'
import { listOrganizations } from '../organizations/organization-store.ts'
import { appendAuditLinks, hasWaitingEntries, holdEnd } from './audit-chain-store.ts'

/** The chain of what concerns no single organization. */
export const ofNoOrganization = ''

export const linkBatchSize = 1000

/**
 * Adds the entries that wait to the end of their organization's chain; returns how many. It links the entries that it
 * finds, never a range of ids or times: an entry that commits late is found late, and is not missed. One linker of an
 * organization works at a time, on any number of servers; writers wait for nobody.
 */
export async function linkEntries(
  db: Database,
  corp_id: string,
  mostBatches = Number.POSITIVE_INFINITY,
): Promise<number> {
  const on = db.of(corp_id)
  if (!(await hasWaitingEntries(on, corp_id))) return 0
  let linked = 0
  for (let batch = 0; batch < mostBatches; batch++) {
    const found = await on.transaction(async (tx) => {
      const { end, entries } = await holdEnd(tx, corp_id, linkBatchSize)
      if (entries.length > 0) await appendAuditLinks(tx, corp_id, end, entries)
      return entries.length
    })
    linked += found
    if (found < linkBatchSize) break
  }
  return linked
}

/** All that have a chain: the organizations, and what concerns none. */
export async function chainedCorpIds(db: Database): Promise<string[]> {
  const organizations = await listOrganizations(db.shared)
  return [ofNoOrganization, ...organizations.map(({ corp_id }) => corp_id)]
}

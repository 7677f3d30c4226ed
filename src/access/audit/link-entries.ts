import type { Database, Queryable } from '../../database/database.ts'
import { listOrganizations } from '../organizations/organization-store.ts'
import { appendAuditLinks, type ChainedEntry, hasWaitingEntries, lockEnd } from './audit-chain-store.ts'

/** The chain of entries that concern no single organization. */
export const ofNoOrganization = ''

export const linkBatchSize = 1000

/** New links of a chain: these entries, after the link with this number. */
export interface NewLinks {
  after: number
  entries: ChainedEntry[]
}

/** Called in the transaction that appends links. */
export type FollowLinks = (tx: Queryable, corp_id: string, links: NewLinks) => Promise<void>

/** Appends the waiting entries, if there are any, to the chain of their organization. Returns their number. */
export async function linkEntries(
  db: Database,
  corp_id: string,
  maxBatches?: number,
  follow?: FollowLinks,
): Promise<number> {
  if (!(await hasWaitingEntries(db.of(corp_id), corp_id))) return 0
  return linkWaiting(db, corp_id, maxBatches, follow)
}

/**
 * Appends the waiting entries to the chain of their organization. Returns their number. It links the entries that it finds,
 * not a range of ids or times, so that an entry that commits late is not missed. One linker per organization works at a
 * time, on any number of servers. Writers never wait for it.
 */
export async function linkWaiting(
  db: Database,
  corp_id: string,
  maxBatches = Number.POSITIVE_INFINITY,
  follow?: FollowLinks,
): Promise<number> {
  const on = db.of(corp_id)
  let linked = 0
  for (let batch = 0; batch < maxBatches; batch++) {
    const found = await on.transaction(async (tx) => {
      const { end, entries } = await lockEnd(tx, corp_id, linkBatchSize)
      if (entries.length === 0) return 0
      await appendAuditLinks(tx, corp_id, end, entries)
      await follow?.(tx, corp_id, { after: end.length, entries })
      return entries.length
    })
    linked += found
    if (found < linkBatchSize) break
  }
  return linked
}

/** The organizations, and the chain that concerns none. */
export async function chainedCorpIds(db: Database): Promise<string[]> {
  const organizations = await listOrganizations(db.shared)
  return [ofNoOrganization, ...organizations.map(({ corp_id }) => corp_id)]
}

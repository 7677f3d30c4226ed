import type { ChainedEntry } from '../access/audit/audit-chain-store.ts'
import { type NewLinks, ofNoOrganization } from '../access/audit/link-entries.ts'
import type { Database, Queryable } from '../database/database.ts'
import { notingModified } from '../search/modified-record-store.ts'
import { eventsOf } from './derive-events.ts'
import {
  appendEvents,
  findingLinkedEntries,
  findPresent,
  isFeedBehind,
  type LockedFeed,
  lockFeed,
  readChanges,
  type StoredEvent,
} from './feed-store.ts'
import { modifiedBy } from './modified-records.ts'

const batchSize = 1000

/*
 * The chain of the audit has every committed entry once, in an order that never changes. The feed follows it link by link,
 * so it has neither gaps nor duplicates. One process per organization does this at a time, on any number of servers.
 * Writers never wait for it.
 */

/** Adds the events of links that the feed has not followed. Returns the number of events. */
export async function addEvents(
  db: Database,
  corp_id: string,
  maxBatches = Number.POSITIVE_INFINITY,
): Promise<number> {
  const on = db.of(corp_id)
  if (!(await isFeedBehind(on, corp_id))) return 0
  let added = 0
  for (let batch = 0; batch < maxBatches; batch++) {
    const { links, events } = await on.transaction(async (tx) => {
      const feed = await lockFeed(tx, corp_id)
      const entries = await tx.query<ChainedEntry & { seq: number }>(
        findingLinkedEntries(corp_id, feed.linked, batchSize),
      )
      const linked = entries.at(-1)?.seq ?? feed.linked
      return { links: entries.length, events: await append(tx, corp_id, { ...feed, linked }, entries) }
    })
    added += events
    if (links < batchSize) break
  }
  return added
}

/**
 * Adds the events of new links in the transaction that appends the links, which has read their entries. Returns the number
 * of events. A feed that is behind is left to `addEvents`.
 */
export async function followLinks(
  tx: Queryable,
  corp_id: string,
  { after, entries }: NewLinks,
): Promise<number> {
  if (corp_id === ofNoOrganization) return 0
  const feed = await lockFeed(tx, corp_id)
  if (feed.linked !== after) return 0
  return append(tx, corp_id, { ...feed, linked: after + entries.length }, entries)
}

/** `linked` is the number of the last entry. */
async function append(
  tx: Queryable,
  corp_id: string,
  { length, linked, modified_at }: LockedFeed,
  entries: ChainedEntry[],
): Promise<number> {
  if (entries.length === 0) return 0
  const events: StoredEvent[] = []
  for (const change of await readChanges(tx, corp_id, entries))
    for (const [index, event] of eventsOf(change).entries())
      events.push({
        ...event,
        seq: length + events.length + 1,
        event_id: `${change.entry_id}-${index + 1}`,
        at: change.at,
        actor_kind: change.actor_kind,
        actor_id: change.actor_id,
        request_id: change.request_id,
      })
  const { records, last } = modifiedBy(events, modified_at)
  const end = { length: length + events.length, linked, modified_at: last }
  await appendEvents(
    tx,
    corp_id,
    events,
    end,
    notingModified(corp_id, await findPresent(tx, corp_id, records)),
  )
  return events.length
}

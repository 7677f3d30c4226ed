import type { Database } from '../database/database.ts'
import { notingModified } from '../search/modified-record-store.ts'
import { eventsOf } from './derive-events.ts'
import { appendEvents, findPresent, isFeedBehind, lockFeed, type StoredEvent } from './feed-store.ts'
import { modifiedBy } from './modified-records.ts'

const batchSize = 1000

/**
 * Adds the events of linked audit entries to the feed of their organization. Returns their number. The chain of the audit
 * has every committed entry once, in an order that never changes. The feed follows it link by link, so it has neither gaps
 * nor duplicates. One process per organization does this at a time, on any number of servers. Writers never wait for it.
 */
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
      const { length, modified_at, changes } = await lockFeed(tx, corp_id, batchSize)
      const last = changes.at(-1)
      if (!last) return { links: 0, events: 0 }
      const numbered: StoredEvent[] = []
      for (const change of changes)
        for (const [index, event] of eventsOf(change).entries())
          numbered.push({
            ...event,
            seq: length + numbered.length + 1,
            event_id: `${change.entry_id}-${index + 1}`,
            at: change.at,
            actor_kind: change.actor_kind,
            actor_id: change.actor_id,
            request_id: change.request_id,
          })
      const { records, last: lastModified } = modifiedBy(numbered, modified_at)
      const end = { length: length + numbered.length, linked: last.seq, modified_at: lastModified }
      const noting = notingModified(corp_id, await findPresent(tx, corp_id, records))
      await appendEvents(tx, corp_id, numbered, end, noting)
      return { links: changes.length, events: numbered.length }
    })
    added += events
    if (links < batchSize) break
  }
  return added
}

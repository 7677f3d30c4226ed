import type { Database } from '../database/database.ts'
import { eventsOf } from './derive-events.ts'
import { appendEvents, isFeedBehind, lockFeed, type StoredEvent } from './feed-store.ts'

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
      const { length, changes } = await lockFeed(tx, corp_id, batchSize)
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
      await appendEvents(tx, corp_id, numbered, { length: length + numbered.length, linked: last.seq })
      return { links: changes.length, events: numbered.length }
    })
    added += events
    if (links < batchSize) break
  }
  return added
}

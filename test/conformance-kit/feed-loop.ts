import { linkEntries } from '../../src/access/audit/link-entries.ts'
import { addEvents } from '../../src/events/add-events.ts'
import type { TestServer } from '../harness/server.ts'

/** Adds events to the feed of the sample school until it is stopped, as the maintenance of a server does. */
export function startFeed(server: TestServer): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { corp_id } = server.sample
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await linkEntries(server.db, corp_id)
      if ((await addEvents(server.db, corp_id)) > 0) server.wakeReaders([corp_id])
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  })()
  return {
    stop() {
      stopping.abort()
      return running
    },
  }
}

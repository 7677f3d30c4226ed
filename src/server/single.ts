import type { Logger } from 'pino'
import { feedLength } from '../events/feed-store.ts'
import { FeedWaiters } from '../events/feed-waiters.ts'
import { listen } from './listen.ts'
import { createServerMemory } from './server-memory.ts'
import { createServingProcess, type Parts, type Served, type ServerSettings } from './serving-process.ts'

/** Serves in this process. */
export async function serveAlone(
  parts: Omit<Parts, 'memory' | 'waiters'>,
  settings: ServerSettings,
  log: Logger,
): Promise<Served> {
  const memory = createServerMemory()
  const waiters = new FeedWaiters(memory.waitingPlaces, (corp_id) => feedLength(parts.db, corp_id))
  let beside = async () => ''
  const metricsBeside = () => beside()
  const { http, reload, drain, end } = await createServingProcess(
    { ...parts, memory, waiters, metricsBeside },
    settings,
    log,
  )
  try {
    const baseUrl = await listen(http.server, settings)
    log.info({ url: baseUrl }, 'listening')
    const addMetrics = (read: () => Promise<string>) => {
      beside = read
    }
    return { baseUrl, drain, end, wakeReaders: waiters.wake, addMetrics, reload }
  } catch (error) {
    await end()
    throw error
  }
}

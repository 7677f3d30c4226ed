import type pg from 'pg'

/** Limits how long queries wait for the database. */
interface QueryTimeouts {
  /** Calls `giveUp` when the query times out. Call the returned function when the query ends. */
  watch(giveUp: (error: Error) => void): () => void
}

const everyMs = 250

/**
 * One timer for all queries. pg starts one per query, which keeps its rows until the old generation is collected: reads by
 * id took 10 % longer, and a process used three times the memory.
 */
function createQueryTimeouts(longestMs: number): QueryTimeouts {
  const watched = new Set<{ endsAtMs: number; giveUp(error: Error): void }>()
  let isScheduled = false

  function endOverdue(): void {
    isScheduled = false
    const now = performance.now()
    // All have the same limit, so they time out in the order of their start.
    for (const query of watched) {
      if (query.endsAtMs > now) break
      watched.delete(query)
      query.giveUp(new Error('Query read timeout'))
    }
    schedule()
  }

  function schedule(): void {
    if (isScheduled || watched.size === 0) return
    isScheduled = true
    setTimeout(endOverdue, everyMs).unref()
  }

  return {
    watch(giveUp) {
      const query = { endsAtMs: performance.now() + longestMs, giveUp }
      watched.add(query)
      schedule()
      return () => watched.delete(query)
    },
  }
}

const timeouts = new WeakMap<pg.ClientBase, QueryTimeouts>()

/** Sets the timeout of queries on all connections of a pool. */
export function limitQueries(pool: pg.Pool, longestMs: number): void {
  const ofPool = createQueryTimeouts(longestMs)
  pool.on('connect', (client) => timeouts.set(client, ofPool))
}

export function timeoutsOf(client: pg.ClientBase): QueryTimeouts | undefined {
  return timeouts.get(client)
}

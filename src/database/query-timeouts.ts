import type pg from 'pg'

/** Ends the wait for answers that do not come. */
interface QueryTimeouts {
  /** Calls it once the answer is overdue; returns what is to be called when the answer has come. */
  watch(giveUp: (error: Error) => void): () => void
}

const everyMs = 250

/**
 * One timer for all queries. pg would have one for each, and keep the rows of all of them until old memory is collected:
 * reading an order by its id took a tenth longer, and a process had three times the memory.
 */
function createQueryTimeouts(longestMs: number): QueryTimeouts {
  const watched = new Set<{ endsAtMs: number; giveUp(error: Error): void }>()
  let isTimed = false

  function endOverdue(): void {
    isTimed = false
    const now = performance.now()
    // All may take equally long, so they end in the order in which they came.
    for (const query of watched) {
      if (query.endsAtMs > now) break
      watched.delete(query)
      query.giveUp(new Error('Query read timeout'))
    }
    lookAgain()
  }

  function lookAgain(): void {
    if (isTimed || watched.size === 0) return
    isTimed = true
    setTimeout(endOverdue, everyMs).unref()
  }

  return {
    watch(giveUp) {
      const query = { endsAtMs: performance.now() + longestMs, giveUp }
      watched.add(query)
      lookAgain()
      return () => watched.delete(query)
    },
  }
}

const timeouts = new WeakMap<pg.ClientBase, QueryTimeouts>()

/** Limits how long the connections of a pool wait for an answer. */
export function limitQueries(pool: pg.Pool, longestMs: number): void {
  const ofPool = createQueryTimeouts(longestMs)
  pool.on('connect', (client) => timeouts.set(client, ofPool))
}

export function timeoutsOf(client: pg.ClientBase): QueryTimeouts | undefined {
  return timeouts.get(client)
}

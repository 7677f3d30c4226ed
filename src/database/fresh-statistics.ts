import type { Queryable } from './database.ts'
import { refreshOutgrown, refreshStatistics } from './schema-store.ts'

/** Fewer new records change no plan, and ANALYZE takes longer than to store them. */
const enoughRecords = 200

/**
 * PostgreSQL keeps plans made for small tables, those of foreign keys too, until the next ANALYZE. So an import runs
 * ANALYZE after its first new records, and again whenever their number has grown eightfold.
 */
export function freshStatistics(db: Queryable, tables?: string[]) {
  let [records, next] = [0, enoughRecords]
  return {
    /** `stored` is waited for first, where the records are not stored yet. */
    async noteRecords(count: number, stored?: Promise<unknown>): Promise<void> {
      records += count
      if (records < next) return
      next = 8 * records
      await stored
      await refreshStatistics(db, tables)
    },
  }
}

const lookIntervalMs = 1000

/**
 * The same for everything that a server stores. The role of the server may not analyze tables, so `owner` is a connection of
 * their owner.
 */
export function outgrownStatistics(owner: Queryable, intervalMs = lookIntervalMs) {
  let nextAtMs = Number.NEGATIVE_INFINITY
  return {
    /** To be called whenever records were stored. */
    async noteRecords(): Promise<void> {
      if (performance.now() < nextAtMs) return
      nextAtMs = performance.now() + intervalMs
      await refreshOutgrown(owner)
    },
  }
}

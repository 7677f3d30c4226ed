import type { Queryable } from './database.ts'
import { refreshStatistics } from './schema-store.ts'

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

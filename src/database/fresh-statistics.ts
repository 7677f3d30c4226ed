import type { Queryable } from './database.ts'
import { refreshStatistics } from './schema-store.ts'

/**
 * PostgreSQL keeps plans made for small tables, those of foreign keys too, until the next ANALYZE. So an import runs
 * ANALYZE after the first batch of new records, and again whenever their number has grown eightfold.
 */
export function freshStatistics(db: Queryable, tables?: string[]) {
  let [batches, next] = [0, 1]
  return {
    /** `stored` is waited for first, where the batch is still under way. */
    async noteBatch(isGrowing: boolean, stored?: Promise<unknown>): Promise<void> {
      if (!isGrowing || ++batches < next) return
      next *= 8
      await stored
      await refreshStatistics(db, tables)
    },
  }
}

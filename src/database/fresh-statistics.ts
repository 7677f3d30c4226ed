import type { Queryable } from './database.ts'
import { refreshStatistics } from './schema-store.ts'

/**
 * PostgreSQL keeps the plans it made for small tables, those of foreign keys too, until it hears how they grow: an import
 * tells it after the first batch of new records and each time eight times as many have come.
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

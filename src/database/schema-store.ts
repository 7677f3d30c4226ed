import type { Queryable } from './database.ts'
import { raw, sql } from './sql.ts'
import { tenantTables } from './tables.ts'

/** The number of the newest migration that the database has. */
export async function currentSchema(on: Queryable): Promise<number> {
  const [row] = await on.query<{ id: number }>(sql`select max(id) as id from schema_migrations`)
  return row!.id
}

/** Tells the planner what was loaded just now; by itself it would find out within minutes, and plan badly till then. */
export async function refreshStatistics(on: Queryable): Promise<void> {
  await on.query(sql`analyze ${raw(tenantTables.join(', '))}`)
}

/**
 * PostgreSQL keeps the plans it made for small tables, those of foreign keys too, until it hears how they grow: it is
 * told after the first batch of new rows and each time eight times as many have come.
 */
export function statisticsOfGrowth(on: Queryable) {
  let [batches, next] = [0, 1]
  return {
    async noteBatch(isGrowing: boolean): Promise<void> {
      if (!isGrowing || ++batches < next) return
      next *= 8
      await refreshStatistics(on)
    },
  }
}

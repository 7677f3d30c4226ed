import type { Queryable } from './database.ts'
import { raw, sql } from './sql.ts'
import { tenantTables } from './tables.ts'

/** The number of the newest migration that the database has. */
export async function currentSchema(on: Queryable): Promise<number> {
  const [row] = await on.query<{ id: number }>(sql`select max(id) as id from schema_migrations`)
  return row!.id
}

/** Tells the planner what was loaded just now; by itself it would find out within minutes, and plan badly till then. */
export async function refreshStatistics(
  on: Queryable,
  tables: readonly string[] = tenantTables,
): Promise<void> {
  await on.query(sql`analyze ${raw(tables.join(', '))}`)
}

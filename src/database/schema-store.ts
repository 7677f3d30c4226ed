import type { Queryable } from './database.ts'
import { raw, sql } from './sql.ts'
import { tenantTables } from './tables.ts'

/** The version of the schema that the database has. */
export async function currentSchema(on: Queryable): Promise<number> {
  const [row] = await on.query<{ id: number }>(sql`select max(id) as id from schema_migrations`)
  return row!.id
}

/** Tables of this size are not analyzed again: it takes longer than it helps. */
const largeTable = 100_000

/**
 * Analyzes tables that were small and have just been loaded. Autovacuum would do so within minutes, and plans would be
 * bad until then.
 */
export async function refreshStatistics(
  on: Queryable,
  tables: readonly string[] = tenantTables,
): Promise<void> {
  const small = await on.query<{ name: string }>(sql`
    select oid::regclass::text as name from pg_class
     where oid = any(${[...tables]}::text[]::regclass[]) and reltuples < ${largeTable}`)
  if (small.length > 0) await on.query(sql`analyze ${raw(small.map(({ name }) => name).join(', '))}`)
}

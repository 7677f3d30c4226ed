import type { Queryable } from './database.ts'
import { sql } from './sql.ts'

/** The number of the newest migration that the database has. */
export async function currentSchema(on: Queryable): Promise<number> {
  const [row] = await on.query<{ id: number }>(sql`select max(id) as id from schema_migrations`)
  return row!.id
}

import type { Queryable } from './database.ts'
import { sql } from './sql.ts'

/** The role of statements, and whether it bypasses row-level security. */
export async function currentRole(
  on: Queryable,
): Promise<{ rolname: string; bypasses_rls: boolean } | undefined> {
  const [role] = await on.query<{ rolname: string; bypasses_rls: boolean }>(
    sql`select rolname, rolsuper or rolbypassrls as bypasses_rls from pg_roles where rolname = current_user`,
  )
  return role
}

import type { Queryable } from './database.ts'
import { raw, sql } from './sql.ts'
import { tenantTables } from './tables.ts'

/** The version of the schema that the database has, and the version that a server must know to write to it. */
export async function currentSchema(on: Queryable): Promise<{ schema: number; oldest_writer: number }> {
  const [row] = await on.query<{ schema: number; oldest_writer: number }>(sql`
    select id as schema, coalesce(oldest_writer, id) as oldest_writer from schema_migrations order by id desc limit 1`)
  return row!
}

/** Tables of this size are not analyzed again: it takes longer than it helps. */
const largeTable = 100_000

/**
 * Analyzes tables that were small and have just been loaded. Autovacuum would do so within minutes, and plans would be
 * bad until then. PostgreSQL skips tables of another owner: for the role of the server, this does nothing.
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

/** Analyzes tables that have at least doubled since. Returns their names. The caller is the owner of the tables. */
export async function refreshOutgrown(
  on: Queryable,
  tables: readonly string[] = tenantTables,
): Promise<string[]> {
  const outgrown = await on.query<{ name: string }>(sql`
    select c.oid::regclass::text as name
      from pg_class c join pg_stat_user_tables s on s.relid = c.oid
     where c.oid = any(${[...tables]}::text[]::regclass[])
       and c.reltuples < ${largeTable} and s.n_live_tup >= 100 and s.n_live_tup >= 2 * c.reltuples`)
  const names = outgrown.map(({ name }) => name)
  if (names.length > 0) await on.query(sql`analyze ${raw(names.join(', '))}`)
  return names
}

/** The role of statements, and whether it bypasses row-level security. */
export async function currentRole(
  on: Queryable,
): Promise<{ rolname: string; bypasses_rls: boolean } | undefined> {
  const [role] = await on.query<{ rolname: string; bypasses_rls: boolean }>(
    sql`select rolname, rolsuper or rolbypassrls as bypasses_rls from pg_roles where rolname = current_user`,
  )
  return role
}

/** The WAL position of the primary. */
export async function readPrimaryPosition(on: Queryable): Promise<string> {
  const [row] = await on.query<{ position: string }>(sql`select pg_current_wal_lsn()::text as position`)
  return row!.position
}

/**
 * The number of these ascending positions that a replica has replayed. Throws if the database is not a replica, since a
 * writable copy proves nothing, and if row-level security would not apply to the reader.
 */
export async function readReplicaStanding(on: Queryable, positions: string[]): Promise<number> {
  const [row] = await on.query<{ is_replica: boolean; bypasses_rls: boolean; reached: number }>(sql`
    select pg_is_in_recovery() as is_replica,
           (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as bypasses_rls,
           (select count(*)::integer from unnest(${positions}::pg_lsn[]) as position
             where position <= pg_last_wal_replay_lsn()) as reached`)
  if (!row!.is_replica || row!.bypasses_rls) throw new Error('The replica cannot be used.')
  return row!.reached
}

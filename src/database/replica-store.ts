import type { Queryable } from './database.ts'
import { sql } from './sql.ts'

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

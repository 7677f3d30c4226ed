import type { Queryable } from './database.ts'
import { sql } from './sql.ts'

/** How far the primary has written its log. */
export async function readPrimaryPosition(on: Queryable): Promise<string> {
  const [row] = await on.query<{ position: string }>(sql`select pg_current_wal_lsn()::text as position`)
  return row!.position
}

/**
 * How many of these positions, which ascend, a replica has replayed. Throws where it is none, since a copy that takes
 * writes of its own proves nothing, and where row-level security would not confine whoever reads there.
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

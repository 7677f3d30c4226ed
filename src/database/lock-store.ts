import type { Queryable } from './queryable.ts'
import { sql } from './sql.ts'

/** Sessions of this database that wait for a lock right now. */
export interface LockWaits {
  waiting: number
  /** The longest of these waits so far. */
  longest_seconds: number
}

export async function readLockWaits(on: Queryable): Promise<LockWaits> {
  const [row] = await on.query<LockWaits>(sql`
    select count(*) as waiting,
           coalesce(max(extract(epoch from clock_timestamp() - l.waitstart)), 0)::double precision as longest_seconds
      from pg_locks l
      join pg_stat_activity a on a.pid = l.pid
     where not l.granted and a.datname = current_database()`)
  return row!
}

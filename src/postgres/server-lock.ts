import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

// Any constant. It must be the same in all versions that may use one data folder.
const SERVER_LOCK = 7_281_940_113

/** Takes the lock that one server holds per data folder; it is released when the connection ends. */
export async function takeServerLock(client: pg.Client, patience: number): Promise<boolean> {
  const deadline = Date.now() + patience
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [SERVER_LOCK])
    if (rows[0].taken) return true
    if (Date.now() >= deadline) return false
    await pause(100)
  }
}

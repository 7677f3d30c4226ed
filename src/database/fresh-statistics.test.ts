import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { openLedger } from '../../test/harness/ledger.ts'
import { outgrownStatistics } from './fresh-statistics.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

async function knownRows(table: string): Promise<number> {
  const { rows } = await database.superuser.query(`select reltuples from pg_class where relname = $1`, [
    table,
  ])
  return rows[0].reltuples
}

test('a table that has outgrown its statistics is analyzed, and no other', async () => {
  const { corp_id } = await openLedger(database)
  // A session reports its rows to the statistics at the end of a transaction, or some seconds later.
  const store = (prefix: string, count: number) =>
    database.superuser.query(`
      insert into modified_records (corp_id, list, id, time)
      select '${corp_id}', 'users', '${prefix}' || n, now() from generate_series(1, ${count}) n;
      select pg_stat_force_next_flush()`)
  const statistics = outgrownStatistics(database.owner.shared, 0)
  const look = async () => {
    await statistics.noteRecords()
    return knownRows('modified_records')
  }

  await store('a', 300)
  await expect.poll(look, { timeout: 30_000 }).toBeGreaterThanOrEqual(300)
  expect(await knownRows('leads')).toBe(-1)
  const known = await knownRows('modified_records')

  await store('b', 100)
  await store('c', 1000)
  await expect.poll(look, { timeout: 30_000 }).toBeGreaterThanOrEqual(known + 1100)
})

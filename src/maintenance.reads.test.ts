import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../test/harness/database.ts'
import { testKeyring } from '../test/harness/keyring.ts'
import { openLedger, type TestLedger } from '../test/harness/ledger.ts'
import { linkEntries } from './access/audit/link-entries.ts'
import { type Database, openDatabase } from './database/database.ts'
import { maintainOnce } from './maintenance.ts'
import { createUser } from './people/users/create-user.ts'

/** Enough records to make reading all of them visible. */
const orders = 100
const few = 20

let database: TestDatabase
let ledger: TestLedger
beforeAll(async () => {
  database = await createTestDatabase()
  ledger = await openLedger(database)
  for (let n = 0; n < orders; n++)
    await ledger.order({ installment_count: 3, first_payment_deadline: '2030-01-31' })
  await inProcessOfItsOwn(work)
  await database.superuser.query('vacuum analyze')
})
afterAll(() => database.drop())

/** The work of a server in every second, and in every half minute. */
async function work(db: Database): Promise<void> {
  await linkEntries(db, ledger.corp_id)
  await maintainOnce(db, new Date(), pino({ level: 'silent' }), new AbortController().signal, testKeyring)
}

/** PostgreSQL counts the reads of a session at its end, at the latest. */
async function inProcessOfItsOwn(run: (db: Database) => Promise<void>): Promise<void> {
  const db = openDatabase({ ...database.appOptions, max: 2 })
  await run(db)
  await db.close()
}

async function rowsRead(): Promise<Map<string, number>> {
  const { rows } = await database.superuser.query<{ name: string; read: string }>(`
    select relname as name, seq_tup_read + coalesce(idx_tup_fetch, 0) +
           (select coalesce(sum(idx_tup_read), 0) from pg_stat_user_indexes i where i.relid = t.relid) as read
      from pg_stat_user_tables t`)
  return new Map(rows.map(({ name, read }) => [name, Number(read)]))
}

test('without due work, background work reads almost nothing, for any number of records', async () => {
  const before = await rowsRead()
  await inProcessOfItsOwn(work)
  const after = await rowsRead()
  const read = Array.from(after, ([name, count]) => [name, count - before.get(name)!] as const)
  expect(read.filter(([, count]) => count > few)).toEqual([])
})

test('linking one entry reads almost nothing, for any number of entries', async () => {
  await ledger.run(createUser, { email: 'one@example.com' })
  const before = await rowsRead()
  await inProcessOfItsOwn(async (db) => expect(await linkEntries(db, ledger.corp_id)).toBe(1))
  const after = await rowsRead()
  const read = Array.from(after, ([name, count]) => [name, count - before.get(name)!] as const)
  expect(read.filter(([, count]) => count > few)).toEqual([])
})

import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../test/harness/ledger.ts'
import { keepDerivedData } from './keep-derived-data.ts'

let database: TestDatabase
let school: TestLedger
beforeAll(async () => {
  database = await createTestDatabase()
  school = await openLedger(database)
  await school.order()
})
afterAll(() => database.drop())

async function note(name: string, fingerprint: string): Promise<void> {
  await database.superuser.query(
    'update derived_data_versions set fingerprint = $3 where corp_id = $1 and name = $2',
    [school.corp_id, name, fingerprint],
  )
}

async function noted(name: string): Promise<string> {
  const { rows } = await database.superuser.query(
    'select fingerprint from derived_data_versions where corp_id = $1 and name = $2',
    [school.corp_id, name],
  )
  return rows[0].fingerprint
}

test('data of earlier versions is rebuilt, as often as it appears; data of a later version is left alone', async () => {
  const own = await noted('profiles')
  await note('profiles', 'earlier')
  const stopping = new AbortController()
  const running = keepDerivedData(database.app, pino({ level: 'silent' }), stopping.signal, 10)
  await expect.poll(() => noted('profiles')).toBe(own)
  await note('profiles', 'later')
  await note('orders', 'mixed')
  await note('facets', 'unknown')
  await expect.poll(() => noted('facets')).not.toBe('unknown')
  await note('profiles', 'earlier')
  await expect.poll(() => noted('profiles')).toBe(own)
  await note('profiles', 'later')
  await note('facets', 'unknown')
  await expect.poll(() => noted('facets')).not.toBe('unknown')
  expect(await noted('profiles')).toBe('later')
  // This server derived all its orders. Another version has written since, and repairs its own rows.
  expect(await noted('orders')).toBe('mixed')
  stopping.abort()
  await running
})

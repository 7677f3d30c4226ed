import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { dueDays, rangeIn } from '../../../test/harness/check-range.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { newId } from '../../contract/new-id.ts'
import { createUser } from '../../people/users/create-user.ts'
import { createKeyring } from '../organizations/keyring.ts'
import type { CheckExtent } from './verified-heads.ts'
import { type AuditReport, verifyAudit } from './verify-audit.ts'

let database: TestDatabase
let school: TestLedger

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** A school with a full check of its audit, and a few later entries. */
beforeEach(async () => {
  school = await openLedger(database)
  for (let n = 0; n < 3; n++) await addEntry()
  await verify('full')
})

const addEntry = () => school.run(createUser, { email: `${newId()}@example.com` })
const superuser = (text: string) => database.superuser.query(text, [school.corp_id])

async function verify(extent: CheckExtent = 'due', more = {}): Promise<AuditReport> {
  return verifyAudit(database.app, school.corp_id, { range: rangeIn(database, extent, more) })
}

const seqOf = async (at: 'first' | 'last'): Promise<number> => {
  const order = at === 'first' ? 'min' : 'max'
  const { rows } = await superuser(`select ${order}(seq)::int as seq from audit_links where corp_id = $1`)
  return rows[0].seq
}

const change = async (seq: number) =>
  superuser(
    `update audit_entries set operation = 'none' where corp_id = $1
        and entry_id = (select entry_id from audit_links where corp_id = $1 and seq = ${seq})`,
  )

test('a check starts at the last verified head, and reports the time of the last full check', async () => {
  const [first] = (await verify()).chains
  await addEntry()
  const { entries, total, chains } = await verify()
  expect(total).toBe(0)
  expect(chains[0]).toMatchObject({ from: first!.length, full_at: first!.full_at })
  expect(entries).toBe(chains[0]!.length - first!.length)
  expect(entries).toBeGreaterThan(0)
  expect(chains[0]!.length).toBe((await verify()).chains[0]!.from)
})

test('a change after the verified head is found; the head stays where it was, so the change is found again', async () => {
  await addEntry()
  const { chains } = await verify('full')
  await addEntry()
  await verifyAudit(database.app, school.corp_id)
  await change(await seqOf('last'))
  for (let n = 0; n < 2; n++)
    expect(await verify()).toMatchObject({ total: 1, chains: [{ from: chains[0]!.length }] })
})

test('a change before the verified head is found by a full check, which is due after a week', async () => {
  await change(await seqOf('first'))
  expect(await verify()).toMatchObject({ total: 0 })
  expect((await verify()).chains[0]!.from).toBeGreaterThan(0)
  expect(await verify('full')).toMatchObject({ total: 1, chains: [{ from: 0 }] })
  expect(await verify('due', { daysFromNow: dueDays - 0.01 })).toMatchObject({ total: 0 })
  expect(await verify('due', { daysFromNow: dueDays })).toMatchObject({ total: 1, chains: [{ from: 0 }] })
})

test('a rewritten or truncated chain no longer has the verified head', async () => {
  const [{ length } = { length: 0 }] = (await verify()).chains
  const remove = `delete from audit_entries where corp_id = $1
                     and entry_id = (select entry_id from audit_links where corp_id = $1 and seq = 2)`
  await superuser(remove)
  for (const table of ['links', 'heads', 'waiting'])
    await superuser(`delete from audit_${table} where corp_id = $1`)
  await superuser(
    'insert into audit_waiting (corp_id, at, entry_id) select corp_id, at, entry_id from audit_entries where corp_id = $1',
  )
  // The new chain is consistent in itself.
  expect(await verifyAudit(database.app, school.corp_id)).toMatchObject({ total: 0 })
  expect((await verify('recent')).total).toBeGreaterThan(0)
  const { breaches } = await verify('full')
  expect(breaches[0]).toMatchObject({
    what: expect.stringContaining('links were removed'),
    found: `${length - 1}`,
  })
})

test('a note that this installation did not seal for this chain is ignored', async () => {
  const other = await openLedger(database)
  const note = (text: string, ...more: unknown[]) =>
    database.superuser.query(
      `insert into verified_heads (corp_id, chain, secret_box, secret_key_id) ${text}
       on conflict (corp_id, chain) do update set secret_box = excluded.secret_box, secret_key_id = excluded.secret_key_id`,
      more,
    )
  await change(await seqOf('first'))
  expect(await verify()).toMatchObject({ total: 0 })
  const foreign = createKeyring([Buffer.alloc(32, 9)])
  await verifyAudit(database.app, other.corp_id, { range: rangeIn(database, 'full') })
  const copied = `select $1, 'audit', secret_box, secret_key_id from verified_heads where corp_id = $2 and chain = 'audit'`
  await note(copied, school.corp_id, other.corp_id)
  expect(await verify()).toMatchObject({ total: 1, chains: [{ from: 0 }] })
  await superuser('delete from verified_heads where corp_id = $1')
  expect(await verify()).toMatchObject({ total: 1, chains: [{ from: 0 }] })
  // Another installation, or replaced keys.
  expect(await verify('due', { keyring: foreign })).toMatchObject({ total: 1, chains: [{ from: 0 }] })
})

test('a recent check without an earlier one covers the end of the chain, notes nothing and says so', async () => {
  await superuser('delete from verified_heads where corp_id = $1')
  const { chains, entries } = await verify('recent')
  expect(entries).toBe(0)
  expect(chains[0]).toMatchObject({ from: chains[0]!.length, verified_at: null, full_at: null })
  expect(await verify()).toMatchObject({ chains: [{ from: 0 }] })
})

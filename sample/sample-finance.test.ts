import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFirstSteps, firstSteps } from '../src/backoffice/console/today-store.ts'
import { checkLedger } from '../src/backoffice/finance/check-ledger.ts'
import { createTestDatabase, type TestDatabase } from '../test/harness/database.ts'
import { testKeyring } from '../test/harness/keyring.ts'
import { loadSample, sampleCorpId } from './load-sample.ts'
import { addFinance } from './sample-finance.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  const now = new Date()
  await loadSample(database.owner, testKeyring, async () => {}, {
    now,
    add: (tx, school) => addFinance(tx, school, now),
  })
})
afterAll(() => database?.drop())

const read = async (text: string) => (await database.superuser.query(text)).rows
const count = async (table: string, condition = 'true') =>
  (await read(`select count(*)::int as count from ${table} where ${condition}`))[0].count

test('the finance office of the sample has something on every screen', async () => {
  expect(await read('select kind, name from payers order by kind desc')).toMatchObject([
    { kind: 'parent' },
    { kind: 'employer' },
  ])
  const paidFor = await read(`
    select y.kind, count(distinct a.order_id)::int as orders, count(distinct o.user_id)::int as people
      from payers y join payments p using (corp_id, payer_id) join payment_allocations a using (corp_id, payment_id)
      join orders o on o.corp_id = a.corp_id and o.order_id = a.order_id
     group by y.kind order by y.kind`)
  expect(paidFor).toEqual([
    { kind: 'employer', orders: 3, people: 3 },
    { kind: 'parent', orders: 2, people: 2 },
  ])
  const states =
    'select state, count(*)::int as lines from statement_line_states group by state order by state'
  expect(await read(states)).toEqual([
    { state: 'booked', lines: 1 },
    { state: 'matched', lines: 2 },
    { state: 'open', lines: 3 },
  ])
  expect(await count('completed_statements')).toBe(2)
  const documents = await read('select kind from documents order by kind')
  expect(documents.map(({ kind }) => kind)).toEqual(['credit_note', 'invoice', 'receipt'])
  expect(await count('payment_requests', 'revoked_at is null and expires_at > now()')).toBe(1)
  expect(await count('approval_requests', `kind = 'refund'`)).toBe(1)
  expect(await count('approval_decisions')).toBe(0)
  expect(await count('closings')).toBe(1)
  expect(await count('cash_up_lines', 'reason is not null')).toBe(1)
})

test('it has done all first steps of a school', async () => {
  const done = await findFirstSteps(database.app.of(sampleCorpId), sampleCorpId)
  expect(Object.values(done)).toEqual(firstSteps.map(() => true))
})

test('its books balance', async () => {
  const { total, discrepancies } = await checkLedger(database.app, sampleCorpId)
  expect([total, discrepancies]).toEqual([0, []])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { rangeIn } from '../../../test/harness/check-range.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import type { CheckExtent } from '../../access/audit/verified-heads.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { checkLedger } from './check-ledger.ts'

let database: TestDatabase
let school: TestLedger
/** An order without a change since the last check, and one with a change. */
let old: { order_id: string; payment_id: string }
let recent: { order_id: string; payment_id: string }

beforeAll(async () => {
  database = await createTestDatabase()
  school = await openLedger(database)
  old = await paidOrder()
  await check('full')
  recent = await paidOrder()
})
afterAll(() => database.drop())

async function paidOrder() {
  const { order_id } = await school.order()
  const { payment_id } = await school.run(createPayment, { order_id, price: 10_000 })
  return { order_id, payment_id }
}

/** Checks without noting, so that every test begins at the same head. */
async function check(extent: CheckExtent = 'due') {
  const range = rangeIn(database, extent)
  return checkLedger(database.app, school.corp_id, {
    range: extent === 'full' ? range : { ...range, keep: async () => {} },
  })
}

/** As an attacker who may write the whole database. */
async function tamper(text: string, id: string): Promise<() => Promise<void>> {
  const client = await database.superuser.connect()
  const run = async (statement: string, ...given: string[]) => {
    await client.query(`set session_replication_role = 'replica'`)
    await client.query(statement, given)
  }
  await run('create temp table if not exists kept_payments as select * from payments')
  await run('create temp table if not exists kept_versions as select * from order_versions')
  await run(text, id)
  return async () => {
    for (const [table, kept] of Object.entries({
      payments: 'kept_payments',
      order_versions: 'kept_versions',
    })) {
      await run(`delete from ${table}`)
      await run(`insert into ${table} select * from ${kept}`)
    }
    await client.query('reset session_replication_role')
    client.release()
  }
}

test('only the orders that have changed since the verified head are checked', async () => {
  expect(await check()).toMatchObject({ orders: 1, total: 0, chains: [{ from: 2, length: 4 }] })
  expect(await checkLedger(database.app, school.corp_id)).toMatchObject({ orders: 2, chains: [{ from: 0 }] })
})

test.each([
  ['a payment', 'update payments set order_price = order_price + 1 where payment_id = $1', 'payment_id'],
  ['a version', `update order_versions set record = record || '{"x": 1}' where order_id = $1`, 'order_id'],
  ['no version', 'delete from order_versions where order_id = $1', 'order_id'],
] as const)(
  '%s that was changed is found after the head at once, and before it by a full check',
  async (_, text, key) => {
    const restore = await tamper(text, recent[key])
    expect((await check()).total).toBeGreaterThan(0)
    await restore()
    const restoreOld = await tamper(text, old[key])
    expect(await check()).toMatchObject({ total: 0 })
    expect((await checkLedger(database.app, school.corp_id)).total).toBeGreaterThan(0)
    await restoreOld()
    expect(await check()).toMatchObject({ total: 0, discrepancies: [] })
  },
)

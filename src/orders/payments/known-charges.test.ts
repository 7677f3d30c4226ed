import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger } from '../../../test/harness/ledger.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { newId } from '../../contract/new-id.ts'
import { settleChanges } from '../change-orders.ts'
import { holdClock } from '../ledger/ledger-clock-store.ts'
import { type PaymentChange, paymentRule } from './create-payment.ts'
import { listPayments } from './list-payments.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** Two processes record it: each has read the charges before the other takes its instant. */
test('a charge of two orders at one instant, with and without its provider, is one payment', async () => {
  const school = await openLedger(database)
  const { corp_id } = school
  const db = database.app.of(corp_id)
  const orders = [await school.order(), await school.order()]
  const organization = { corp_id, time_zone: 'UTC' }
  const account = { app_id: 'tester', permissions: ['read', 'write', 'finance'] }
  const context = { db, organization, account, newId, now: new Date() } as unknown as OrganizationContext
  const record = ({ order_id }: { order_id: string }, provider?: string) => {
    const input = { corp_id, order_id, price: 7, charge_id: 'one', ...(provider && { provider }) }
    const change: PaymentChange = { order_id, context, input }
    return settleChanges({ db, corp_id, executor_id: 'tester' }, [change], paymentRule)
  }
  const recorded = await db.transaction(async (tx) => {
    await holdClock(tx, corp_id)
    const both = Promise.all([record(orders[0]!), record(orders[1]!, 'card')])
    await vi.waitFor(async () => expect(await waiting()).toBe(2), { timeout: 20_000, interval: 20 })
    return { both }
  })
  const outcomes = (await recorded.both).flat().map(({ status }) => status)
  expect(outcomes.sort()).toEqual(['fulfilled', 'rejected'])
  expect((await school.run(listPayments, {})).total).toBe(1)
  expect(await checkLedger(database.app, corp_id)).toMatchObject({ total: 0 })
})

/** The transactions that wait for the clock. */
async function waiting(): Promise<number> {
  const { rows } = await database.superuser.query(
    `select count(*)::integer as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%ledger_clocks%'`,
  )
  return rows[0].waiting
}

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger } from '../../../test/harness/ledger.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { applyPayment } from '../payments/apply-payment.ts'
import { createPayment } from '../payments/create-payment.ts'
import { unapplyPayment } from '../payments/unapply-payment.ts'
import { projectOrders } from './project-orders.ts'
import { findModel } from './read-model-store.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** A call without a change can share a transaction with a changing call. The model of both orders is read. */
test('an order that shares a payment with a changed order, and is already loaded, is counted once', async () => {
  const school = await openLedger(database)
  const { corp_id } = school
  const [one, other] = [await school.order(), await school.order()]
  const paid = { order_id: one.order_id, price: 1000, currency: 'USD', exchange_rate: 70_000 }
  const { payment_id } = await school.run(createPayment, paid)
  const given = { payment_id, order_id: one.order_id, price: 3000, reason: 'For the other course' }
  await school.run(unapplyPayment, given)
  await school.run(applyPayment, { payment_id, order_id: other.order_id, price: 3000 })
  await database.app.of(corp_id).transaction(async (tx) => {
    const model = await findModel(tx, corp_id, [one.order_id, other.order_id])
    await projectOrders(tx, corp_id, [one.order_id], { model })
  })
  expect(await checkLedger(database.app, corp_id)).toMatchObject({ total: 0, discrepancies: [] })
})

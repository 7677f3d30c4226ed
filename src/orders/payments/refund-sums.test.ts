import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { createPayment } from './create-payment.ts'
import { createRefund } from './create-refund.ts'
import { findRefundSums } from './refund-sums.ts'
import { transferMoney } from './transfer-money.ts'

let database: TestDatabase
let school: TestLedger
/** Money was transferred from each of them to the next. */
let orders: string[]
beforeAll(async () => {
  database = await createTestDatabase()
  school = await openLedger(database)
  orders = [await newOrder(), await newOrder(), await newOrder(), await newOrder()]
  await school.run(createPayment, { order_id: orders[0], price: 3000 })
  for (const [n, to_order_id] of orders.slice(1).entries())
    await school.run(transferMoney, {
      ...{ from_order_id: orders[n], to_order_id, price: 3000 - (n + 1) * 500, reason: 'Another course' },
    })
  for (const order_id of orders) await school.run(createRefund, { order_id, price: 100 })
})
afterAll(() => database.drop())

async function newOrder(): Promise<string> {
  return (await school.order({ listed_price: 3000, installment_count: 1 })).order_id
}

const sumOf = (order_id: string, most?: number) =>
  database.app
    .of(school.corp_id)
    .transaction(async (tx) =>
      (await findRefundSums(tx, school.corp_id, [order_id], most)).sum(order_id, 'CNY'),
    )

test('refunds of one order count for all connected orders, over any number of transfers', async () => {
  for (const order_id of orders) expect(await sumOf(order_id)).toBe(400)
  expect(await sumOf(await newOrder())).toBe(0)
})

test('beyond the maximum number of transfers, the sum is above every limit', async () => {
  for (const order_id of orders) expect(await sumOf(order_id, 3)).toBe(Number.POSITIVE_INFINITY)
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { fetchOrder } from '../listing/fetch-order.ts'
import { listOrders } from '../listing/list-orders.ts'
import { writeOffOrder } from '../write-off-order.ts'
import { applyPayment } from './apply-payment.ts'
import { createPayment } from './create-payment.ts'
import { createRefund } from './create-refund.ts'
import { listPayments } from './list-payments.ts'
import { transferMoney } from './transfer-money.ts'
import { unapplyPayment } from './unapply-payment.ts'
import { voidPayment } from './void-payment.ts'

let database: TestDatabase
let school: TestLedger

beforeAll(async () => {
  database = await createTestDatabase()
  school = await openLedger(database)
})
afterAll(async () => {
  expect(await checkLedger(database.app)).toMatchObject({ total: 0, discrepancies: [] })
  await database.drop()
})

const reason = 'By agreement'
const sell = async (listed_price: number, installment_count = 1) =>
  (await school.order({ listed_price, installment_count })).order_id
const pay = async (order_id: string, price: number) =>
  (await school.run(createPayment, { order_id, price })).payment_id as string
const refund = (order_id: string, price: number, more = {}) =>
  school.run(createRefund, { order_id, price, reason, ...more })
const unpaidOf = async (order_id: string) => (await school.run(fetchOrder, { order_id })).unpaid_price
const overpaidOf = async (order_id: string) => {
  const { list } = await school.run(listOrders, { page_size: 1000 })
  return list.find((row: { entity_id: string }) => row.entity_id === order_id).over_payment_price
}
const paymentOf = async (order_id: string, id: string) => {
  const { list } = await school.run(listPayments, { order_id, page_size: 1000 })
  return list.find(({ payment_id }: { payment_id: string }) => payment_id === id)
}

describe('refunded money is no longer held by its payment', () => {
  test('on any order: it cannot be unapplied, applied or refunded again', async () => {
    const order_id = await sell(100_000)
    const first = await pay(order_id, 50_000)
    const second = await pay(order_id, 50_000)
    await refund(order_id, 50_000, { payment_id: first })
    const named = { order_id, payment_id: first }
    await expect(school.run(unapplyPayment, named)).rejects.toMatchObject({ code: 40904 })
    await expect(school.run(applyPayment, named)).rejects.toMatchObject({ code: 40904 })
    await expect(refund(order_id, 1, { payment_id: first })).rejects.toMatchObject({ code: 40904 })
    await expect(school.run(voidPayment, { payment_id: first, reason })).rejects.toMatchObject({
      code: 40904,
    })
    expect(await paymentOf(order_id, first)).toMatchObject({ state: 'refunded', refund_price: 50_000 })
    expect(await paymentOf(order_id, second)).toMatchObject({ state: 'applied', refund_price: 0 })
  })

  test('and a transfer moves held money only: the other payment can still be voided', async () => {
    const [from, to] = [await sell(100_000), await sell(100_000)]
    const first = await pay(from, 50_000)
    const second = await pay(from, 50_000)
    await refund(from, 50_000, { payment_id: first })
    const transfer = { from_order_id: from, to_order_id: to, reason }
    await expect(school.run(transferMoney, { ...transfer, price: 50_001 })).rejects.toMatchObject({
      code: 40904,
    })
    await school.run(transferMoney, { ...transfer, price: 50_000 })
    expect((await paymentOf(from, second)).allocations).toHaveLength(1)
    await school.run(voidPayment, { payment_id: second, reason })
    expect((await school.run(fetchOrder, { order_id: to })).paid_price).toBe(0)
  })

  test('the oldest first if the refund names no payment, as the response shows', async () => {
    const order_id = await sell(100_000)
    const [first, second] = [await pay(order_id, 60_000), await pay(order_id, 40_000)]
    const { allocations, credited_price } = await refund(order_id, 70_000)
    expect(
      allocations.map((line: { payment_id: string; price: number }) => [line.payment_id, line.price]),
    ).toEqual([
      [first, 60_000],
      [second, 10_000],
    ])
    expect(credited_price).toBe(70_000)
    await refund(order_id, 30_000)
    for (const id of [first, second]) expect((await paymentOf(order_id, id)).state).toBe('refunded')
  })

  test('so that a chargeback voids the rest of a partly refunded payment', async () => {
    const order_id = await sell(100_000)
    const payment_id = await pay(order_id, 100_000)
    await refund(order_id, 30_000, { payment_id })
    const voided = await school.run(voidPayment, { payment_id, reason: 'Chargeback' })
    expect(voided).toMatchObject({ price: 70_000, state: 'void', order_status: 'pending' })
    const order = await school.run(fetchOrder, { order_id })
    expect(order).toMatchObject({ paid_price: 30_000, post_refund_price: 0, unpaid_price: 70_000 })
  })
})

describe('a refund beyond the surplus', () => {
  test('is a credit by default: the credited part is neither owed nor held', async () => {
    const order_id = await sell(100_000)
    await pay(order_id, 50_000)
    expect(await refund(order_id, 50_000)).toMatchObject({ credited_price: 50_000, order_status: 'pending' })
    expect(await unpaidOf(order_id)).toBe(50_000)
    await pay(order_id, 50_000)
    const order = await school.run(fetchOrder, { order_id })
    expect(order).toMatchObject({ status: 'success', total_price: 100_000, post_refund_price: 50_000 })
    expect([order.unpaid_price, await overpaidOf(order_id)]).toEqual([0, 0])
  })

  test('or a return, after which the debt is open again and the status moves back', async () => {
    const order_id = await sell(100_000)
    await pay(order_id, 100_000)
    expect(await refund(order_id, 50_000, { as: 'return' })).toMatchObject({
      credited_price: 0,
      order_status: 'pending',
    })
    expect(await unpaidOf(order_id)).toBe(50_000)
    expect(await refund(order_id, 50_000, { as: 'return' })).toMatchObject({ order_status: 'created' })
    expect(await unpaidOf(order_id)).toBe(100_000)
    await pay(order_id, 50_000)
    expect(await unpaidOf(order_id)).toBe(50_000)
  })

  test('takes the surplus first, and what is overpaid is never more than what is held', async () => {
    const order_id = await sell(100_000)
    await pay(order_id, 140_000)
    expect(await overpaidOf(order_id)).toBe(40_000)
    expect(await refund(order_id, 130_000)).toMatchObject({ credited_price: 90_000 })
    expect(await overpaidOf(order_id)).toBe(0)
    await pay(order_id, 10_000)
    expect(await overpaidOf(order_id)).toBe(10_000)
  })
})

describe('a write-off', () => {
  test('of a part leaves the rest owed; payments pay the debt first and reinstate nothing', async () => {
    const order_id = await sell(100_000, 2)
    await pay(order_id, 20_000)
    expect(await school.run(writeOffOrder, { order_id, price: 30_000, reason })).toMatchObject({
      price: 30_000,
      order_status: 'pending',
    })
    expect(await unpaidOf(order_id)).toBe(50_000)
    await expect(school.run(writeOffOrder, { order_id, price: 50_001, reason })).rejects.toMatchObject({
      code: 40904,
    })
    await pay(order_id, 50_000)
    expect(await school.run(fetchOrder, { order_id })).toMatchObject({ status: 'success', unpaid_price: 0 })
    await pay(order_id, 30_000)
    expect(await overpaidOf(order_id)).toBe(30_000)
  })

  test('never makes overpaid more than is held: only money beyond the rest to pay', async () => {
    const order_id = await sell(100_000)
    await pay(order_id, 60_000)
    await school.run(writeOffOrder, { order_id, reason })
    expect(await overpaidOf(order_id)).toBe(0)
    await pay(order_id, 10_000)
    expect(await overpaidOf(order_id)).toBe(10_000)
    // Of 70,000 held, 60,000 are due: a return takes the surplus first, then opens the debt.
    await refund(order_id, 65_000, { as: 'return' })
    expect([await unpaidOf(order_id), await overpaidOf(order_id)]).toEqual([55_000, 0])
    await pay(order_id, 58_000)
    expect(await overpaidOf(order_id)).toBe(3000)
    await refund(order_id, 63_000)
    expect([await unpaidOf(order_id), await overpaidOf(order_id)]).toEqual([0, 0])
  })
})

test('a payment is applied in parts', async () => {
  const [one, two] = [await sell(10_000), await sell(10_000)]
  const payment_id = await pay(one, 10_000)
  await school.run(unapplyPayment, { payment_id, order_id: one })
  expect(await school.run(applyPayment, { payment_id, order_id: two, price: 4000 })).toMatchObject({
    price: 4000,
  })
  const more = { payment_id, order_id: one, price: 6001 }
  await expect(school.run(applyPayment, more)).rejects.toMatchObject({ code: 40904 })
  expect(await paymentOf(one, payment_id)).toMatchObject({ state: 'applied', unapplied_price: 6000 })
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { explainOrder } from '../ledger/explain-order.ts'
import { fetchOrder } from '../listing/fetch-order.ts'
import { updateOrder } from '../update-order.ts'
import { updateStatus } from '../update-status.ts'
import { writeOffOrder } from '../write-off-order.ts'
import { applyPayment } from './apply-payment.ts'
import { createPayment } from './create-payment.ts'
import { createRefund } from './create-refund.ts'
import { listOrderMoney } from './list-order-money.ts'
import { reverseRefund } from './reverse-refund.ts'
import { reverseTransfer } from './reverse-transfer.ts'
import { reverseVoid } from './reverse-void.ts'
import { reverseWriteOff } from './reverse-write-off.ts'
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
const pay = (order_id: string, price: number, more = {}) =>
  school.run(createPayment, { order_id, price, ...more })
const planOf = (...prices: number[]) => ({
  listed_price: prices.reduce((all, price) => all + price, 0),
  installment_count: undefined,
  sub_orders: prices.map((total_price) => ({ total_price })),
})

interface Row {
  kind: string
  price: number
  claim_price: number
  held_price: number
  unpaid_price: number
  over_payment_price: number
  other_order_id: string
  receipt_num: number | null
  receipt_url: string
  reason: string
  charge_id: string
}

/** The rows sum line by line, and the last one agrees with the sums of the order and of its sub-orders. */
async function moneyOf(order_id: string): Promise<Row[]> {
  const { list, ...sums } = await school.run(listOrderMoney, { order_id, page_size: 1000 })
  const order = await school.run(fetchOrder, { order_id })
  const { prices } = await school.run(explainOrder, { order_id })
  let [held, claim] = [0, 0]
  for (const row of list as Row[]) {
    held += row.price
    claim += row.claim_price
    expect(row.held_price).toBe(held)
    if (row.kind !== 'status') expect(row.unpaid_price - row.over_payment_price).toBe(claim - held)
  }
  const sumOf = (name: string) =>
    order.sub_orders.reduce((all: number, each: Record<string, number>) => all + each[name]!, 0)
  const priceOf = (name: string) => prices.find((each: { name: string }) => each.name === name).value
  const shown = { unpaid_price: sumOf('unpaid_price'), over_payment_price: priceOf('over_payment_price') }
  expect(order.unpaid_price).toBe(shown.unpaid_price)
  expect(sums).toMatchObject({ ...shown, held_price: sumOf('paid_price') - sumOf('refund_price') })
  expect((list as Row[]).at(-1)).toMatchObject({ ...shown, held_price: sums.held_price })
  expect(sums.over_payment_price).toBeLessThanOrEqual(sums.held_price)
  return list
}

test('a surplus without a free slot leaves the order unpaid and overpaid, like its sub-orders', async () => {
  const { order_id, sub_order_ids } = await school.order(planOf(50_000, 50_000))
  const [first, second] = sub_order_ids
  for (let n = 0; n < 15; n++) await pay(order_id, 1000, { sub_order_id: second })
  await pay(order_id, 50_000, { sub_order_id: first })
  await moneyOf(order_id)
  const { version } = await school.run(fetchOrder, { order_id })
  await school.run(updateOrder, {
    ...{ order_id, version, listed_price: 80_000, reason },
    sub_orders: [
      { sub_order_id: first, total_price: 30_000 },
      { sub_order_id: second, total_price: 50_000 },
    ],
  })
  const rows = await moneyOf(order_id)
  expect(rows.at(-1)).toMatchObject({
    ...{ kind: 'price', claim_price: -20_000, held_price: 65_000 },
    ...{ unpaid_price: 35_000, over_payment_price: 20_000 },
  })
})

test('the sixteenth payment of a sub-order is a row without an effect; applied elsewhere, it is a row there', async () => {
  const { order_id } = await school.order(planOf(100_000))
  for (let n = 0; n < 15; n++) await pay(order_id, 1000)
  const { payment_id, applied } = await pay(order_id, 2000, { charge_id: 'sixteenth' })
  expect(applied).toBe(false)
  const rows = await moneyOf(order_id)
  expect(rows).toHaveLength(17)
  expect(rows.at(-1)).toMatchObject({ kind: 'payment', price: 0, held_price: 15_000, charge_id: 'sixteenth' })
  expect(rows.at(-1)!.reason).toContain('15 payments')
  const { order_id: other } = await school.order(planOf(2000))
  await school.run(applyPayment, { payment_id, order_id: other })
  expect((await moneyOf(other)).at(-1)).toMatchObject({ kind: 'apply', price: 2000, charge_id: 'sixteenth' })
  await school.run(voidPayment, { payment_id, reason })
  expect((await moneyOf(other)).at(-1)).toMatchObject({ kind: 'void', price: -2000 })
})

test('every kind of entry is a row with its sign, its receipt and the other order', async () => {
  const { order_id, sub_order_ids } = await school.order(planOf(30_000, 30_000, 40_000))
  const { order_id: other } = await school.order(planOf(100_000))
  const first = await pay(order_id, 70_000, { method: 'card', charge_id: 'card-1' })
  const second = await pay(order_id, 50_000, { sub_order_id: sub_order_ids[2] })
  const { transfer_id } = await school.run(transferMoney, {
    ...{ from_order_id: order_id, to_order_id: other, price: 30_000, reason },
  })
  await school.run(reverseTransfer, { transfer_id, reason })
  await school.run(transferMoney, { from_order_id: order_id, to_order_id: other, price: 5000, reason })
  const { refund_id } = await school.run(createRefund, { order_id, price: 45_000, reason })
  await school.run(reverseRefund, { refund_id, reason })
  await school.run(createRefund, { order_id, price: 25_000, reason, as: 'return' })
  await school.run(writeOffOrder, { order_id, price: 5000, reason })
  await school.run(reverseWriteOff, { order_id, price: 2000, reason })
  await school.run(unapplyPayment, { payment_id: first.payment_id, order_id })
  await school.run(applyPayment, { payment_id: first.payment_id, order_id })
  await school.run(voidPayment, { payment_id: (await pay(order_id, 3000)).payment_id, reason })
  const { payment_id } = await pay(order_id, 1000)
  await school.run(voidPayment, { payment_id, reason })
  await school.run(reverseVoid, { payment_id, reason })
  const rows = await moneyOf(order_id)
  expect(rows.map(({ kind, price, claim_price }) => `${kind} ${price} ${claim_price}`)).toEqual([
    'price 0 100000',
    'payment 70000 0',
    'payment 50000 0',
    'transfer -30000 0',
    'reversal 30000 0',
    'transfer -5000 0',
    'refund -10000 0',
    'refund -35000 0',
    'credit 0 -30000',
    'reversal 10000 0',
    'reversal 35000 0',
    'reversal 0 30000',
    'refund -10000 0',
    'refund -15000 0',
    'write_off 0 -5000',
    'reversal 0 2000',
    'unapply -60000 0',
    'apply 60000 0',
    'payment 3000 0',
    'void -3000 0',
    'payment 1000 0',
    'void -1000 0',
    'reversal 1000 0',
  ])
  const receiptOf = (row: Row | undefined) => row?.receipt_num
  expect(receiptOf(rows[1])).toBeGreaterThan(0)
  expect(rows[1]!.receipt_url).toMatch(/^\/receipts\/.+\/.+/)
  expect(receiptOf(rows.find(({ kind }) => kind === 'unapply'))).toBe(receiptOf(rows[1]))
  expect(rows.filter(({ kind }) => kind === 'transfer').map((row) => row.other_order_id)).toContain(other)
  expect(second.payment_id).not.toBe(first.payment_id)
  await moneyOf(other)
})

test('an order that takes no payments owes nothing in any row', async () => {
  const { order_id } = await school.order(planOf(30_000))
  await pay(order_id, 10_000)
  await school.run(updateStatus, { order_id, status: 'canceled', retain: true, reason })
  expect((await moneyOf(order_id)).at(-1)).toMatchObject({ kind: 'status', unpaid_price: 0 })
})

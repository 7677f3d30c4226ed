import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { fetchOrder } from '../listing/fetch-order.ts'
import { writeOffOrder } from '../write-off-order.ts'
import { createPayment } from './create-payment.ts'
import { createRefund } from './create-refund.ts'
import { listOrderMoney } from './list-order-money.ts'
import { listPayments } from './list-payments.ts'
import { movePayment } from './move-payment.ts'
import { reverseRefund } from './reverse-refund.ts'
import { reverseTransfer } from './reverse-transfer.ts'
import { reverseVoid } from './reverse-void.ts'
import { reverseWriteOff } from './reverse-write-off.ts'
import { transferMoney } from './transfer-money.ts'
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

const reason = 'By mistake'
const sell = async (listed_price: number, more = {}) =>
  (await school.order({ listed_price, installment_count: 1, ...more })).order_id
const pay = (order_id: string, price: number, more = {}) =>
  school.run(createPayment, { order_id, price, ...more })
const shown = (order_id: string) => school.run(fetchOrder, { order_id })
const stateOf = async (order_id: string, id: string) => {
  const { list } = await school.run(listPayments, { order_id, page_size: 1000 })
  return list.find(({ payment_id }: { payment_id: string }) => payment_id === id)?.state
}

interface Row {
  kind: string
  price: number
  claim_price: number
  held_price: number
  unpaid_price: number
  over_payment_price: number
}

/** The rows of the money list sum line by line to the sums of the order. */
async function moneyOf(order_id: string): Promise<Row[]> {
  const { list, ...sums } = await school.run(listOrderMoney, { order_id, page_size: 1000 })
  const { unpaid_price, post_refund_price, total_price } = await shown(order_id)
  expect(sums).toMatchObject({ unpaid_price, held_price: post_refund_price, total_price })
  let [held, claim] = [0, 0]
  for (const row of list as Row[]) {
    held += row.price
    claim += row.claim_price
    expect(row.held_price).toBe(held)
    expect(row.unpaid_price - row.over_payment_price).toBe(claim - held)
  }
  expect(held).toBe(sums.held_price)
  expect(claim).toBe(total_price - sums.credited_price - sums.written_off_price)
  expect((list as Row[]).at(-1)).toMatchObject({
    unpaid_price: sums.unpaid_price,
    over_payment_price: sums.over_payment_price,
  })
  return list
}

describe('a reversal', () => {
  test('of a refund that the bank returned: the order holds the money, and the credit is cancelled', async () => {
    const order_id = await sell(100_000)
    const { payment_id } = await pay(order_id, 100_000)
    const { refund_id } = await school.run(createRefund, { order_id, price: 100_000, reason })
    expect(await stateOf(order_id, payment_id)).toBe('refunded')
    expect(await school.run(reverseRefund, { refund_id, reason })).toMatchObject({ price: 100_000 })
    expect(await stateOf(order_id, payment_id)).toBe('applied')
    expect(await shown(order_id)).toMatchObject({ post_refund_price: 100_000, unpaid_price: 0 })
    await expect(school.run(reverseRefund, { refund_id, reason })).rejects.toMatchObject({ code: 40904 })
    const rows = await moneyOf(order_id)
    expect(rows.map(({ kind, price, claim_price }) => [kind, price, claim_price])).toEqual([
      ['price', 0, 100_000],
      ['payment', 100_000, 0],
      ['refund', -100_000, 0],
      ['credit', 0, -100_000],
      ['reversal', 100_000, 0],
      ['reversal', 0, 100_000],
    ])
  })

  test('of a void: the payment is applied again, or unapplied where the order cannot take it', async () => {
    const order_id = await sell(50_000)
    const { payment_id } = await pay(order_id, 50_000, { charge_id: 'void-1' })
    await expect(school.run(reverseVoid, { payment_id, reason })).rejects.toMatchObject({ code: 40904 })
    await school.run(voidPayment, { payment_id, reason })
    expect(await school.run(reverseVoid, { payment_id, reason })).toMatchObject({
      applied: true,
      price: 50_000,
      order_status: 'success',
    })
    await school.run(voidPayment, { payment_id, reason })
    expect(await stateOf(order_id, payment_id)).toBe('void')
    await moneyOf(order_id)
  })

  test('of a write-off: the debt is open again, and a surplus pays it', async () => {
    const order_id = await sell(50_000)
    await pay(order_id, 20_000)
    await school.run(writeOffOrder, { order_id, reason })
    await pay(order_id, 10_000)
    expect(await school.run(reverseWriteOff, { order_id, price: 25_000, reason })).toMatchObject({
      order_status: 'pending',
    })
    expect((await shown(order_id)).unpaid_price).toBe(15_000)
    await school.run(reverseWriteOff, { order_id, reason })
    expect((await shown(order_id)).unpaid_price).toBe(20_000)
    await moneyOf(order_id)
  })

  test('of a transfer: the same payments move back, once', async () => {
    const [from, to] = [await sell(50_000), await sell(50_000)]
    const { payment_id } = await pay(from, 50_000)
    await pay(to, 10_000)
    const transfer = { from_order_id: from, to_order_id: to, price: 30_000, reason }
    const { transfer_id } = await school.run(transferMoney, transfer)
    const back = await school.run(reverseTransfer, { transfer_id, reason })
    expect(back).toMatchObject({ price: 30_000, from: { paid_price: 10_000 }, to: { paid_price: 50_000 } })
    await expect(school.run(reverseTransfer, { transfer_id, reason })).rejects.toMatchObject({ code: 40904 })
    expect((await shown(from)).sub_orders[0].payments).toMatchObject([{ payment_id, price: 50_000 }])
    for (const order_id of [from, to]) await moneyOf(order_id)
  })
})

describe('a voided charge', () => {
  test('that is reported again returns that it is void; a person can record it again, on another order too', async () => {
    const [wrong, right] = [await sell(50_000), await sell(50_000)]
    const charge = { charge_id: 'again-1', provider: 'gateway' }
    const first = await pay(wrong, 50_000, charge)
    await school.run(voidPayment, { payment_id: first.payment_id, reason })
    const repeated = await pay(wrong, 50_000, charge)
    expect(repeated).toMatchObject({ payment_id: first.payment_id, applied: false, allocations: [] })
    expect(repeated.because).toContain('reinstate')
    await expect(pay(right, 50_000, charge)).rejects.toMatchObject({ code: 40901 })
    const again = await pay(right, 50_000, { ...charge, reinstate: true })
    expect(again).toMatchObject({ applied: true, order_status: 'success' })
    expect(again.payment_id).not.toBe(first.payment_id)
    const repetition = await pay(right, 50_000, charge)
    expect(repetition).toMatchObject({ payment_id: again.payment_id, applied: true })
    const reversal = { payment_id: first.payment_id, reason }
    await expect(school.run(reverseVoid, reversal)).rejects.toMatchObject({ code: 40904 })
  })

  test('is one payment, with or without its provider; of two candidates the caller names one', async () => {
    const order_id = await sell(50_000)
    const first = await pay(order_id, 10_000, { charge_id: 'one-1', provider: 'gateway' })
    expect(await pay(order_id, 10_000, { charge_id: 'one-1' })).toMatchObject({
      payment_id: first.payment_id,
    })
    const sheet = await pay(order_id, 10_000, { charge_id: 'one-2' })
    expect(await pay(order_id, 10_000, { charge_id: 'one-2', provider: 'gateway' })).toMatchObject({
      payment_id: sheet.payment_id,
    })
    await pay(order_id, 10_000, { charge_id: 'one-1', provider: 'other' })
    await expect(pay(order_id, 10_000, { charge_id: 'one-1' })).rejects.toMatchObject({ code: 40002 })
  })
})

test('a foreign charge that was reported for the wrong order moves to one in its own currency', async () => {
  const wrong = await sell(70_000)
  const right = await sell(10_000, { currency: 'USD' })
  const charge = { charge_id: 'usd-1', currency: 'USD', exchange_rate: 70_000 }
  const { payment_id } = await pay(wrong, 10_000, charge)
  expect(await shown(wrong)).toMatchObject({ status: 'success' })
  const same = { payment_id, to_order_id: await sell(1), reason }
  await expect(school.run(movePayment, same)).rejects.toMatchObject({ code: 40002 })
  const moved = await school.run(movePayment, { payment_id, to_order_id: right, reason })
  expect(moved).toMatchObject({
    order_id: right,
    order_price: 10_000,
    applied: true,
    order_status: 'success',
  })
  expect(await shown(wrong)).toMatchObject({ status: 'created', paid_price: 0, unpaid_price: 70_000 })
  expect(await stateOf(wrong, payment_id)).toBe('moved')
  await expect(school.run(voidPayment, { payment_id, reason })).rejects.toMatchObject({ code: 40904 })
  for (const order_id of [wrong, right]) await moneyOf(order_id)
})

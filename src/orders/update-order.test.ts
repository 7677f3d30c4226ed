import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Counter, openCounter } from '../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../test/harness/server.ts'
import { checkLedger } from '../backoffice/finance/check-ledger.ts'
import { explainOrder } from './ledger/explain-order.ts'
import { fetchOrder } from './listing/fetch-order.ts'
import { listOrders } from './listing/list-orders.ts'
import { upsertCoupon } from './offerings/upsert-coupon.ts'
import { createPayment } from './payments/create-payment.ts'
import { updateOrder } from './update-order.ts'
import { updateStatus } from './update-status.ts'

let server: TestServer
let school: Counter

beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openCounter(server)
  await school.call(upsertCoupon, { coupon_id: 'FIFTY', amount: 50, currency: 'CNY' })
  await school.call(upsertCoupon, { coupon_id: 'TENTH', basis_points: 1000 })
})
afterAll(() => server.close())

describe('a change of prices changes only the given members', () => {
  test('the listed price alone keeps the manual discount and the coupons', async () => {
    const { order_id } = await order({ coupon_ids: ['FIFTY'], discounted_price: 750 })
    await change(order_id, { listed_price: 1100 })
    expect(await pricesOf(order_id)).toEqual({ listed: 1100, discounted: 850, coupons: ['FIFTY'] })
  })

  test('a coupon in percent follows the listed price, by its terms at that time', async () => {
    await school.call(upsertCoupon, { coupon_id: 'SHARE', basis_points: 1000 })
    const { order_id } = await order({ coupon_ids: ['SHARE'] })
    await school.call(upsertCoupon, { coupon_id: 'SHARE', basis_points: 5000 })
    await change(order_id, { listed_price: 2000 })
    expect(await pricesOf(order_id)).toMatchObject({ listed: 2000, discounted: 1800 })
  })

  test('a coupon that is added comes off the discounted price', async () => {
    const { order_id } = await order({ discounted_price: 800 })
    await change(order_id, { coupon_ids: ['FIFTY'] })
    expect(await pricesOf(order_id)).toMatchObject({ listed: 1000, discounted: 750 })
    await change(order_id, { coupon_ids: [] })
    expect(await pricesOf(order_id)).toMatchObject({ listed: 1000, discounted: 800 })
  })

  test('the same prices again change nothing, even if the coupon has changed', async () => {
    await school.call(upsertCoupon, { coupon_id: 'LATER', basis_points: 1000 })
    const { order_id } = await order({ coupon_ids: ['LATER'] })
    await school.call(upsertCoupon, { coupon_id: 'LATER', basis_points: 5000 })
    const before = await fetched(order_id)
    for (const same of [
      { listed_price: 1000 },
      { discounted_price: 900 },
      { listed_price: 1000, discounted_price: 900, coupon_ids: ['LATER'] },
      { coupon_ids: ['LATER'] },
    ])
      await change(order_id, same)
    expect(await fetched(order_id)).toEqual(before)
    const { list } = (await school.call(listOrders, { page_size: 1000 })).data
    const row = list.find(({ entity_id }: { entity_id: string }) => entity_id === order_id)
    expect(row.is_payment_changed).toBe(false)
  })

  test('the same prices again leave an order unchanged', async () => {
    const { order_id } = await order({})
    await school.call(createPayment, { order_id, price: 500 })
    for (const status of ['locked', 'pending']) await school.call(updateStatus, { order_id, status })
    const before = await fetched(order_id)
    await change(order_id, { listed_price: 1000 })
    expect(before).toMatchObject({ status: 'pending' })
    expect(await fetched(order_id)).toEqual(before)
  })

  test('an expired coupon stays on its order and does not prevent another one', async () => {
    await school.call(upsertCoupon, { coupon_id: 'SHORT', amount: 100, currency: 'CNY' })
    const { order_id } = await order({ coupon_ids: ['SHORT'] })
    await school.call(upsertCoupon, {
      ...{ coupon_id: 'SHORT', amount: 100, currency: 'CNY', valid_until: '2020-01-01' },
    })
    await change(order_id, { coupon_ids: ['SHORT', 'FIFTY'] })
    expect(await pricesOf(order_id)).toEqual({ listed: 1000, discounted: 850, coupons: ['SHORT', 'FIFTY'] })
    await change(order_id, { coupon_ids: ['FIFTY'] })
    // Added again after its removal, it is checked like a new coupon.
    const again = await tryChange(order_id, { coupon_ids: ['SHORT', 'FIFTY'] })
    expect(again).toMatchObject({ code: 40002, data: { errors: [{ param: 'coupon_ids' }] } })
  })

  test('the manual discount can be named by itself, and removed', async () => {
    const { order_id } = await order({ coupon_ids: ['FIFTY'], manual_discount: 200 })
    expect(await pricesOf(order_id)).toMatchObject({ discounted: 750 })
    await change(order_id, { manual_discount: 300 })
    expect(await pricesOf(order_id)).toMatchObject({ discounted: 650 })
    await change(order_id, { manual_discount: 0 })
    expect(await pricesOf(order_id)).toMatchObject({ discounted: 950, coupons: ['FIFTY'] })
  })

  test('discounts never exceed the listed price, and a refusal names the one that does', async () => {
    const { order_id } = await order({ manual_discount: 900, coupon_ids: ['FIFTY'] })
    for (const [input, param] of [
      [{ listed_price: 900 }, 'manual_discount'],
      [{ manual_discount: 951 }, 'manual_discount'],
      [{ discounted_price: 951 }, 'discounted_price'],
      [{ discounted_price: 900, manual_discount: 0 }, 'manual_discount'],
      [{ listed_price: 49, manual_discount: 0 }, 'coupon_ids'],
    ] as const) {
      const refused = await tryChange(order_id, input)
      expect(refused, JSON.stringify(input)).toMatchObject({ code: 40002, data: { errors: [{ param }] } })
    }
    expect(await pricesOf(order_id)).toMatchObject({ listed: 1000, discounted: 50 })
  })

  test('order/explain shows every line with its terms, and they sum to the price', async () => {
    const { order_id } = await order({ coupon_ids: ['FIFTY', 'TENTH'], manual_discount: 30 })
    const { discounts, prices } = (await school.call(explainOrder, { order_id })).data
    expect(discounts).toEqual([
      { kind: 'manual', coupon_id: '', price: 30, because: 'a discount given by hand' },
      { kind: 'coupon', coupon_id: 'FIFTY', price: 50, because: 'an amount of 50' },
      { kind: 'coupon', coupon_id: 'TENTH', price: 100, because: '1000 basis points of the listed price' },
    ])
    expect(prices.find(({ name }: { name: string }) => name === 'discounted_price').value).toBe(820)
  })
})

describe('a new total is distributed over the unpaid parts', () => {
  test('in proportion to the unpaid amounts', async () => {
    const { order_id } = await order({ sub_orders: parts(100, 500, 400) })
    await change(order_id, { manual_discount: 30 })
    expect(await totalsOf(order_id)).toEqual([97, 485, 388])
  })

  test('largest remainder first, earlier parts first among equals', async () => {
    const { order_id } = await order({ listed_price: 9, sub_orders: parts(3, 3, 3) })
    await change(order_id, { listed_price: 11 })
    expect(await totalsOf(order_id)).toEqual([4, 4, 3])
    const uneven = await order({ listed_price: 10, sub_orders: parts(1, 2, 7) })
    await change(uneven.order_id, { listed_price: 14 })
    // 0.4, 0.8 and 2.8: the remainders of the last two are the largest.
    expect(await totalsOf(uneven.order_id)).toEqual([1, 3, 10])
  })

  test('paid parts stay, partly paid parts take a share of their unpaid amount', async () => {
    const { order_id } = await order({ sub_orders: parts(100, 500, 400) })
    await school.call(createPayment, { order_id, price: 100 })
    await school.call(createPayment, { order_id, price: 400 })
    await change(order_id, { manual_discount: 50 })
    expect(await totalsOf(order_id)).toEqual([100, 490, 360])
  })

  test('a price below the received amount is a surplus on the last paid parts', async () => {
    const { order_id } = await order({ sub_orders: parts(100, 500, 400) })
    await school.call(createPayment, { order_id, price: 100 })
    await school.call(createPayment, { order_id, price: 500 })
    expect((await change(order_id, { discounted_price: 550 })).status).toBe('success')
    expect(await totalsOf(order_id)).toEqual([100, 450, 0])
    expect(await fetched(order_id)).toMatchObject({ unpaid_price: 0, paid_price: 600, total_price: 550 })
  })

  test('exactly: parts sum to the total, none falls below its received amount, and each moves by its share', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 0, max: 200_000 }),
        fc.integer({ min: 0, max: 150_000 }),
        async (prices, paid, next) => {
          const listed_price = prices.reduce((sum, price) => sum + price, 0)
          const { order_id } = await order({ listed_price, sub_orders: parts(...prices) })
          let left = Math.min(paid, listed_price - 1)
          for (const price of prices) {
            if (left > 0) await school.call(createPayment, { order_id, price: Math.min(price, left) })
            left -= price
          }
          const before = (await fetched(order_id)).sub_orders as Part[]
          const lacks = before.map(({ total_price, paid_price }) => total_price - paid_price)
          const lacking = lacks.reduce((sum, lack) => sum + lack, 0)
          await change(order_id, { listed_price: next })
          const after = (await fetched(order_id)).sub_orders as Part[]
          expect(after.reduce((sum, { total_price }) => sum + total_price, 0)).toBe(next)
          const difference = next - listed_price
          if (difference < -lacking) return
          for (const [index, { total_price, paid_price }] of after.entries()) {
            expect(total_price).toBeGreaterThanOrEqual(Math.min(paid_price, before[index]!.total_price))
            const share = (difference * lacks[index]!) / lacking
            expect(Math.abs(total_price - before[index]!.total_price - share)).toBeLessThan(1)
          }
        },
      ),
      { numRuns: 25 },
    )
  })

  test('parts that are listed again keep the deadlines and types that are not named', async () => {
    const sub_orders = [
      { type: 'deposit', total_price: 100, payment_deadline: '2090-01-31' },
      { type: 'installment', total_price: 500, payment_deadline: '2090-02-28' },
      { type: 'installment', total_price: 400 },
    ]
    const { order_id, sub_order_ids } = await order({ sub_orders })
    const [first, second, third] = sub_order_ids
    await change(order_id, {
      sub_orders: [
        { sub_order_id: first, total_price: 200 },
        { sub_order_id: second, total_price: 400, payment_deadline: '2090-03-31' },
        { sub_order_id: third, total_price: 300, type: 'balance' },
        { total_price: 100 },
      ],
    })
    const after = (await fetched(order_id)).sub_orders
    expect(after).toMatchObject([
      { entity_id: first, type: 'deposit', total_price: 200, payment_deadline: '2090-01-31 23:59:59' },
      { entity_id: second, type: 'installment', total_price: 400, payment_deadline: '2090-03-31 23:59:59' },
      { entity_id: third, type: 'balance', total_price: 300, payment_deadline: '' },
      { type: 'balance', total_price: 100, payment_deadline: '' },
    ])
  })
})

test('a free order that is confirmed later is then a success', async () => {
  for (const status of ['unconfirmed', 'tbd']) {
    const { order_id } = await order({ listed_price: 0, status })
    expect((await fetched(order_id)).status).toBe(status)
    const { data } = await school.call(updateStatus, { order_id, status: 'created' })
    expect(data.status).toBe('success')
    expect(await fetched(order_id)).toMatchObject({ status: 'success', sub_orders: [{ status: 'success' }] })
  }
  expect(await checkLedger(server.database.app, school.corp_id)).toMatchObject({ total: 0 })
})

interface Part {
  total_price: number
  paid_price: number
}

const parts = (...prices: number[]) => prices.map((total_price) => ({ total_price }))

function order(input: Record<string, unknown>) {
  return school.order({ listed_price: 1000, installment_count: undefined, ...input })
}

async function tryChange(order_id: string, input: object) {
  const { version } = await fetched(order_id)
  return school.call(updateOrder, { order_id, version, ...input })
}

async function change(order_id: string, input: object) {
  const { code, msg, data } = await tryChange(order_id, input)
  expect(code, msg).toBe(0)
  return data
}

async function fetched(order_id: string) {
  return (await school.call(fetchOrder, { order_id })).data
}

async function pricesOf(order_id: string) {
  const { listed_price, discounted_price, coupon_ids } = await fetched(order_id)
  return { listed: listed_price, discounted: discounted_price, coupons: coupon_ids }
}

async function totalsOf(order_id: string) {
  return (await fetched(order_id)).sub_orders.map(({ total_price }: Part) => total_price)
}

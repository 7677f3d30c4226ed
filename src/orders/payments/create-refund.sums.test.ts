import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Counter, openCounter } from '../../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { createOrder } from '../create-order.ts'
import { explainOrder } from '../ledger/explain-order.ts'
import { fetchOrder } from '../listing/fetch-order.ts'
import { listFinancialRows } from '../listing/list-financial-rows.ts'
import { listOrders } from '../listing/list-orders.ts'
import { upsertCoupon } from '../offerings/upsert-coupon.ts'
import { updateOrder } from '../update-order.ts'
import { updateStatus } from '../update-status.ts'
import { createPayment } from './create-payment.ts'
import { createRefund } from './create-refund.ts'

let server: TestServer
let school: Counter

beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openCounter(server)
})
afterAll(async () => {
  expect(await checkLedger(server.db)).toMatchObject({ total: 0, discrepancies: [] })
  await server.close()
})

describe('refunds', () => {
  test('need no outstanding balance: a completed order can be refunded', async () => {
    const { order_id, sub_order_ids } = await paidOrder()
    const refund = await school.call(createRefund, {
      order_id,
      sub_order_id: sub_order_ids[0],
      price: 4000,
      reason: 'Agreed',
    })
    expect(refund.data).toMatchObject({ order_status: 'success', price: 4000 })
    expect(await fetched(order_id)).toMatchObject({
      status: 'success',
      paid_price: 10_000,
      post_refund_price: 6000,
      unpaid_price: 0,
    })
  })

  test('may be partial, of partial payments, up to the amount of each', async () => {
    const { order_id, sub_order_ids } = await school.order()
    const [subOrder] = sub_order_ids
    const first = await pay(order_id, 3000)
    const second = await pay(order_id, 2000)
    const steps: [Record<string, unknown>, number][] = [
      [{ payment_id: first.data.payment_id, price: 1000 }, 0],
      [{ payment_id: first.data.payment_id, price: 2001 }, 40904],
      [{ payment_id: first.data.payment_id, price: 2000 }, 0],
      [{ payment_id: first.data.payment_id, price: 1 }, 40904],
      // Of the sub-order, 2000 are left; refunds of it count against every payment.
      [{ sub_order_id: subOrder, price: 1500 }, 0],
      [{ payment_id: second.data.payment_id, price: 501 }, 40904],
      [{ payment_id: second.data.payment_id, price: 500 }, 0],
      [{ sub_order_id: subOrder, price: 1 }, 40904],
    ]
    for (const [refund, code] of steps)
      expect(
        (await school.call(createRefund, { order_id, ...refund, reason: 'Agreed' })).code,
        JSON.stringify(refund),
      ).toBe(code)
    expect(await fetched(order_id)).toMatchObject({
      paid_price: 5000,
      post_refund_price: 0,
      status: 'pending',
    })
  })

  test('of a payment take its last instalment first, in any order of the ids of instalments', async () => {
    for (const isSorted of [true, false]) {
      let order = await school.order()
      const lastIsGreater = () => order.sub_order_ids[1]! < order.sub_order_ids[2]!
      while (lastIsGreater() !== isSorted) order = await school.order()
      const { order_id, sub_order_ids } = order
      const { payment_id } = (await pay(order_id, 30_000)).data
      const refund = { order_id, payment_id, price: 12_000, reason: 'Agreed' }
      const { allocations } = (await school.call(createRefund, refund)).data
      expect(allocations).toMatchObject([
        { sub_order_id: sub_order_ids[1], price: 2000 },
        { sub_order_id: sub_order_ids[2], price: 10_000 },
      ])
    }
  })

  test('of a sub-order without payments, or of a payment of another order, are refused', async () => {
    const { order_id, sub_order_ids } = await school.order()
    const other = await paidOrder()
    const foreign = (await fetched(other.order_id)).sub_orders[0].payments[0].payment_id
    const refund = (what: Record<string, unknown>) =>
      school.call(createRefund, { order_id, price: 1, ...what, reason: 'Agreed' }).then(({ code }) => code)
    expect(await refund({ sub_order_id: sub_order_ids[0] })).toBe(40904)
    expect(await refund({ payment_id: foreign })).toBe(40406)
    expect(await refund({ sub_order_id: other.sub_order_ids[0] })).toBe(40405)
    expect(await refund({})).toBe(40904)
  })

  test('are refused with the maximum amount', async () => {
    const { order_id, sub_order_ids } = await paidOrder()
    const { msg } = await school.call(createRefund, {
      order_id,
      sub_order_id: sub_order_ids[0],
      price: 10_001,
      reason: 'Agreed',
    })
    expect(msg).toContain('At most 10000')
  })

  test('are possible in every status with money, and the list shows them', async () => {
    const { order_id, sub_order_ids } = await school.order()
    await pay(order_id, 5000)
    for (const status of ['locked', 'canceled']) {
      const retained = status === 'canceled' && { retain: true, reason: 'The deposit stays' }
      await school.call(updateStatus, { order_id, status, ...retained })
      const { code } = await school.call(createRefund, {
        order_id,
        sub_order_id: sub_order_ids[0],
        price: 100,
        reason: 'Agreed',
      })
      expect(code, status).toBe(0)
    }
    const { list } = (await school.call(listOrders, { page_size: 1000 })).data
    const row = list.find(({ entity_id }: { entity_id: string }) => entity_id === order_id)
    expect(row).toMatchObject({
      refund_price: 200,
      post_refund_price: 4800,
      paid_price: 5000,
      unpaid_price: 0,
    })
    expect(row.refund_ids).toHaveLength(2)
    expect(row.last_refund_time).not.toBe('')
  })
})

describe('currencies', () => {
  test.each([
    ['JPY', 10_001, [3333, 3333, 3335], [3333, 3333, 3335]],
    ['CNY', 10_001, [3333, 3333, 3335], [33.33, 33.33, 33.35]],
    ['KWD', 10_001, [3333, 3333, 3335], [3.333, 3.333, 3.335]],
  ])(
    '%s: instalments sum to the order in minor units; the financial list shows major ones',
    async (currency, listed_price, minor, major) => {
      const { order_id } = await school.order({ currency, listed_price })
      await pay(order_id, 1)
      const { sub_orders, total_price } = await fetched(order_id)
      expect(sub_orders.map((subOrder: { total_price: number }) => subOrder.total_price)).toEqual(minor)
      expect(total_price).toBe(listed_price)
      const rows = await financialRows(order_id)
      expect(rows.map(({ total_price: total }) => total)).toEqual(major)
      expect(rows[0]).toMatchObject({
        paid_price: major[0]! / minor[0]!,
        payment1_price: major[0]! / minor[0]!,
      })
    },
  )

  test.each([
    // price, currency, currency of the order, rate × 10,000, settled amount
    [100, 'USD', 'JPY', 1_500_000, 150],
    [1, 'JPY', 'USD', 50, 0],
    [3, 'JPY', 'USD', 50, 2],
    [5, 'JPY', 'USD', 50, 2],
    [7, 'JPY', 'USD', 50, 4],
    [1, 'KWD', 'JPY', 5_000_000, 0],
    [3, 'KWD', 'JPY', 5_000_000, 2],
    [12_345, 'KWD', 'CNY', 235_500, 29_072],
    [999_999, 'CNY', 'KWD', 425, 425_000],
  ])(
    '%i %s on an order in %s at %i counts for %i, half to even',
    async (price, currency, own, exchange_rate, counts) => {
      const { order_id } = await school.order({
        currency: own,
        listed_price: 1_000_000,
        installment_count: 1,
      })
      const { code, data } = await school.call(createPayment, { order_id, price, currency, exchange_rate })
      if (counts === 0) {
        expect(code).toBe(40002)
        return
      }
      expect(data.order_price).toBe(counts)
      const order = await fetched(order_id)
      expect(order.paid_price).toBe(counts)
      expect(order.sub_orders[0].payments[0]).toMatchObject({ price, currency, exchange_rate })
    },
  )

  test('another currency needs a rate, the currency of the order has none', async () => {
    const { order_id } = await school.order()
    const codes = [
      await school.call(createPayment, { order_id, price: 5, currency: 'USD' }),
      await school.call(createPayment, { order_id, price: 5, exchange_rate: 20_000 }),
      await school.call(createPayment, { order_id, price: 5, exchange_rate: 10_000 }),
    ]
    expect(codes.map(({ code }) => code)).toEqual([40002, 40002, 0])
  })

  test('no order can receive or cost more than 15 digits', async () => {
    const largest = 999_999_999_999_999
    const { order_id } = await school.order({ listed_price: largest, installment_count: 1 })
    expect((await pay(order_id, largest)).code).toBe(0)
    expect(await pay(order_id, 1)).toMatchObject({ code: 40002, data: { errors: [{ param: 'price' }] } })
    expect((await financialRows(order_id))[0]!.paid_price).toBe(9_999_999_999_999.99)
    const input = { user_id: school.user_id, currency: 'CNY', listed_price: largest, service_charge: 1 }
    expect((await school.call(createOrder, input)).code).toBe(40002)
    const dear = await school.order()
    expect(
      (
        await school.call(createPayment, {
          order_id: dear.order_id,
          price: largest,
          currency: 'KWD',
          exchange_rate: 100_000_000_000,
        })
      ).code,
    ).toBe(40002)
  })
})

describe('prices', () => {
  test('a free order is complete at once', async () => {
    const { order_id } = await school.order({ listed_price: 0 })
    const order = await fetched(order_id)
    expect(order).toMatchObject({ status: 'success', total_price: 0, unpaid_price: 0, version: 1 })
    for (const subOrder of order.sub_orders) {
      expect(subOrder).toMatchObject({ status: 'success', total_price: 0 })
      expect(subOrder.completed_time).not.toBe('')
    }
  })

  test('a coupon larger than the price is refused, and nothing is stored', async () => {
    await school.call(upsertCoupon, { coupon_id: 'LARGE', amount: 30_001, currency: 'CNY' })
    const before = await orders()
    const input = { user_id: school.user_id, currency: 'CNY', listed_price: 30_000, external_id: 'too-cheap' }
    const answer = await school.call(createOrder, { ...input, coupon_ids: ['LARGE'] })
    expect(answer).toMatchObject({ code: 40002, data: { errors: [{ param: 'coupon_ids' }] } })
    expect(await orders()).toBe(before)
    // The external_id is not used up either.
    expect((await school.call(createOrder, input)).code).toBe(0)
  })

  test('each of several coupons is computed from the listed price', async () => {
    await school.call(upsertCoupon, { coupon_id: 'A', amount: 1_000, currency: 'CNY' })
    await school.call(upsertCoupon, { coupon_id: 'B', basis_points: 1250 })
    await school.call(upsertCoupon, { coupon_id: 'C', basis_points: 1 })
    // 12.5 % of 30,001 is 3750.125; a hundredth of a percent is 3.0001.
    const { order_id } = await school.order({
      listed_price: 30_001,
      coupon_ids: ['A', 'B', 'C'],
      service_charge: 7,
    })
    expect(await fetched(order_id)).toMatchObject({
      listed_price: 30_001,
      discounted_price: 30_001 - 1000 - 3750 - 3,
      total_price: 30_001 - 1000 - 3750 - 3 + 7,
      coupon_ids: ['A', 'B', 'C'],
    })
    const { prices } = (await school.call(explainOrder, { order_id })).data
    expect(prices.find(({ name }: { name: string }) => name === 'discounted_price').because).toContain(
      'A, B, C',
    )
  })

  test('unknown, repeated, inactive and expired coupons, and those in another currency, are refused', async () => {
    await school.call(upsertCoupon, { coupon_id: 'YEN', amount: 5, currency: 'JPY' })
    await school.call(upsertCoupon, { coupon_id: 'OFF', amount: 5, currency: 'CNY', is_active: false })
    await school.call(upsertCoupon, {
      coupon_id: 'GONE',
      amount: 5,
      currency: 'CNY',
      valid_until: '2020-01-01',
    })
    await school.call(upsertCoupon, {
      coupon_id: 'SOON',
      amount: 5,
      currency: 'CNY',
      valid_from: '2120-01-01',
    })
    const before = await orders()
    const codes = []
    for (const coupon_ids of [['NONE'], ['A', 'A'], ['YEN'], ['OFF'], ['GONE'], ['SOON']]) {
      const input = { user_id: school.user_id, currency: 'CNY', listed_price: 30_000, coupon_ids }
      codes.push((await school.call(createOrder, input)).code)
    }
    expect(codes).toEqual([40409, 40002, 40002, 40002, 40002, 40002])
    expect(await orders()).toBe(before)
  })

  test('a later change of a coupon changes no order, even if the charges of the order change', async () => {
    await school.call(upsertCoupon, { coupon_id: 'FICKLE', basis_points: 1000 })
    const { order_id } = await school.order({ listed_price: 10_000, coupon_ids: ['FICKLE'] })
    await school.call(upsertCoupon, { coupon_id: 'FICKLE', basis_points: 5000 })
    expect(await fetched(order_id)).toMatchObject({ discounted_price: 9000, total_price: 9000 })
    const changed = await school.call(updateOrder, { order_id, version: 1, service_charge: 100 })
    expect(changed.code).toBe(0)
    expect(await fetched(order_id)).toMatchObject({ discounted_price: 9000, total_price: 9100 })
  })

  test('a plan that names a sub-order twice is refused', async () => {
    const { order_id, sub_order_ids } = await school.order()
    const [first] = sub_order_ids
    const sub_orders = [
      { sub_order_id: first, total_price: 10_000 },
      { sub_order_id: first, total_price: 10_000 },
      { total_price: 10_000 },
    ]
    const answer = await school.call(updateOrder, { order_id, version: 1, sub_orders })
    expect(answer).toMatchObject({ code: 40002, data: { errors: [{ param: 'sub_orders' }] } })
    expect(await fetched(order_id)).toMatchObject({ version: 1, sub_order_ids })
  })

  test('reducing the price to the received amount completes the order, also after a lock', async () => {
    for (const isUnlocked of [false, true]) {
      const { order_id, sub_order_ids } = await school.order()
      await pay(order_id, 10_000)
      if (isUnlocked)
        for (const status of ['locked', 'pending']) await school.call(updateStatus, { order_id, status })
      const { version } = await fetched(order_id)
      const sub_orders = [{ sub_order_id: sub_order_ids[0], total_price: 10_000 }]
      const { data } = await school.call(updateOrder, { order_id, version, listed_price: 10_000, sub_orders })
      expect(data.status).toBe('success')
    }
  })
})

describe('payments', () => {
  test('the sixteenth of a sub-order stays unapplied; it can be applied to another sub-order', async () => {
    const { order_id, sub_order_ids } = await school.order({ installment_count: 2 })
    const [first, second] = sub_order_ids
    for (let n = 1; n <= 15; n++) {
      const receipt = { receipt_num: n, comments: `payment ${n}` }
      expect(
        (await school.call(createPayment, { order_id, sub_order_id: first, price: n, ...receipt })).code,
      ).toBe(0)
    }
    const kept = await school.call(createPayment, { order_id, sub_order_id: first, price: 1000 })
    expect(kept).toMatchObject({ code: 0, data: { applied: false, because: expect.stringContaining('15') } })
    expect((await school.call(createPayment, { order_id, sub_order_id: second, price: 16 })).code).toBe(0)
    expect((await fetched(order_id)).paid_price).toBe(136)
    const row = (await financialRows(order_id)).find(({ sub_order_id }) => sub_order_id === first)!
    const shown = Array.from({ length: 15 }, (_, n) => [
      row[`payment${n + 1}_receipt_num`],
      row[`payment${n + 1}_price`],
    ])
    expect(shown).toEqual(Array.from({ length: 15 }, (_, n) => [n + 1, (n + 1) / 100]))
  })

  test('are not possible according to explain once every slot is used', async () => {
    const { order_id } = await school.order({ installment_count: 1 })
    for (let n = 0; n < 15; n++) await pay(order_id, 1)
    expect((await school.call(explainOrder, { order_id })).data.payment.is_possible).toBe(false)
  })

  test('fill the slots in order of completion, in any order of reporting', async () => {
    const { order_id } = await school.order({ installment_count: 1 })
    for (const [day, receipt_num] of [
      ['2026-03-03', 103],
      ['2026-03-01', 101],
      ['2026-03-04', 104],
      ['2026-03-02', 102],
    ])
      await school.call(createPayment, { order_id, price: 5, receipt_num, completed_time: `${day} 10:00:00` })
    const [row] = await financialRows(order_id)
    expect([1, 2, 3, 4, 5].map((slot) => row![`payment${slot}_receipt_num`])).toEqual([
      101,
      102,
      103,
      104,
      null,
    ])
  })

  test('beyond the debt are shown as over-payment, never as a debt', async () => {
    const { order_id } = await school.order({ installment_count: 1, listed_price: 100 })
    expect((await pay(order_id, 130)).data.order_status).toBe('success')
    expect((await pay(order_id, 20)).data.order_status).toBe('success')
    const { list } = (await school.call(listOrders, { page_size: 1000 })).data
    expect(list.find(({ entity_id }: { entity_id: string }) => entity_id === order_id)).toMatchObject({
      paid_price: 150,
      over_payment_price: 50,
      unpaid_price: 0,
    })
  })

  test('move an order to pending first, and to success last', async () => {
    const { order_id } = await school.order()
    const statuses = []
    for (const price of [1, 9_999, 10_000, 10_000])
      statuses.push((await pay(order_id, price)).data.order_status)
    expect(statuses).toEqual(['pending', 'pending', 'pending', 'success'])
    expect((await fetched(order_id)).sub_orders.map(({ status }: { status: string }) => status)).toEqual([
      'success',
      'success',
      'success',
    ])
  })
})

function pay(order_id: string, price: number) {
  return school.call(createPayment, { order_id, price })
}

async function paidOrder() {
  const order = await school.order({ installment_count: 1, listed_price: 10_000 })
  await pay(order.order_id, 10_000)
  return order
}

async function fetched(order_id: string) {
  return (await school.call(fetchOrder, { order_id })).data
}

async function financialRows(order_id: string): Promise<Record<string, unknown>[]> {
  const { list } = (await school.call(listFinancialRows, { page_size: 1000 })).data
  const rows = list.filter((row: { order_id: string }) => row.order_id === order_id)
  const { sub_order_ids } = await fetched(order_id)
  return sub_order_ids.map((id: string) =>
    rows.find((row: { sub_order_id: string }) => row.sub_order_id === id),
  )
}

async function orders(): Promise<number> {
  const text = 'select count(*)::int as count from orders'
  return (await server.database.superuser.query(text)).rows[0].count
}

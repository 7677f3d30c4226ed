import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Counter, openCounter } from '../../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { expireOrders } from '../expire-orders.ts'
import { listHistory } from '../ledger/list-history.ts'
import { fetchOrder } from '../listing/fetch-order.ts'
import { listFinancialRows } from '../listing/list-financial-rows.ts'
import { listOrders } from '../listing/list-orders.ts'
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

describe('money that has arrived is never refused: a payment', () => {
  test.each([
    ['canceled', {}, ['canceled']],
    ['locked', {}, ['locked']],
    ['expired', {}, ['expired']],
    ['tbd', { status: 'tbd' }, []],
    ['unconfirmed', { status: 'unconfirmed' }, []],
  ])('on an order that is %s is kept unapplied, and says why', async (status, made, moves) => {
    const { order_id } = await school.order(made)
    for (const to of moves) await school.call(updateStatus, { order_id, status: to })
    const before = await fetched(order_id)
    const notice = { order_id, price: 5000, charge_id: `late-${status}` }
    const kept = await school.call(createPayment, notice)
    expect(kept).toMatchObject({
      status: 200,
      code: 0,
      data: { applied: false, because: `the order is ${status}`, allocations: [], order_price: 5000 },
    })
    const after = await fetched(order_id)
    expect(after).toEqual({ ...before, mtime: after.mtime, version: before.version + 1 })
    const { list } = (await school.call(listHistory, { order_id, page_size: 100 })).data
    expect(list.at(-1)).toMatchObject({ change: 'payment', subject_id: kept.data.payment_id })
    // Gateways may report twice: the response is the same.
    expect((await school.call(createPayment, notice)).data).toEqual(kept.data)
  })

  test('made before the deadline of an expired order reopens it; one made after it does not', async () => {
    for (const [completed_time, isInTime] of [
      ['2026-01-31 23:59:59', true],
      ['2026-02-01 00:00:00', false],
    ]) {
      const { order_id } = await school.order({ first_payment_deadline: '2026-01-31' })
      expect(await expireOrders(server.db, school.corp_id, new Date())).toBe(1)
      expect((await fetched(order_id)).status).toBe('expired')
      const { data } = await school.call(createPayment, { order_id, price: 10_000, completed_time })
      expect(data).toMatchObject({ applied: isInTime, order_status: isInTime ? 'pending' : 'expired' })
      expect(await fetched(order_id)).toMatchObject({
        status: isInTime ? 'pending' : 'expired',
        paid_price: isInTime ? 10_000 : 0,
        unpaid_price: isInTime ? 20_000 : 0,
      })
      // Late instalments are then overdue, and the order does not expire again.
      expect(await expireOrders(server.db, school.corp_id, new Date())).toBe(0)
    }
  })

  test('dated in the future, or before the first accepted day, is refused', async () => {
    const { order_id } = await school.order()
    for (const completed_time of ['2099-01-01', '1970-01-01', '1999-12-31 23:59:59']) {
      const refused = await school.call(createPayment, { order_id, price: 1, completed_time })
      expect(refused).toMatchObject({ code: 40002, data: { errors: [{ param: 'completed_time' }] } })
    }
    expect((await fetched(order_id)).version).toBe(1)
  })
})

test('a late instalment does not expire an order that has received money: it is overdue', async () => {
  const { order_id } = await school.order({ first_payment_deadline: '2026-01-31' })
  await school.call(createPayment, { order_id, price: 10_000, completed_time: '2026-01-15' })
  expect(await expireOrders(server.db, school.corp_id, new Date())).toBe(0)
  expect(await fetched(order_id)).toMatchObject({ status: 'pending', unpaid_price: 20_000 })
  expect((await school.call(updateStatus, { order_id, status: 'expired' })).code).toBe(40904)
})

describe('a payment is allocated to the instalments', () => {
  test('in their order: a lump sum fills them all, each in its own slot', async () => {
    const { order_id, sub_order_ids } = await school.order()
    const told = { comments: 'All at once', charge_id: 'lump' }
    const { data } = await pay(order_id, 30_000, told)
    expect((await pay(order_id, 30_000, told)).data).toEqual(data)
    expect(data).toMatchObject({ applied: true, sub_order_id: sub_order_ids[0], order_status: 'success' })
    expect(data.allocations).toEqual(sub_order_ids.map((sub_order_id) => ({ sub_order_id, price: 10_000 })))
    const rows = await financialRows(order_id)
    for (const row of rows)
      expect(row).toMatchObject({
        paid_price: 100,
        unpaid_price: 0,
        payment1_id: data.payment_id,
        payment1_price: 100,
        payment1_comments: 'All at once',
        payment2_id: null,
      })
  })

  test('from the named one on, then on those before it; a surplus goes to the last', async () => {
    const { order_id, sub_order_ids } = await school.order()
    const named = { sub_order_id: sub_order_ids[1] }
    await pay(order_id, 15_000, named)
    expect(await paidParts(order_id)).toEqual([0, 10_000, 5000])
    await pay(order_id, 12_000, named)
    expect(await paidParts(order_id)).toEqual([7000, 10_000, 10_000])
    await pay(order_id, 4000, named)
    expect(await paidParts(order_id)).toEqual([10_000, 10_000, 11_000])
    expect(await listed(order_id)).toMatchObject({ over_payment_price: 1000, unpaid_price: 0 })
  })

  test('so that they sum to the order after any payments and refunds', async () => {
    const step = fc.record({
      isRefund: fc.boolean(),
      part: fc.option(fc.nat(3), { nil: undefined }),
      price: fc.integer({ min: 1, max: 25_000 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const { order_id, sub_order_ids } = await school.order({ installment_count: 4 })
        for (const { isRefund, part, price } of steps) {
          const named = part === undefined ? {} : { sub_order_id: sub_order_ids[part] }
          await school.call(isRefund ? createRefund : createPayment, { order_id, price, ...named })
        }
        const order = await fetched(order_id)
        const row = await listed(order_id)
        const sum = (name: string) =>
          order.sub_orders.reduce((all: number, part: Record<string, number>) => all + part[name]!, 0)
        expect(sum('total_price')).toBe(order.total_price)
        expect(sum('paid_price')).toBe(order.paid_price)
        expect(sum('refund_price')).toBe(row.refund_price)
        expect(sum('unpaid_price')).toBe(order.unpaid_price)
        expect(order.unpaid_price > 0 && row.over_payment_price > 0).toBe(false)
      }),
      { numRuns: 25 },
    )
  })

  test('in its own currency too: the parts sum to the payment', async () => {
    const { order_id } = await school.order({ listed_price: 1000, installment_count: 3 })
    await pay(order_id, 100, { currency: 'JPY', settled_price: 1000 })
    const rows = await financialRows(order_id)
    const prices = rows.map((row) => row.payment1_price as number)
    expect(prices.toSorted()).toEqual([33, 33, 34])
    expect(rows.map((row) => row.paid_price)).toEqual([3.33, 3.33, 3.34])
  })
})

describe('another currency', () => {
  test('counts with the settled amount, to the unit', async () => {
    const { order_id } = await school.order({ currency: 'USD', listed_price: 100_000, installment_count: 1 })
    const { data } = await pay(order_id, 1_384_615, { currency: 'KRW', settled_price: 100_000 })
    expect(data).toMatchObject({ order_price: 100_000, order_status: 'success' })
    const [row] = await financialRows(order_id)
    expect(row).toMatchObject({ payment1_price: 1_384_615, payment1_exchange_rate: 0.0007222224228395619 })
    const [payment] = (await fetched(order_id)).sub_orders[0].payments
    expect(payment).toMatchObject({ price: 1_384_615, exchange_rate: 7 })
  })

  test('has rates of any length, and shows them exactly where a number can', async () => {
    const { order_id } = await school.order({ currency: 'USD', listed_price: 100_000, installment_count: 1 })
    const { data } = await pay(order_id, 1_384_615, { currency: 'KRW', rate: '0.00072222242284' })
    expect(data.order_price).toBe(100_000)
    const [row] = await financialRows(order_id)
    expect(row!.payment1_exchange_rate).toBe(0.00072222242284)
    for (const wrong of [{ rate: '0' }, { rate: '1,5' }, { rate: '0.5', exchange_rate: 5001 }, {}])
      expect((await pay(order_id, 5, { currency: 'KRW', ...wrong })).code).toBe(40002)
    expect((await pay(order_id, 5, { settled_price: 4 })).code).toBe(40002)
  })

  test('the rate of an order is shown in its financial rows', async () => {
    const { order_id } = await school.order({ currency: 'USD', exchange_rate: 71_234 })
    for (const row of await financialRows(order_id)) expect(row.exchange_rate).toBe(7.1234)
    for (const { exchange_rate } of (await fetched(order_id)).sub_orders) expect(exchange_rate).toBe(71_234)
  })
})

test('a charge is one payment, from any source', async () => {
  const { order_id } = await school.order()
  const told = await pay(order_id, 500, { charge_id: 'X', source: 'payment_gateway' })
  for (const source of ['console', 'import', 'open_api'])
    expect((await pay(order_id, 500, { charge_id: 'X', source })).data).toEqual(told.data)
  expect((await pay(order_id, 501, { charge_id: 'X', source: 'import' })).code).toBe(40901)
  // A missing provider matches any; two providers are two charges.
  expect((await pay(order_id, 500, { charge_id: 'X', provider: 'other' })).data).toEqual(told.data)
  for (const provider of ['one', 'two']) await pay(order_id, 500, { charge_id: 'Y', provider })
  expect((await fetched(order_id)).paid_price).toBe(1500)
})

describe('a refund', () => {
  test('takes the surplus first, which then is gone', async () => {
    const { order_id, sub_order_ids } = await school.order()
    await pay(order_id, 31_000)
    expect(await listed(order_id)).toMatchObject({ over_payment_price: 1000 })
    const first = await school.call(createRefund, {
      order_id,
      sub_order_id: sub_order_ids[0],
      price: 400,
      reason: 'Agreed',
    })
    expect(first.data.allocations).toMatchObject([
      { sub_order_id: sub_order_ids[2], price: 400, surplus_price: 400, credited_price: 0 },
    ])
    expect(await listed(order_id)).toMatchObject({ over_payment_price: 600, refund_price: 400 })
    const second = await school.call(createRefund, {
      order_id,
      sub_order_id: sub_order_ids[0],
      price: 700,
      reason: 'Agreed',
    })
    expect(second.data.allocations).toMatchObject([
      { sub_order_id: sub_order_ids[0], price: 100, surplus_price: 0, credited_price: 100 },
      { sub_order_id: sub_order_ids[2], price: 600, surplus_price: 600, credited_price: 0 },
    ])
    expect(await listed(order_id)).toMatchObject({
      over_payment_price: 0,
      paid_price: 31_000,
      refund_price: 1100,
      unpaid_price: 0,
      status: 'success',
    })
  })

  test('spreads from the named sub-order backwards, or from the last that was paid', async () => {
    const { order_id, sub_order_ids } = await school.order()
    await pay(order_id, 25_000)
    const backs = async () =>
      (await fetched(order_id)).sub_orders.map((part: { refund_price: number }) => part.refund_price)
    await school.call(createRefund, { order_id, price: 7000, reason: 'Agreed' })
    expect(await backs()).toEqual([0, 2000, 5000])
    await school.call(createRefund, {
      order_id,
      sub_order_id: sub_order_ids[1],
      price: 9000,
      reason: 'Agreed',
    })
    expect(await backs()).toEqual([1000, 10_000, 5000])
    const tooMuch = await school.call(createRefund, {
      order_id,
      sub_order_id: sub_order_ids[0],
      price: 9001,
      reason: 'Agreed',
    })
    expect(tooMuch).toMatchObject({ code: 40904, msg: expect.stringContaining('At most 9000') })
    // The debt is not open again.
    expect(await fetched(order_id)).toMatchObject({ status: 'pending', unpaid_price: 5000 })
  })

  test('has a date, a method, a currency and a rate; a charge of a provider is one refund', async () => {
    const { order_id } = await school.order()
    await pay(order_id, 30_000)
    const refund = {
      order_id,
      price: 7200,
      charge_id: 'R',
      provider: 'bank',
      method: 'transfer',
      reason: 'Agreed',
    }
    const foreign = { ...refund, currency: 'USD', rate: '7.2' }
    const early = { ...refund, completed_time: '2010-03-01' }
    expect((await school.call(createRefund, early)).code).toBe(40002)
    const large = { ...foreign, returned_price: 99_999_999 }
    expect((await school.call(createRefund, large)).code).toBe(40002)
    expect(await school.call(createRefund, foreign)).toMatchObject({
      code: 40002,
      data: { errors: [{ param: 'returned_price' }] },
    })
    const told = await school.call(createRefund, { ...foreign, returned_price: 1000, reason: 'Agreed' })
    expect(told.code).toBe(0)
    expect(
      (await school.call(createRefund, { ...foreign, returned_price: 1000, reason: 'Agreed' })).data,
    ).toEqual(told.data)
    expect(
      (await school.call(createRefund, { ...foreign, price: 1, returned_price: 1000, reason: 'Agreed' }))
        .code,
    ).toBe(40901)
    const other = await school.call(createRefund, { ...refund, provider: 'card', reason: 'Agreed' })
    expect(other.data.refund_id).not.toBe(told.data.refund_id)
    expect(await listed(order_id)).toMatchObject({ refund_price: 14_400 })
    expect(
      (
        await school.call(createRefund, {
          ...refund,
          charge_id: 'S',
          completed_time: '2099-01-01',
          reason: 'Agreed',
        })
      ).code,
    ).toBe(40002)
  })
})

function pay(order_id: string, price: number, more: Record<string, unknown> = {}) {
  return school.call(createPayment, { order_id, price, ...more })
}

async function fetched(order_id: string) {
  return (await school.call(fetchOrder, { order_id })).data
}

async function paidParts(order_id: string): Promise<number[]> {
  return (await fetched(order_id)).sub_orders.map((part: { paid_price: number }) => part.paid_price)
}

async function listed(order_id: string) {
  const { list } = (await school.call(listOrders, { page_size: 1000 })).data
  return list.find(({ entity_id }: { entity_id: string }) => entity_id === order_id)
}

async function financialRows(order_id: string): Promise<Record<string, unknown>[]> {
  const { list } = (await school.call(listFinancialRows, { page_size: 1000 })).data
  const { sub_order_ids } = await fetched(order_id)
  return sub_order_ids.map((id: string) =>
    list.find((row: { sub_order_id: string }) => row.sub_order_id === id),
  )
}

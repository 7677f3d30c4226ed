import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Counter, openCounter } from '../../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { createUser } from '../../people/users/create-user.ts'
import { listHistory } from '../ledger/list-history.ts'
import { fetchOrder } from '../listing/fetch-order.ts'
import { listOrders } from '../listing/list-orders.ts'
import { paymentStates } from '../rules/payment-balance.ts'
import { updateStatus } from '../update-status.ts'
import { writeOffOrder } from '../write-off-order.ts'
import { applyPayment } from './apply-payment.ts'
import { createPayment } from './create-payment.ts'
import { createRefund } from './create-refund.ts'
import { listPayments } from './list-payments.ts'
import { listRefunds } from './list-refunds.ts'
import { movePayment } from './move-payment.ts'
import { transferMoney } from './transfer-money.ts'
import { unapplyPayment } from './unapply-payment.ts'
import { voidPayment } from './void-payment.ts'

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

const reason = 'As the bank says'

describe('a payment that bounced', () => {
  test('counts no longer: paid decreases, the status moves back, and both stay in the history', async () => {
    const { order_id } = await school.order()
    const first = await pay(order_id, 10_000)
    const second = await pay(order_id, 20_000)
    expect((await fetched(order_id)).status).toBe('success')
    const bounced = await school.call(voidPayment, { payment_id: second.payment_id, reason })
    expect(bounced.data).toMatchObject({ state: 'void', order_id, order_status: 'pending', order_version: 4 })
    expect(await fetched(order_id)).toMatchObject({
      status: 'pending',
      paid_price: 10_000,
      unpaid_price: 20_000,
    })
    await school.call(voidPayment, { payment_id: first.payment_id, reason })
    const after = await fetched(order_id)
    expect(after).toMatchObject({ status: 'created', paid_price: 0, unpaid_price: 30_000 })
    for (const part of after.sub_orders)
      expect(part).toMatchObject({ status: 'created', completed_time: '', payments: [] })
    const { list } = (await school.call(listHistory, { order_id })).data
    expect(list.map(({ change }: { change: string }) => change)).toEqual([
      ...['created', 'payment', 'payment', 'void', 'void'],
    ])
    expect(list[3]).toMatchObject({ subject_id: second.payment_id, reason, from_status: 'success' })
    const listed = await payments({ order_id })
    expect(listed.map(({ state, void_reason }) => [state, void_reason])).toEqual([
      ['void', reason],
      ['void', reason],
    ])
  })

  test('frees its slot, and the other payments stay where a debt is', async () => {
    const { order_id } = await school.order()
    const first = await pay(order_id, 10_000)
    await pay(order_id, 21_000)
    await school.call(voidPayment, { payment_id: first.payment_id, reason })
    // The surplus of 1000 on the last part now counts for the first one.
    const { sub_orders, unpaid_price } = await fetched(order_id)
    expect(sub_orders.map((part: { paid_price: number }) => part.paid_price)).toEqual([1000, 10_000, 10_000])
    expect(unpaid_price).toBe(9000)
  })

  test('is voided once; a fully refunded or unknown one is refused', async () => {
    const { order_id } = await school.order()
    const { payment_id } = await pay(order_id, 500)
    await school.call(createRefund, { order_id, price: 500, reason })
    expect((await school.call(voidPayment, { payment_id, reason })).code).toBe(40904)
    const other = await pay(order_id, 500)
    expect((await school.call(voidPayment, { payment_id: other.payment_id, reason })).code).toBe(0)
    expect((await school.call(voidPayment, { payment_id: other.payment_id, reason })).code).toBe(40904)
    expect((await school.call(voidPayment, { payment_id: 'nobody’s', reason })).code).toBe(40406)
    expect((await school.call(voidPayment, { payment_id })).code).toBe(40001)
    expect(await fetched(order_id)).toMatchObject({ paid_price: 500, post_refund_price: 0 })
  })

  test('is voided for the part that was not refunded, and each payment is independent of the others', async () => {
    const { order_id } = await school.order()
    const [named, other] = [await pay(order_id, 500), await pay(order_id, 40_000)]
    await school.call(createRefund, { order_id, price: 200, payment_id: named.payment_id, reason })
    const rest = await school.call(voidPayment, { payment_id: named.payment_id, reason })
    expect(rest.data).toMatchObject({ state: 'void', price: 300 })
    const whole = await school.call(voidPayment, { payment_id: other.payment_id, reason })
    expect(whole.data).toMatchObject({ price: 40_000 })
  })

  test('is voided on all orders with its money', async () => {
    const [a, b] = [await school.order(), await school.order()]
    const { payment_id } = await pay(a.order_id, 30_000)
    await transfer(a.order_id, b.order_id, 12_000)
    const voided = await school.call(voidPayment, { payment_id, reason })
    expect(voided.data).toMatchObject({ order_id: a.order_id, order_status: 'created' })
    for (const { order_id } of [a, b])
      expect(await fetched(order_id)).toMatchObject({ status: 'created', paid_price: 0 })
  })
})

test('a foreign payment on two orders is shown consistently on both, after a change of either', async () => {
  for (let n = 0; n < 40; n++) {
    const [a, b] = [await school.order(), await school.order()]
    const foreign = { price: 30 + n, currency: 'KWD', exchange_rate: 9000 + 137 * n }
    const paid = await school.call(createPayment, { order_id: a.order_id, ...foreign })
    const { payment_id, order_price } = paid.data
    expect((await transfer(a.order_id, b.order_id, 1 + (n % (order_price - 1)))).code).toBe(0)
    expect((await school.call(unapplyPayment, { payment_id, order_id: a.order_id })).code).toBe(0)
  }
  const wrong = (await checkLedger(server.db)).discrepancies.map(({ what }) => what)
  expect(wrong).toEqual([])
})

describe('unapplied money', () => {
  test('is listed, applied to this or another order, and unapplied again', async () => {
    const [locked, other] = [await school.order(), await school.order()]
    await school.call(updateStatus, { order_id: locked.order_id, status: 'locked' })
    const { payment_id, applied } = await pay(locked.order_id, 12_000)
    expect(applied).toBe(false)
    const apply = (order_id: string) => school.call(applyPayment, { payment_id, order_id })
    expect((await apply(locked.order_id)).code).toBe(40904)
    const taken = await apply(other.order_id)
    expect(taken.data).toMatchObject({ price: 12_000, state: 'applied', order_status: 'pending' })
    expect(taken.data.allocations).toEqual([
      { sub_order_id: other.sub_order_ids[0], price: 10_000 },
      { sub_order_id: other.sub_order_ids[1], price: 2000 },
    ])
    expect((await apply(other.order_id)).code).toBe(40904)
    const unapply = { payment_id, order_id: other.order_id }
    const off = await school.call(unapplyPayment, unapply)
    expect(off.data).toMatchObject({ price: 12_000, state: 'unapplied', order_status: 'created' })
    expect((await school.call(unapplyPayment, unapply)).code).toBe(40904)
    await school.call(updateStatus, { order_id: locked.order_id, status: 'created' })
    expect((await apply(locked.order_id)).data.order_status).toBe('pending')
    expect((await fetched(locked.order_id)).paid_price).toBe(12_000)
    const [listed] = await payments({ order_id: locked.order_id })
    expect(listed).toMatchObject({
      state: 'applied',
      unapplied_price: 0,
      unapplied_reason: 'the order is locked',
    })
  })

  test('is refunded by naming the payment, without an effect on the order', async () => {
    const { order_id } = await school.order()
    await school.call(updateStatus, { order_id, status: 'canceled' })
    const { payment_id } = await pay(order_id, 1000)
    const refund = (price: number) =>
      school.call(createRefund, { order_id, payment_id, price, reason: 'Agreed' })
    expect((await refund(600)).data).toMatchObject({
      allocations: [{ payment_id, sub_order_id: '', price: 600 }],
      sub_order_id: null,
    })
    expect((await refund(401)).msg).toContain('has 400 unapplied')
    const [waiting] = await payments({ order_id })
    expect(waiting).toMatchObject({ state: 'unapplied', unapplied_price: 400, refund_price: 600 })
    expect(await fetched(order_id)).toMatchObject({ paid_price: 0, post_refund_price: 0 })
    const another = await school.order()
    const applied = await school.call(applyPayment, { payment_id, order_id: another.order_id })
    expect(applied.data.price).toBe(400)
  })

  test('that was fully refunded is no longer listed', async () => {
    const { order_id } = await school.order()
    await school.call(updateStatus, { order_id, status: 'canceled' })
    const { payment_id } = await pay(order_id, 1000)
    for (const price of [600, 400])
      await school.call(createRefund, { order_id, payment_id, price, reason: 'Agreed' })
    const ended = { payment_id, state: 'refunded', unapplied_price: 0, refund_price: 1000 }
    expect(await payments({ order_id, state: 'refunded' })).toMatchObject([ended])
    expect(await payments({ order_id, state: 'unapplied' })).toEqual([])
    expect(await payments({ order_id, state: 'applied' })).toEqual([])
  })

  test('is applied once, with any number of concurrent calls', async () => {
    const orders = await Promise.all(Array.from({ length: 8 }, () => school.order()))
    const canceled = await school.order()
    await school.call(updateStatus, { order_id: canceled.order_id, status: 'canceled' })
    const { payment_id } = await pay(canceled.order_id, 700)
    const answers = await Promise.all(
      orders.map(({ order_id }) => school.call(applyPayment, { payment_id, order_id })),
    )
    expect(answers.map(({ code }) => code).sort()).toEqual([0, ...Array.from({ length: 7 }, () => 40904)])
    const sums = await Promise.all(orders.map(async ({ order_id }) => (await fetched(order_id)).paid_price))
    expect(sums.reduce((sum, paid) => sum + paid, 0)).toBe(700)
  })

  test('can be applied to orders in its currency only', async () => {
    const yen = await school.order({ currency: 'JPY' })
    const { order_id } = await school.order()
    await school.call(updateStatus, { order_id, status: 'canceled' })
    const { payment_id } = await pay(order_id, 1000)
    const refused = await school.call(applyPayment, { payment_id, order_id: yen.order_id })
    expect(refused).toMatchObject({ code: 40002, data: { errors: [{ param: 'order_id' }] } })
    expect((await school.call(applyPayment, { payment_id: 'none', order_id: yen.order_id })).code).toBe(40406)
    expect((await school.call(applyPayment, { payment_id, order_id: 'none' })).code).toBe(40402)
  })
})

describe('a transfer', () => {
  test('moves received money, counts gross receipts once, and shows on both orders', async () => {
    const [from, to] = [await school.order(), await school.order()]
    await pay(from.order_id, 20_000)
    await pay(from.order_id, 11_500)
    const { data } = await transfer(from.order_id, to.order_id, 12_500)
    expect(data).toMatchObject({
      from: { paid_price: 19_000, order_status: 'pending' },
      to: { paid_price: 12_500, order_status: 'pending' },
    })
    expect(await listed(from.order_id)).toMatchObject({
      is_transferred: true,
      transferred_id: to.order_id,
      paid_price: 19_000,
      refund_price: 0,
    })
    expect(await listed(to.order_id)).toMatchObject({
      is_transferred: true,
      transferred_id: from.order_id,
      paid_price: 12_500,
    })
    const { list } = (await school.call(listHistory, { order_id: to.order_id })).data
    expect(list.at(-1)).toMatchObject({ change: 'transfer', subject_id: data.transfer_id, reason })
  })

  test('lists the payment on its new order, with the allocations', async () => {
    const [from, to] = [await school.order(), await school.order()]
    const { payment_id } = await pay(from.order_id, 20_000)
    await transfer(from.order_id, to.order_id, 20_000)
    const { list, total } = (await school.call(listPayments, { order_id: to.order_id })).data
    expect({ total, list }).toMatchObject({
      total: 1,
      list: [{ payment_id, state: 'applied', order_id: from.order_id }],
    })
    const [row] = list
    expect(row.allocations.map((line: { order_id: string }) => line.order_id)).toEqual([
      ...[to.order_id, to.order_id],
    ])
  })

  test('of too much, to an order that cannot take it, or in another currency, changes nothing', async () => {
    const [from, to, yen] = [
      await school.order(),
      await school.order(),
      await school.order({ currency: 'JPY' }),
    ]
    await pay(from.order_id, 1000)
    await school.call(createRefund, { order_id: from.order_id, price: 300, reason: 'Agreed' })
    expect((await transfer(from.order_id, to.order_id, 701)).msg).toContain('At most 700')
    expect((await transfer(from.order_id, yen.order_id, 1)).code).toBe(40002)
    expect((await transfer(from.order_id, from.order_id, 1)).code).toBe(40002)
    expect((await transfer(from.order_id, 'none', 1)).code).toBe(40402)
    await school.call(updateStatus, { order_id: to.order_id, status: 'locked' })
    expect((await transfer(from.order_id, to.order_id, 1)).code).toBe(40904)
    expect(await fetched(from.order_id)).toMatchObject({ paid_price: 1000, version: 3 })
    expect(await fetched(to.order_id)).toMatchObject({ paid_price: 0, version: 2 })
  })

  test('in both directions at the same time, by many, loses nothing', async () => {
    const [a, b] = [await school.order(), await school.order()]
    await pay(a.order_id, 15_000)
    await pay(b.order_id, 15_000)
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 ? transfer(a.order_id, b.order_id, 100 + n) : transfer(b.order_id, a.order_id, 100 + n),
      ),
    )
    const sums = [await fetched(a.order_id), await fetched(b.order_id)].map(({ paid_price }) => paid_price)
    expect(sums[0] + sums[1]).toBe(30_000)
  })

  test('empties an order, so that it can be canceled', async () => {
    const [from, to] = [await school.order(), await school.order()]
    await pay(from.order_id, 30_000)
    await transfer(from.order_id, to.order_id, 30_000)
    expect((await school.call(updateStatus, { order_id: from.order_id, status: 'canceled' })).code).toBe(0)
    expect((await fetched(to.order_id)).status).toBe('success')
  })
})

describe('a write-off', () => {
  test('completes an order; a later payment is a surplus and reinstates nothing', async () => {
    const { order_id } = await school.order()
    await pay(order_id, 12_000)
    const written = await school.call(writeOffOrder, { order_id, reason })
    expect(written.data).toMatchObject({ price: 18_000, order_status: 'success' })
    expect(await fetched(order_id)).toMatchObject({ status: 'success', paid_price: 12_000, unpaid_price: 0 })
    expect((await school.call(writeOffOrder, { order_id, reason })).code).toBe(40904)
    const { payment_id } = await pay(order_id, 5000)
    expect(await fetched(order_id)).toMatchObject({ status: 'success', paid_price: 17_000, unpaid_price: 0 })
    expect(await writtenOff(order_id)).toBe(18_000)
    expect((await listed(order_id)).over_payment_price).toBe(5000)
    await school.call(voidPayment, { payment_id, reason })
    expect(await fetched(order_id)).toMatchObject({ status: 'success', paid_price: 12_000, unpaid_price: 0 })
  })

  test('needs an order that can be paid', async () => {
    for (const status of ['locked', 'canceled', 'expired']) {
      const { order_id } = await school.order()
      await school.call(updateStatus, { order_id, status })
      expect((await school.call(writeOffOrder, { order_id, reason })).code, status).toBe(40904)
    }
  })

  async function writtenOff(order_id: string): Promise<number> {
    const text = 'select sum(price)::int as price from order_write_offs where order_id = $1'
    return (await server.database.superuser.query(text, [order_id])).rows[0].price
  }
})

describe('the lists of payments and refunds', () => {
  test('filter by date, method, provider, person and state, and sort by time of payment', async () => {
    const own = await openCounter(server, 'Asia/Shanghai')
    const { user_id } = (await own.call(createUser, { email: 'else@example.com' })).data
    const [mine, theirs] = [await own.order(), await own.order({ user_id })]
    const told = [
      [mine, '2026-03-02 00:00:00', { method: 'card', provider: 'gate' }],
      [mine, '2026-03-01 23:59:59', { method: 'transfer' }],
      [theirs, '2026-03-01 00:00:00', { method: 'card' }],
      [theirs, '2026-02-28 23:59:59', {}],
    ] as const
    for (const [{ order_id }, completed_time, more] of told)
      await own.call(createPayment, { order_id, price: 100, completed_time, ...more })
    const find = async (filter: Record<string, unknown>) => {
      const { data } = await own.call(listPayments, filter)
      expect(data.total).toBeGreaterThanOrEqual(data.list.length)
      return data.list.map(({ completed_time }: { completed_time: string }) => completed_time)
    }
    const times = told.map(([, time]) => time).toReversed()
    expect(await find({})).toEqual(times)
    expect(await find({ page: 1, page_size: 3 })).toEqual(times.slice(3))
    expect(await find({ start_date: '2026-03-01', end_date: '2026-03-01' })).toEqual(times.slice(1, 3))
    expect(await find({ method: 'card' })).toEqual([times[1], times[3]])
    expect(await find({ provider: 'gate' })).toEqual([times[3]])
    expect(await find({ user_id })).toEqual(times.slice(0, 2))
    expect(await find({ state: 'unapplied' })).toEqual([])
    expect(await find({ state: 'applied' })).toEqual(times)
    expect((await own.call(listPayments, { start_date: '2026-03-02', end_date: '2026-03-01' })).code).toBe(
      40002,
    )
    expect((await own.call(listPayments, { page: 9 })).data).toMatchObject({ total: 4, list: [] })
    await own.call(createRefund, { order_id: mine.order_id, price: 50, method: 'cash', reason: 'Moved' })
    const { data } = await own.call(listRefunds, { method: 'cash', user_id: own.user_id })
    expect(data).toMatchObject({
      total: 1,
      list: [{ price: 50, returned_price: 50, currency: 'CNY', reason: 'Moved', order_id: mine.order_id }],
    })
    expect((await own.call(listRefunds, { user_id })).data.total).toBe(0)
    // Nothing of another organization is visible.
    expect((await school.call(listPayments, { user_id })).code).toBe(40401)
    expect((await school.call(listPayments, { order_id: mine.order_id })).code).toBe(40402)
  })
})

test('the lists of all states together are the whole list, with any other filter', async () => {
  const dollars = {
    order_id: (await school.order()).order_id,
    price: 7,
    currency: 'USD',
    exchange_rate: 70_000,
  }
  const { payment_id } = (await school.call(createPayment, dollars)).data
  const to_order_id = (await school.order({ currency: 'USD' })).order_id
  expect((await school.call(movePayment, { payment_id, to_order_id, reason })).code).toBe(0)
  const all = await payments({ page_size: 1000 })
  expect(new Set(all.map(({ state }) => state)).size).toBe(paymentStates.length)
  const { user_id } = school
  const filters = all.slice(-5).map(({ order_id }) => ({ order_id }))
  for (const filter of [{}, { user_id }, { method: 'card' }, { end_date: '2026-03-01' }, ...filters]) {
    const whole = await payments({ ...filter, page_size: 1000 })
    for (const state of paymentStates) {
      const { data } = await school.call(listPayments, { ...filter, state, page_size: 1000 })
      const wanted = whole.filter((payment) => payment.state === state)
      expect(data, JSON.stringify({ ...filter, state })).toMatchObject({ total: wanted.length, list: wanted })
    }
  }
})

async function pay(order_id: string, price: number) {
  const { code, data } = await school.call(createPayment, { order_id, price })
  expect(code).toBe(0)
  return data
}

function transfer(from_order_id: string, to_order_id: string, price: number) {
  return school.call(transferMoney, { from_order_id, to_order_id, price, reason })
}

async function payments(filter: Record<string, unknown>) {
  return (await school.call(listPayments, filter)).data.list as Record<string, unknown>[]
}

async function fetched(order_id: string) {
  return (await school.call(fetchOrder, { order_id })).data
}

async function listed(order_id: string) {
  const { list } = (await school.call(listOrders, { page_size: 1000 })).data
  return list.find(({ entity_id }: { entity_id: string }) => entity_id === order_id)
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atOnce, type Counter, codesOf, openCounter } from '../../test/harness/ledger.ts'
import { type Answer, startTestServer, type TestServer } from '../../test/harness/server.ts'
import { checkLedger } from '../backoffice/finance/check-ledger.ts'
import { createOrder } from './create-order.ts'
import { fetchOrder } from './listing/fetch-order.ts'
import { createPayment } from './payments/create-payment.ts'
import { createRefund } from './payments/create-refund.ts'
import { listPayments } from './payments/list-payments.ts'
import { updateOrder } from './update-order.ts'
import { updateStatus } from './update-status.ts'

/** Everything here is sent at once, over HTTP, to the real server. */
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

const crowd = 100

describe('a hundred simultaneous deliveries of one payment notification', () => {
  test('with the same charge_id make one payment, and all get the same response', async () => {
    const { order_id } = await school.order()
    const notice = { order_id, price: 10_000, source: 'payment_gateway', charge_id: 'ch_1' }
    const answers = await atOnce(crowd, () => school.bytes(createPayment, notice))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(JSON.parse(answers[0]!.text)).toMatchObject({ code: 0, data: { order_status: 'pending' } })
    expect(await paymentsOf(order_id)).toHaveLength(1)
    // It stays so after the order has changed.
    await school.call(updateStatus, { order_id, status: 'canceled', retain: true, reason: 'Gone' })
    expect((await school.bytes(createPayment, notice)).text).toBe(answers[0]!.text)
  })

  test('with the same Idempotency-Key and no charge_id make one payment: one response, 99 replays', async () => {
    const { order_id } = await school.order()
    const notice = { order_id, price: 10_000 }
    const answers = await atOnce(crowd, () =>
      school.bytes(createPayment, notice, { 'Idempotency-Key': 'delivery-1' }),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(JSON.parse(answers[0]!.text).code).toBe(0)
    const replays = answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')
    expect(replays).toHaveLength(crowd - 1)
    expect(await paymentsOf(order_id)).toHaveLength(1)
  })

  test('with two contents make one payment of one of them; the others are 40901', async () => {
    const { order_id } = await school.order()
    const answers = await atOnce(crowd, (n) =>
      school.call(createPayment, { order_id, price: 1000 + (n % 2), charge_id: 'disputed' }),
    )
    expect(codesOf(answers)).toEqual({ 0: crowd / 2, 40901: crowd / 2 })
    expect(await paymentsOf(order_id)).toHaveLength(1)
  })

  test('for two orders make one payment of one of them', async () => {
    const orders = [await school.order(), await school.order()]
    const answers = await atOnce(crowd, (n) =>
      school.call(createPayment, { order_id: orders[n % 2]!.order_id, price: 7, charge_id: 'one of two' }),
    )
    expect(codesOf(answers)).toEqual({ 0: crowd / 2, 40901: crowd / 2 })
    const made = await Promise.all(orders.map(({ order_id }) => paymentsOf(order_id)))
    expect(made.flat()).toHaveLength(1)
  })

  test('are one payment from any source; charges of two providers are two payments', async () => {
    const { order_id } = await school.order()
    const sources = ['payment_gateway', 'console', 'open_api', 'import']
    const answers = await atOnce(crowd, (n) => {
      const provider = n % 2 === 0 ? 'card' : 'bank'
      const charge = { charge_id: 'same id', source: sources[n % 4], provider }
      return school.call(createPayment, { order_id, price: 100, ...charge })
    })
    expect(codesOf(answers)).toEqual({ 0: crowd })
    expect(new Set(answers.map(({ data }) => data.payment_id)).size).toBe(2)
    expect(await paymentsOf(order_id)).toHaveLength(2)
  })
})

describe('a hundred refunds that race', () => {
  test('for the last unit: one gets it', async () => {
    const { order_id, sub_order_ids } = await school.order({ installment_count: 1, listed_price: 100 })
    await school.call(createPayment, { order_id, price: 100 })
    await school.call(createRefund, { order_id, sub_order_id: sub_order_ids[0], price: 99, reason: 'Agreed' })
    const refund = { order_id, sub_order_id: sub_order_ids[0], price: 1, reason: 'Agreed' }
    const answers = await atOnce(crowd, () => school.call(createRefund, refund))
    expect(codesOf(answers)).toEqual({ 0: 1, 40904: crowd - 1 })
    expect((await fetched(order_id)).post_refund_price).toBe(0)
  })

  test('in different ways never return more than was received', async () => {
    const { order_id, sub_order_ids } = await school.order({ installment_count: 1, listed_price: 100 })
    const payments = await atOnce(2, () => school.call(createPayment, { order_id, price: 50 }))
    const ways = [
      { sub_order_id: sub_order_ids[0] },
      ...payments.map(({ data }) => ({ payment_id: data.payment_id })),
    ]
    const answers = await atOnce(crowd, (n) =>
      school.call(createRefund, { order_id, ...ways[n % 3], price: 3 + (n % 5), reason: 'Agreed' }),
    )
    const { paid_price, post_refund_price } = await fetched(order_id)
    const given = answers
      .filter(({ code }) => code === 0)
      .reduce((sum, { data }) => sum + (data.price as number), 0)
    expect(paid_price - post_refund_price).toBe(given)
    expect(given).toBeLessThanOrEqual(100)
    // A rest larger than the smallest refund remains only if its payment is used up.
    expect(given).toBeGreaterThan(90)
  })

  test('of one charge make one refund, with the same response', async () => {
    const { order_id, sub_order_ids } = await school.order({ installment_count: 1 })
    await school.call(createPayment, { order_id, price: 30_000 })
    const refund = { order_id, sub_order_id: sub_order_ids[0], price: 5, charge_id: 're_1', reason: 'Moved' }
    const answers = await atOnce(crowd, () => school.bytes(createRefund, refund))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect((await fetched(order_id)).post_refund_price).toBe(29_995)
  })
})

test('of a hundred concurrent payments of an instalment, the first fifteen are allocated, the others stay unapplied', async () => {
  const { order_id, sub_order_ids } = await school.order({ installment_count: 1 })
  const payment = { order_id, sub_order_id: sub_order_ids[0], price: 1 }
  const answers = await atOnce(crowd, () => comingAgain(() => school.call(createPayment, payment)))
  expect(codesOf(answers)).toEqual({ 0: crowd })
  const versions = answers.flatMap(({ data }) => (data.applied ? [data.order_version] : []))
  expect(versions.sort((a, b) => a - b)).toEqual(Array.from({ length: 15 }, (_, n) => n + 2))
  expect((await fetched(order_id)).paid_price).toBe(15)
  const unapplied = await school.call(listPayments, { order_id, state: 'unapplied' })
  expect(unapplied.data.total).toBe(crowd - 15)
})

test('a hundred creations with one external_id make one order, with the same response', async () => {
  const order = { user_id: school.user_id, currency: 'CNY', listed_price: 500, external_id: 'checkout-1' }
  const answers = await atOnce(crowd, () => school.bytes(createOrder, order))
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(await count(`orders where corp_id = $1 and external_id = $2`, 'checkout-1')).toBe(1)
  const other = await school.call(createOrder, { ...order, listed_price: 501 })
  expect(other).toMatchObject({ code: 40901, data: { order_id: JSON.parse(answers[0]!.text).data.order_id } })
})

test('of fifty updates of one version, one succeeds and 49 are refused as stale', async () => {
  const { order_id } = await school.order()
  const answers = await atOnce(50, (n) =>
    school.call(updateOrder, { order_id, version: 1, contract_id: `C-${n}` }),
  )
  expect(codesOf(answers)).toEqual({ 0: 1, 40902: 49 })
  expect(answers.find(({ code }) => code === 0)!.data.version).toBe(2)
})

test('concurrent payments and a cancellation: earlier payments are retained, later ones stay unapplied', async () => {
  for (let round = 0; round < 5; round++) {
    const { order_id } = await school.order({ installment_count: 12, listed_price: 1_000_000 })
    const [canceled, ...paid] = await Promise.all([
      school.call(updateStatus, { order_id, status: 'canceled', retain: true, reason: 'Too late' }),
      ...Array.from({ length: 10 }, () => school.call(createPayment, { order_id, price: 10 })),
    ])
    expect(canceled.code).toBe(0)
    for (const { code, data } of paid) {
      expect(code).toBe(0)
      expect(data.order_version < canceled.data.version).toBe(data.applied)
    }
    const taken = paid.filter(({ data }) => data.applied).length
    expect(await fetched(order_id)).toMatchObject({ status: 'canceled', paid_price: 10 * taken })
  }
})

/** On a slow machine, the last of many calls are refused with Retry-After and have had no effect. */
async function comingAgain(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await call()
    if (answer.code !== 50301) return answer
  }
}

async function fetched(order_id: string) {
  return (await school.call(fetchOrder, { order_id })).data
}

async function paymentsOf(order_id: string): Promise<unknown[]> {
  const { sub_orders } = await fetched(order_id)
  return sub_orders.flatMap(({ payments }: { payments: unknown[] }) => payments)
}

async function count(rows: string, value: string): Promise<number> {
  const text = `select count(*)::int as count from ${rows}`
  return (await server.database.superuser.query(text, [school.corp_id, value])).rows[0].count
}

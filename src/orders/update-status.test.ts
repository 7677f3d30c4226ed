import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Counter, openCounter } from '../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../test/harness/server.ts'
import { legalMoves } from '../../test/histories/order-model.ts'
import { explainOrder } from './explain-order.ts'
import { fetchOrder } from './fetch-order.ts'
import { listHistory } from './list-history.ts'
import { createPayment } from './payments/create-payment.ts'
import { createRefund } from './payments/create-refund.ts'
import { orderStatuses } from './rules/status.ts'
import { updateOrder } from './update-order.ts'
import { updateStatus } from './update-status.ts'

let server: TestServer
let school: Counter

beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openCounter(server)
})
afterAll(() => server.close())

/** How an order comes to each status: what it is made with, and the calls that follow. */
type Way = [made: Record<string, unknown>, ...steps: (string | number)[]]
const ways: Record<string, Way> = {
  tbd: [{ status: 'tbd' }],
  unconfirmed: [{ status: 'unconfirmed' }],
  created: [{}],
  pending: [{}, 10],
  locked: [{}, 'locked'],
  'locked once paid': [{}, 30_000, 'locked'],
  success: [{}, 30_000],
  'success without money': [{}, 'success'],
  'success, all refunded': [{}, 30_000, -30_000],
  'success, half refunded': [{}, 30_000, -15_000],
  expired: [{}, 10, 'expired'],
  canceled: [{}, 10, 'canceled'],
}

describe.each(Object.keys(ways))('an order that is %s', (name) => {
  test('moves exactly where the rules and order/explain say; the refusal names the legal moves', async () => {
    const { order_id } = await orderThatIs(name)
    const explained = (await school.call(explainOrder, { order_id })).data
    const status = name.split(/,? /)[0]!
    expect(explained.status).toBe(status)
    const possible = explained.moves
      .filter(({ is_possible }: { is_possible: boolean }) => is_possible)
      .map(({ status: to }: { status: string }) => to)
    const mayCancel = !['success', 'success, half refunded'].includes(name)
    const legal = (legalMoves.get(status) ?? []).filter((to) => to !== 'canceled' || mayCancel)
    expect(possible.sort()).toEqual(legal.sort())
    for (const to of orderStatuses) {
      const tried = await orderThatIs(name)
      const answer = await school.call(updateStatus, { order_id: tried.order_id, status: to })
      expect(answer.code, `${name} → ${to}`).toBe(possible.includes(to) ? 0 : 40904)
      if (answer.code === 0) {
        expect(answer.data.status).toBe(to)
        continue
      }
      expect(answer.data.allowed.toSorted()).toEqual(legal)
      expect(answer.msg).toContain(status)
    }
  })

  test('takes payments and refunds as order/explain says', async () => {
    const { order_id, sub_order_ids } = await orderThatIs(name)
    const { payment, refund } = (await school.call(explainOrder, { order_id })).data
    const [sub_order_id] = sub_order_ids
    const tooMuch = await school.call(createRefund, { order_id, sub_order_id, price: refund.at_most + 1 })
    expect(tooMuch.code).toBe(40904)
    if (refund.at_most > 0) {
      const all = await school.call(createRefund, { order_id, sub_order_id, price: refund.at_most })
      expect(all.code).toBe(0)
    }
    expect(refund.is_possible).toBe(refund.at_most > 0)
    const paid = await school.call(createPayment, { order_id, price: 1 })
    expect(paid.code).toBe(payment.is_possible ? 0 : 40904)
  })
})

describe('cancelling a completed order', () => {
  test('is refused before its money went back, and allowed after', async () => {
    const { order_id, sub_order_ids } = await orderThatIs('success')
    const before = await school.call(updateStatus, { order_id, status: 'canceled' })
    expect(before).toMatchObject({ code: 40904, data: { allowed: ['locked'] } })
    expect(before.msg).toContain('refunded')
    await school.call(createRefund, { order_id, sub_order_id: sub_order_ids[0], price: 29_999 })
    expect((await school.call(updateStatus, { order_id, status: 'canceled' })).code).toBe(40904)
    await school.call(createRefund, { order_id, sub_order_id: sub_order_ids[0], price: 1 })
    expect((await school.call(updateStatus, { order_id, status: 'canceled' })).code).toBe(0)
    expect(await fetched(order_id)).toMatchObject({
      status: 'canceled',
      post_refund_price: 0,
      unpaid_price: 0,
    })
  })
})

describe('a payment is refused with 40904, which names the legal moves, on an order that is', () => {
  test.each([
    ['expired', ['created']],
    ['canceled', []],
    ['locked', ['created', 'pending', 'success', 'canceled']],
    ['tbd', ['unconfirmed', 'created', 'canceled']],
    ['unconfirmed', ['created', 'canceled', 'expired']],
  ])('%s', async (name, allowed) => {
    const { order_id } = await orderThatIs(name)
    const before = await fetched(order_id)
    const refused = await school.call(createPayment, { order_id, price: 5, charge_id: `refused-${name}` })
    expect(refused).toMatchObject({ status: 409, code: 40904, data: { allowed } })
    expect(refused.msg).toContain(name)
    expect(await fetched(order_id)).toEqual(before)
  })

  test('locked, and is taken once it is unlocked: the gateway tells again', async () => {
    const { order_id } = await orderThatIs('locked')
    const notice = { order_id, price: 30_000, charge_id: 'told-again' }
    expect((await school.call(createPayment, notice)).code).toBe(40904)
    await school.call(updateStatus, { order_id, status: 'created' })
    expect((await school.call(createPayment, notice)).data.order_status).toBe('success')
  })
})

describe('the history of an order', () => {
  test('has who, when, why, and before and after of every change', async () => {
    const { order_id, sub_order_ids } = await school.order()
    const paid = await school.call(createPayment, { order_id, price: 10_000, comments: 'By card' })
    await school.call(updateStatus, { order_id, status: 'locked', reason: 'Dispute' })
    await school.call(updateStatus, { order_id, status: 'pending' })
    await school.call(updateOrder, { order_id, version: 4, contract_id: 'C-7', reason: 'Signed' })
    const { total, list } = (await school.call(listHistory, { order_id })).data
    expect(total).toBe(5)
    const facts = list.map(({ version, change, from_status, to_status, reason }: Record<string, unknown>) => [
      version,
      change,
      from_status,
      to_status,
      reason,
    ])
    expect(facts).toEqual([
      [1, 'created', null, 'created', null],
      [2, 'payment', 'created', 'pending', 'By card'],
      [3, 'status', 'pending', 'locked', 'Dispute'],
      [4, 'status', 'locked', 'pending', null],
      [5, 'updated', null, 'pending', 'Signed'],
    ])
    for (const { executor_id, time } of list) {
      expect(executor_id).toBe(school.account.app_id)
      expect(time).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    }
    expect(list[1]).toMatchObject({
      subject_id: paid.data.payment_id,
      before: { order: { status: 'created' }, sub_orders: { [sub_order_ids[0]!]: { status: 'created' } } },
      after: { order: { status: 'pending' }, sub_orders: { [sub_order_ids[0]!]: { status: 'success' } } },
    })
    expect(list[2]).toMatchObject({
      before: { order: { is_locked: false } },
      after: { order: { is_locked: true } },
    })
    expect(list[4].before.order).toEqual({ contract_id: null })
    expect(list[4].after.order).toEqual({ contract_id: 'C-7' })
    expect(list[0].before).toEqual({ order: {}, sub_orders: {} })
    const page = (await school.call(listHistory, { order_id, page: 1, page_size: 2 })).data
    expect(page.list).toEqual(list.slice(2, 4))
  })

  test('keeps a refused change out', async () => {
    const { order_id } = await school.order()
    await school.call(updateStatus, { order_id, status: 'unconfirmed' })
    await school.call(createPayment, { order_id, price: 1, currency: 'USD' })
    await school.call(updateOrder, { order_id, version: 9, contract_id: 'x' })
    await school.call(updateOrder, {
      order_id,
      version: 1,
      contract_id: 'x',
      service_charge: 1,
      sub_orders: [{ total_price: 1 }],
    })
    expect((await school.call(listHistory, { order_id })).data.total).toBe(1)
  })
})

async function orderThatIs(name: string) {
  const [made, ...steps] = ways[name]!
  const order = await school.order({ installment_count: 1, ...made })
  const { order_id } = order
  for (const step of steps) {
    const answer =
      typeof step === 'string'
        ? await school.call(updateStatus, { order_id, status: step })
        : step > 0
          ? await school.call(createPayment, { order_id, price: step })
          : await school.call(createRefund, { order_id, sub_order_id: order.sub_order_ids[0], price: -step })
    expect(answer.code).toBe(0)
  }
  return order
}

async function fetched(order_id: string) {
  return (await school.call(fetchOrder, { order_id })).data
}

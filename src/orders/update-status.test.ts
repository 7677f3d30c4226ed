import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testKeyring } from '../../test/harness/keyring.ts'
import { type Counter, openCounter } from '../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../test/harness/server.ts'
import { legalMoves } from '../../test/histories/order-model.ts'
import { createAccount } from '../access/organizations/manage-accounts.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { orderStatuses } from '../contract/order-statuses.ts'
import { explainOrder } from './ledger/explain-order.ts'
import { listHistory } from './ledger/list-history.ts'
import { fetchOrder } from './listing/fetch-order.ts'
import { createPayment } from './payments/create-payment.ts'
import { createRefund } from './payments/create-refund.ts'
import { updateOrder } from './update-order.ts'
import { updateStatus } from './update-status.ts'
import { writeOffOrder } from './write-off-order.ts'

let server: TestServer
let school: Counter

beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openCounter(server)
})
afterAll(() => server.close())

/** The way to each status: the input of the creation, and the following calls. */
type Way = [made: Record<string, unknown>, ...steps: (string | number)[]]
const ways: Record<string, Way> = {
  tbd: [{ status: 'tbd' }],
  unconfirmed: [{ status: 'unconfirmed' }],
  created: [{}],
  pending: [{}, 10],
  locked: [{}, 'locked'],
  'locked once paid': [{}, 30_000, 'locked'],
  success: [{}, 30_000],
  'success, written off': [{}, 'write off'],
  'success, free': [{ listed_price: 0 }],
  'success, all refunded': [{}, 30_000, -30_000],
  'success, half refunded': [{}, 30_000, -15_000],
  'pending, all refunded': [{}, 10, -10],
  expired: [{}, 'expired'],
  canceled: [{}, 'canceled'],
  'canceled, deposit retained': [{}, 10, 'retain'],
}

/** Whether the order has received money, holds some of it, and owes nothing. */
const money = (name: string) => {
  const numbers = ways[name]!.filter((step) => typeof step === 'number')
  return {
    hasReceived: numbers.length > 0,
    holds: numbers.reduce((sum, step) => sum + step, 0) > 0,
    isCovered: numbers[0] === 30_000 || /written off|free/.test(name),
  }
}

describe.each(Object.keys(ways))('an order that is %s', (name) => {
  test('moves exactly as the rules and order/explain say; the refusal names the legal moves', async () => {
    const { order_id } = await orderThatIs(name)
    const explained = (await school.call(explainOrder, { order_id })).data
    const status = name.split(/,? /)[0]!
    expect(explained.status).toBe(status)
    const possible = explained.moves
      .filter(({ is_possible }: { is_possible: boolean }) => is_possible)
      .map(({ status: to }: { status: string }) => to)
    const { hasReceived, holds, isCovered } = money(name)
    const implied = isCovered ? 'success' : hasReceived ? 'pending' : 'created'
    const legal = (legalMoves.get(status) ?? []).filter(
      (to) =>
        (to !== 'canceled' || !holds) &&
        (to !== 'expired' || !hasReceived) &&
        !(['created', 'pending'].includes(status) && ['pending', 'success'].includes(to)) &&
        !(status === 'locked' && ['created', 'pending', 'success'].includes(to) && to !== implied),
    )
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
    const tooMuch = await school.call(createRefund, {
      order_id,
      sub_order_id,
      price: refund.at_most + 1,
      reason: 'Agreed',
    })
    expect(tooMuch.code).toBe(40904)
    if (refund.at_most > 0) {
      const all = await school.call(createRefund, {
        order_id,
        sub_order_id,
        price: refund.at_most,
        reason: 'Agreed',
      })
      expect(all.code).toBe(0)
    }
    expect(refund.is_possible).toBe(refund.at_most > 0)
    const paid = await school.call(createPayment, { order_id, price: 1 })
    expect(paid).toMatchObject({ code: 0, data: { applied: payment.is_possible } })
  })
})

describe('canceling an order that holds money', () => {
  test.each(['pending', 'success', 'locked once paid'])(
    'is refused while it is %s, until the money is refunded',
    async (name) => {
      const { order_id } = await orderThatIs(name)
      const { paid_price } = await fetched(order_id)
      const before = await school.call(updateStatus, { order_id, status: 'canceled' })
      expect(before).toMatchObject({ code: 40904 })
      expect(before.data.allowed).not.toContain('canceled')
      expect(before.msg).toContain(`holds ${paid_price}`)
      await school.call(createRefund, { order_id, price: paid_price - 1, reason: 'Agreed' })
      expect((await school.call(updateStatus, { order_id, status: 'canceled' })).code).toBe(40904)
      await school.call(createRefund, { order_id, price: 1, reason: 'Agreed' })
      expect((await school.call(updateStatus, { order_id, status: 'canceled' })).code).toBe(0)
      expect(await fetched(order_id)).toMatchObject({
        status: 'canceled',
        post_refund_price: 0,
        unpaid_price: 0,
      })
    },
  )

  test('retains it on request, with a reason, by an account with finance', async () => {
    const { order_id } = await orderThatIs('pending')
    const cancel = { order_id, status: 'canceled', retain: true }
    expect(await school.call(updateStatus, cancel)).toMatchObject({
      code: 40001,
      data: { errors: [{ param: 'reason' }] },
    })
    const reason = 'The deposit is not returned'
    const writer = await server.tokenOf(
      await createAccount(
        server.database.owner,
        testKeyring,
        { name: 'Sales', corp_ids: [school.corp_id], permissions: ['read', 'write'] },
        new Date(),
      ),
    )
    const bySales = await server.call(
      updateStatus,
      { corp_id: school.corp_id, ...cancel, reason },
      { token: writer },
    )
    expect(bySales.code).toBe(40303)
    const notCanceled = { order_id, status: 'locked', retain: true, reason }
    expect((await school.call(updateStatus, notCanceled)).code).toBe(40002)
    expect((await fetched(order_id)).status).toBe('pending')
    expect((await school.call(updateStatus, { ...cancel, reason })).code).toBe(0)
    expect(await fetched(order_id)).toMatchObject({ status: 'canceled', paid_price: 10, unpaid_price: 0 })
    expect(await retained(order_id)).toEqual([10])
    // Money that is refunded later is no longer retained.
    expect((await school.call(createRefund, { order_id, price: 4, reason: 'Agreed' })).code).toBe(0)
    expect(await retained(order_id)).toEqual([10, -4])
  })
})

describe('an account with write', () => {
  test('cannot make an unpaid order a success, or an order free', async () => {
    const { order_id } = await orderThatIs('created')
    const account = { name: 'Sales', corp_ids: [school.corp_id], permissions: ['read', 'write'] }
    const made = await createAccount(server.database.owner, testKeyring, account, new Date())
    const token = await server.tokenOf(made)
    const call = (endpoint: Endpoint, input: Record<string, unknown>) =>
      server.call(endpoint, { corp_id: school.corp_id, order_id, ...input }, { token })
    expect((await call(updateStatus as never, { status: 'success' })).code).toBe(40904)
    expect((await call(updateOrder as never, { version: 1, listed_price: 0 })).code).toBe(40303)
    expect((await call(updateOrder as never, { version: 1, discounted_price: 0 })).code).toBe(40303)
    expect((await call(writeOffOrder as never, { reason: 'A friend' })).code).toBe(40303)
    expect(await fetched(order_id)).toMatchObject({ status: 'created', version: 1, unpaid_price: 30_000 })
    expect((await school.call(updateOrder, { order_id, version: 1, listed_price: 0 })).data.status).toBe(
      'success',
    )
  })
})

test('a confirmed free order is complete', async () => {
  for (const status of ['tbd', 'unconfirmed']) {
    const { order_id } = await school.order({ status, listed_price: 0 })
    const moved = await school.call(updateStatus, { order_id, status: 'created' })
    expect(moved.data.status).toBe('success')
  }
})

describe('the history of an order', () => {
  test('has author, time, reason, and the values before and after of every change', async () => {
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

  test('has no refused change', async () => {
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
        ? await called(order_id, step)
        : step > 0
          ? await school.call(createPayment, { order_id, price: step })
          : await school.call(createRefund, {
              order_id,
              sub_order_id: order.sub_order_ids[0],
              price: -step,
              reason: 'Agreed',
            })
    expect(answer.code).toBe(0)
  }
  return order
}

function called(order_id: string, step: string) {
  if (step === 'write off') return school.call(writeOffOrder, { order_id, reason: 'Insolvent' })
  if (step !== 'retain') return school.call(updateStatus, { order_id, status: step })
  return school.call(updateStatus, {
    order_id,
    status: 'canceled',
    retain: true,
    reason: 'The deposit stays',
  })
}

async function retained(order_id: string): Promise<number[]> {
  const text = 'select price::int from order_retentions where order_id = $1 order by at'
  return (await server.database.superuser.query(text, [order_id])).rows.map(({ price }) => price)
}

async function fetched(order_id: string) {
  return (await school.call(fetchOrder, { order_id })).data
}

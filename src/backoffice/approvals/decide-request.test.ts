import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { atOnce, type Counter, codesOf, openCounter } from '../../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hire, type Tab } from '../../../test/harness/staff.ts'
import { createAccount } from '../../access/organizations/manage-accounts.ts'
import { confirmationMs } from '../../access/staff/sessions.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { newId } from '../../contract/new-id.ts'
import { changeLimits } from '../../orders/limits/manage-refund-limits.ts'
import { fetchOrder } from '../../orders/listing/fetch-order.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { createRefund } from '../../orders/payments/create-refund.ts'
import { transferMoney } from '../../orders/payments/transfer-money.ts'
import { unapplyPayment } from '../../orders/payments/unapply-payment.ts'
import { checkLedger } from '../finance/check-ledger.ts'
import { approveRequest, declineRequest } from './decide-request.ts'
import { listApprovals } from './list-approvals.ts'

let server: TestServer
let school: Counter
let clerk: Tab
/** Another account with the permission finance. */
let second: (endpoint: Endpoint, input: Record<string, unknown>) => ReturnType<TestServer['call']>
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openCounter(server)
  const { corp_id } = school
  await changeLimits(server.db.of(corp_id), corp_id, 'refund', { CNY: 5000 }, new Date())
  clerk = (await hire(server, 'finance', corp_id)).tab
  const wanted = { name: 'Second', corp_ids: [corp_id] }
  const token = await server.tokenOf(
    await createAccount(server.database.owner, testKeyring, wanted, new Date()),
  )
  second = (endpoint, input) => server.call(endpoint, { corp_id, ...input }, { token })
})
afterAll(async () => {
  expect(await checkLedger(server.db)).toMatchObject({ total: 0, discrepancies: [] })
  await server.close()
})

async function paidOrder(price = 30_000): Promise<string> {
  const { order_id } = await school.order({ listed_price: price, installment_count: 1 })
  await school.call(createPayment, { order_id, price })
  return order_id
}
async function refundedOf(order_id: string): Promise<number> {
  const { paid_price, post_refund_price } = (await school.call(fetchOrder, { order_id })).data
  return paid_price - post_refund_price
}
const refund = (order_id: string, price: number, more: object = {}) =>
  school.call(createRefund, { order_id, price, reason: 'Agreed', ...more })
const listed = async (state?: string) =>
  (await school.call(listApprovals, { page_size: 1000, ...(state && { state }) })).data.list

describe('a refund beyond the limit', () => {
  test('waits without an effect; up to the limit it is made at once', async () => {
    const order_id = await paidOrder()
    expect((await refund(order_id, 5000)).data).toMatchObject({ state: 'done', request_id: null })
    const other = await paidOrder()
    const answer = await refund(other, 5001, { reason: 'Withdrew' })
    expect(answer).toMatchObject({
      status: 200,
      code: 0,
      data: { state: 'waiting', refund_id: null, allocations: [] },
    })
    expect(await refundedOf(other)).toBe(0)
    expect((await listed('waiting')).at(-1)).toMatchObject({
      ...{ request_id: answer.data.request_id, order_id: other, price: 5001, currency: 'CNY' },
      ...{ reason: 'Withdrew', state: 'waiting', requested_by: school.account.app_id, decided_by: '' },
    })
  })

  test('is listed with its order and the user of the order', async () => {
    const order_id = await paidOrder()
    const { request_id } = (await refund(order_id, 6000)).data
    await refund(await paidOrder(), 6000)
    const { data } = await school.call(listApprovals, { order_id })
    expect(data).toMatchObject({ total: 1, list: [{ request_id, order_id, user_id: school.user_id }] })
  })

  test('cannot be split into small ones', async () => {
    const order_id = await paidOrder()
    expect((await refund(order_id, 3000)).data.state).toBe('done')
    expect((await refund(order_id, 2000)).data.state).toBe('done')
    expect((await refund(order_id, 1)).data.state).toBe('waiting')
    const another = await paidOrder()
    const states = (await atOnce(8, () => refund(another, 1000))).map(({ data }) => data.state)
    expect(states.filter((state) => state === 'done')).toHaveLength(5)
    expect(await refundedOf(another)).toBe(5000)
  })

  test('cannot be split by unapplying payments first', async () => {
    const { order_id } = await school.order({ listed_price: 12_000, installment_count: 1 })
    const states: string[] = []
    for (let n = 0; n < 3; n++) {
      const { payment_id } = (await school.call(createPayment, { order_id, price: 4000 })).data
      await school.call(unapplyPayment, { payment_id, reason: 'Of somebody else' })
      states.push((await refund(order_id, 4000, { payment_id })).data.state)
    }
    expect(states).toEqual(['done', 'waiting', 'waiting'])
  })

  test('cannot be split by moving money to other orders first', async () => {
    const from_order_id = await paidOrder(12_000)
    const states: string[] = []
    for (let n = 0; n < 3; n++) {
      const { order_id: to_order_id } = await school.order({ listed_price: 4000, installment_count: 1 })
      await school.call(transferMoney, { from_order_id, to_order_id, price: 4000, reason: 'Another course' })
      states.push((await refund(to_order_id, 4000)).data.state)
    }
    expect(states).toEqual(['done', 'waiting', 'waiting'])
  })

  test('also counts in the currency of the returned amount', async () => {
    const order_id = await paidOrder()
    const inDollars = { currency: 'USD', returned_price: 1, rate: '7' }
    expect((await refund(order_id, 7, inDollars)).data.state).toBe('waiting')
    const { corp_id } = school
    await changeLimits(server.db.of(corp_id), corp_id, 'refund', { CNY: 5000, EUR: 300 }, new Date())
    const inEuros = (returned_price: number) =>
      refund(order_id, returned_price, { currency: 'EUR', returned_price, rate: '1' })
    const states = [await inEuros(200), await inEuros(100), await inEuros(1)].map(({ data }) => data.state)
    expect(states).toEqual(['done', 'done', 'waiting'])
    await changeLimits(server.db.of(corp_id), corp_id, 'refund', { CNY: 5000 }, new Date())
  })

  test('that is impossible is refused at once', async () => {
    const order_id = await paidOrder()
    expect((await refund(order_id, 30_001)).code).toBe(40904)
    expect((await refund(newId(), 6000)).code).toBe(40402)
  })

  test('is requested once for any number of repeated calls', async () => {
    const order_id = await paidOrder()
    const one = await refund(order_id, 6000, { charge_id: newId() })
    const twin = await refund(order_id, 6000)
    const again = await refund(order_id, 6000)
    expect(twin.data.request_id).toBe(again.data.request_id)
    expect(one.data.request_id).not.toBe(twin.data.request_id)
  })

  test('is reported in a dry run, without a request', async () => {
    const order_id = await paidOrder()
    const before = (await listed()).length
    expect((await refund(order_id, 6000, { dry_run: true })).data.state).toBe('waiting')
    expect((await listed()).length).toBe(before)
  })

  test('always waits in a currency without its own limit', async () => {
    const { order_id } = await school.order({ currency: 'USD', listed_price: 100, installment_count: 1 })
    await school.call(createPayment, { order_id, price: 100 })
    expect((await refund(order_id, 1)).data.state).toBe('waiting')
  })
})

describe('a second person', () => {
  const waiting = async (price = 6000) => {
    const order_id = await paidOrder()
    return { order_id, request_id: (await refund(order_id, price)).data.request_id as string }
  }

  test('approves, and the refund is made', async () => {
    const { order_id, request_id } = await waiting()
    const answer = await second(approveRequest, { request_id })
    expect(answer.data).toMatchObject({ request_id, state: 'approved', requested_by: school.account.app_id })
    expect(answer.data.refund_id).toMatch(/^[0-9a-f]{32}$/)
    expect(await refundedOf(order_id)).toBe(6000)
  })

  test('can preview the effect of the approval', async () => {
    const { order_id, request_id } = await waiting()
    const { data } = await second(approveRequest, { request_id, dry_run: true })
    expect(data).toMatchObject({
      ...{ state: 'approved', request_id },
      orders: [{ order_id, before: { refund_price: 0 }, after: { refund_price: 6000 } }],
    })
    expect(await refundedOf(order_id)).toBe(0)
    expect((await second(approveRequest, { request_id })).data.state).toBe('approved')
    expect((await second(approveRequest, { request_id, dry_run: true })).code).toBe(40904)
  })

  test('may be a member of staff, and needs a recent confirmation', async () => {
    const { order_id, request_id } = await waiting()
    const { corp_id } = school
    try {
      server.setNow(new Date(Date.now() + confirmationMs + 60_000))
      expect((await clerk.call(approveRequest, { corp_id, request_id })).code).toBe(40304)
    } finally {
      server.setNow(undefined)
    }
    expect((await clerk.call(approveRequest, { corp_id, request_id })).code).toBe(0)
    expect(await refundedOf(order_id)).toBe(6000)
    const viewer = (await hire(server, 'viewer', corp_id)).tab
    expect((await viewer.call(listApprovals, { corp_id })).code).toBe(40303)
  })

  test('declines with a reason, and nothing is refunded', async () => {
    const { order_id, request_id } = await waiting()
    const { data } = await second(declineRequest, { request_id, reason: 'Not by contract' })
    expect(data).toMatchObject({ state: 'declined', decline_reason: 'Not by contract', refund_id: '' })
    expect(await refundedOf(order_id)).toBe(0)
    expect((await second(approveRequest, { request_id })).code).toBe(40904)
  })

  test('is not the requester, who can neither approve nor decline', async () => {
    const { order_id, request_id } = await waiting()
    for (const endpoint of [approveRequest, declineRequest])
      expect((await school.call(endpoint, { request_id })).code).toBe(40309)
    expect(await refundedOf(order_id)).toBe(0)
  })

  test('decides once, with any number of concurrent decisions', async () => {
    const { order_id, request_id } = await waiting()
    const { corp_id } = school
    const answers = await atOnce(9, (n) =>
      n % 3 === 0
        ? second(declineRequest, { request_id })
        : n % 3 === 1
          ? second(approveRequest, { request_id })
          : clerk.call(approveRequest, { corp_id, request_id }),
    )
    expect(codesOf(answers)).toEqual({ 0: 1, 40904: 8 })
    const won = answers.find(({ code }) => code === 0)!.data
    expect(await refundedOf(order_id)).toBe(won.state === 'approved' ? 6000 : 0)
  })

  test('cannot refund money that is no longer held: the request keeps waiting', async () => {
    const order_id = await paidOrder()
    const requests = await Promise.all([20_000, 20_001].map((price) => refund(order_id, price)))
    const [one, two] = requests.map(({ data }) => data.request_id)
    expect((await second(approveRequest, { request_id: one })).code).toBe(0)
    expect((await second(approveRequest, { request_id: two })).code).toBe(40904)
    expect((await listed('waiting')).map(({ request_id }: { request_id: string }) => request_id)).toContain(
      two,
    )
  })

  test('of another organization finds no such request', async () => {
    const { request_id } = await waiting()
    const other = await openCounter(server)
    const foreign = await other.call(approveRequest, { request_id })
    const missing = await other.call(approveRequest, { request_id: newId() })
    expect(foreign.code).toBe(40423)
    expect([foreign.status, foreign.msg]).toEqual([missing.status, missing.msg])
  })
})

test.each(['approval_requests', 'approval_decisions', 'limit_requests', 'limit_decisions'])(
  '%s are only ever added to by the server',
  async (table) => {
    const { rows } = await server.database.superuser.query(
      `select bool_or(has_table_privilege('matricula_app', $1, p)) as may from unnest('{update,delete,truncate}'::text[]) p`,
      [table],
    )
    expect(rows[0].may).toBe(false)
  },
)

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { atOnce, type Counter, openCounter } from '../../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { createAccount } from '../../access/organizations/manage-accounts.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { newId } from '../../contract/new-id.ts'
import { createOrder } from '../../orders/create-order.ts'
import { changeLimits } from '../../orders/limits/manage-refund-limits.ts'
import type { LimitKind } from '../../orders/limits/money-limit-store.ts'
import { fetchOrder } from '../../orders/listing/fetch-order.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { voidPayment } from '../../orders/payments/void-payment.ts'
import { updateOrder } from '../../orders/update-order.ts'
import { updateStatus } from '../../orders/update-status.ts'
import { writeOffOrder } from '../../orders/write-off-order.ts'
import { approveRequest, declineRequest } from './decide-request.ts'
import { listApprovals } from './list-approvals.ts'

let server: TestServer
let school: Counter
let token: string

beforeAll(async () => {
  server = await startTestServer()
  school = await openCounter(server)
  const { corp_id } = school
  const second = { name: 'Second', corp_ids: [corp_id], permissions: ['read', 'write', 'finance'] }
  token = await server.tokenOf(await createAccount(server.database.owner, testKeyring, second, new Date()))
})
afterAll(() => server.close())

const reason = 'By mistake'
const limit = (kind: LimitKind, price: number) =>
  changeLimits(server.db.of(school.corp_id), school.corp_id, kind, { CNY: price }, new Date())
const approve = (request_id: string) =>
  server.call(approveRequest as Endpoint, { corp_id: school.corp_id, request_id }, { token })
const totalOf = async (order_id: string) => (await school.call(fetchOrder, { order_id })).data.total_price
const statusOf = async (order_id: string) => (await school.call(fetchOrder, { order_id })).data.status
const pay = async (order_id: string, price: number) =>
  (await school.call(createPayment, { order_id, price })).data.payment_id

async function expectToWait(
  answer: { code: number; data: { state: string; request_id: string } },
  kind: string,
) {
  expect(answer).toMatchObject({ code: 0, data: { state: 'waiting', request_id: expect.any(String) } })
  const { list } = (await school.call(listApprovals, { state: 'waiting', kind })).data
  expect(list).toContainEqual(expect.objectContaining({ request_id: answer.data.request_id, kind }))
  const own = await school.call(approveRequest, { request_id: answer.data.request_id })
  expect(own.code).toBe(40309)
  expect((await approve(answer.data.request_id)).data).toMatchObject({ state: 'approved', kind })
}

describe('beyond its own limit, a second person approves', () => {
  test('a void: the sum of the voids of an order counts', async () => {
    await limit('void', 5000)
    const { order_id } = await school.order()
    const [small, large] = [await pay(order_id, 5000), await pay(order_id, 6000)]
    const done = await school.call(voidPayment, { payment_id: small, reason })
    expect(done.data).toMatchObject({ state: 'void', request_id: null })
    await expectToWait(await school.call(voidPayment, { payment_id: large, reason }), 'void')
    expect(await statusOf(order_id)).toBe('created')
  })

  test('a write-off', async () => {
    await limit('write_off', 5000)
    const { order_id } = await school.order()
    const small = await school.call(writeOffOrder, { order_id, price: 5000, reason })
    expect(small.data).toMatchObject({ state: 'done', price: 5000 })
    await expectToWait(await school.call(writeOffOrder, { order_id, price: 25_000, reason }), 'write_off')
    expect(await statusOf(order_id)).toBe('success')
  })

  test('money that a canceled order retains', async () => {
    await limit('retention', 5000)
    const { order_id } = await school.order()
    await pay(order_id, 5001)
    const canceled = { order_id, status: 'canceled', retain: true, reason }
    await expectToWait(await school.call(updateStatus, canceled), 'retention')
    expect(await statusOf(order_id)).toBe('canceled')
  })

  test('a discount', async () => {
    await limit('discount', 5000)
    const { order_id } = await school.order()
    const small = await school.call(updateOrder, { order_id, version: 1, manual_discount: 5000 })
    expect(small.data).toMatchObject({ state: 'done', version: 2 })
    const large = { order_id, version: 2, manual_discount: 5001 }
    await expectToWait(await school.call(updateOrder, large), 'discount')
    expect(await totalOf(order_id)).toBe(24_999)
  })
})

describe('a discount of a new order beyond the limit', () => {
  beforeAll(() => limit('discount', 5000))
  const sell = (more: object = {}) =>
    school.call(createOrder, {
      ...{ user_id: school.user_id, currency: 'CNY', listed_price: 30_000, manual_discount: 5001, ...more },
    })
  const plan = [
    { total_price: 10_000, payment_deadline: '2031-01-31 23:59:59' },
    { total_price: 14_999, payment_deadline: '2031-02-28 23:59:59' },
  ]
  const planOf = async (order_id: string) =>
    (await school.call(fetchOrder, { order_id })).data.sub_orders.map(
      ({ total_price, payment_deadline }: Record<string, unknown>) => ({ total_price, payment_deadline }),
    )

  test('waits; the order is created without it, and gets it after the approval', async () => {
    const sold = await sell({ sub_orders: plan })
    expect(sold.data).toMatchObject({ total_price: 30_000, state: 'waiting' })
    const { order_id } = sold.data
    expect(await totalOf(order_id)).toBe(30_000)
    await expectToWait(sold, 'discount')
    expect(await totalOf(order_id)).toBe(24_999)
    expect(await planOf(order_id)).toEqual(plan)
  })

  test('is the same request in a repeated call, and none in a dry run', async () => {
    const shown = await sell({ dry_run: true })
    expect(shown.data).toMatchObject({ state: 'waiting', total_price: 30_000 })
    expect((await school.call(fetchOrder, { order_id: shown.data.order_id })).code).toBe(40402)
    const external_id = newId()
    const [one, two] = await atOnce(2, () => sell({ external_id }))
    expect(two!.data).toEqual(one!.data)
    const { order_id, request_id } = one!.data
    expect((await sell({ external_id })).data).toEqual(one!.data)
    await approve(request_id)
    expect((await sell({ external_id })).data).toMatchObject({ order_id, state: 'done', request_id: null })
    expect((await sell({ external_id, manual_discount: 5002 })).code).toBe(40901)
  })

  test('does not change the order if it is declined', async () => {
    const { order_id, request_id } = (await sell({ installment_count: 3 })).data
    const before = (await school.call(fetchOrder, { order_id })).data
    const decline = { corp_id: school.corp_id, request_id, reason: 'Too much' }
    expect((await server.call(declineRequest as Endpoint, decline, { token })).code).toBe(0)
    expect((await school.call(fetchOrder, { order_id })).data).toEqual(before)
  })

  test('is not given to an order that changed, and the response says so', async () => {
    const { order_id, request_id } = (await sell()).data
    await pay(order_id, 1)
    const refused = await approve(request_id)
    expect([refused.code, refused.data.reason]).toEqual([40902, 'order_changed'])
    expect(refused.msg).toMatch(/has changed since this was requested.*version 2, not 1.*Decline the request/)
    expect(await totalOf(order_id)).toBe(30_000)
  })

  test('up to the limit needs no second approver', async () => {
    const sold = await sell({ manual_discount: 5000 })
    expect(sold.data).toMatchObject({ total_price: 25_000, state: 'done', request_id: null })
  })
})

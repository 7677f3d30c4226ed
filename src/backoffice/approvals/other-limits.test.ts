import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { type Counter, openCounter } from '../../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { createAccount } from '../../access/organizations/manage-accounts.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { createOrder } from '../../orders/create-order.ts'
import { changeLimits } from '../../orders/limits/manage-refund-limits.ts'
import type { LimitKind } from '../../orders/limits/money-limit-store.ts'
import { fetchOrder } from '../../orders/listing/fetch-order.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { voidPayment } from '../../orders/payments/void-payment.ts'
import { updateOrder } from '../../orders/update-order.ts'
import { updateStatus } from '../../orders/update-status.ts'
import { writeOffOrder } from '../../orders/write-off-order.ts'
import { approveRequest } from './decide-request.ts'
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
const statusOf = async (order_id: string) => (await school.call(fetchOrder, { order_id })).data.status
const pay = async (order_id: string, price: number) =>
  (await school.call(createPayment, { order_id, price })).data.payment_id

async function expectToWait(
  answer: { code: number; data: { state: string; request_id: string } },
  kind: string,
) {
  expect(answer).toMatchObject({ code: 0, data: { state: 'waiting', request_id: expect.any(String) } })
  const { list } = (await school.call(listApprovals, { state: 'waiting', kind })).data
  expect(list).toMatchObject([{ request_id: answer.data.request_id, kind }])
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

  test('a discount; an order is created without it first', async () => {
    await limit('discount', 5000)
    const { order_id } = await school.order()
    const small = await school.call(updateOrder, { order_id, version: 1, manual_discount: 5000 })
    expect(small.data).toMatchObject({ state: 'done', version: 2 })
    const large = { order_id, version: 2, manual_discount: 5001 }
    await expectToWait(await school.call(updateOrder, large), 'discount')
    expect((await school.call(fetchOrder, { order_id })).data.total_price).toBe(24_999)
    const created = { user_id: school.user_id, currency: 'CNY', listed_price: 30_000, manual_discount: 5001 }
    expect((await school.call(createOrder, created)).code).toBe(40904)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testKeyring } from '../../test/harness/keyring.ts'
import { type Counter, openCounter } from '../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../test/harness/server.ts'
import { hireStaff } from '../../test/harness/staff.ts'
import { createAccount } from '../access/organizations/manage-accounts.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { newId } from '../contract/new-id.ts'
import { createOrder } from './create-order.ts'
import { changeLimits } from './limits/manage-refund-limits.ts'
import { fetchOrder } from './listing/fetch-order.ts'
import { upsertCourse } from './offerings/upsert-course.ts'
import { createPayment } from './payments/create-payment.ts'
import { updateOrder } from './update-order.ts'
import { updateStatus } from './update-status.ts'
import { writeOffOrder } from './write-off-order.ts'

type Call = (endpoint: Endpoint, input: object) => ReturnType<TestServer['call']>

let server: TestServer
let school: Counter
let course_id: string
let callers: Record<'program' | 'counsellor', Call>

/** A program and a member of staff, each with the permissions read and write, in a school with a discount limit. */
beforeAll(async () => {
  server = await startTestServer()
  school = await openCounter(server)
  const { corp_id } = school
  const course = { course_code: newId(), name: 'EMBA', currency: 'CNY', listed_price }
  course_id = (await school.call(upsertCourse, course)).data.course_id
  await changeLimits(server.db.of(corp_id), corp_id, 'discount', { CNY: 50_000 }, new Date())
  const wanted = { name: 'Shop', corp_ids: [corp_id], permissions: ['read', 'write'] }
  const account = await createAccount(server.database.owner, testKeyring, wanted, new Date())
  const token = await server.tokenOf(account)
  const counsellor = await hireStaff(server, corp_id, 'counsellor')
  callers = {
    program: (endpoint, input) => server.call(endpoint, { corp_id, ...input }, { token }),
    counsellor: (endpoint, input) => counsellor.call(endpoint, input as Record<string, unknown>),
  }
})
afterAll(() => server.close())

const listed_price = 1_000_000
const cheap = [
  { discounted_price: 1 },
  { manual_discount: listed_price - 1 },
  { listed_price: 1 },
  { listed_price: 500_000, discounted_price: 1 },
]
const kinds = ['program', 'counsellor'] as const
const totalOf = async (order_id: string) => (await school.call(fetchOrder, { order_id })).data.total_price
const sold = async () =>
  (await school.call(createOrder, { user_id: school.user_id, course_id })).data.order_id as string
const update = async (call: Call, order_id: string, more: object) => {
  const { version } = (await school.call(fetchOrder, { order_id })).data
  return call(updateOrder, { order_id, version, ...more })
}

describe.each(kinds)('a %s with the permission write alone', (kind) => {
  test.each(cheap)('sells nothing of 1000000 for 1: %j', async (price) => {
    const made = await callers[kind](createOrder, { user_id: school.user_id, course_id, ...price })
    if (kind === 'counsellor') return expect(made.code).toBe(40303)
    expect(made).toMatchObject({ code: 0, data: { state: 'waiting', total_price: listed_price } })
    expect(await totalOf(made.data.order_id)).toBe(listed_price)
  })

  test.each(cheap)('makes no order of 1000000 one of 1: %j', async (price) => {
    const order_id = await sold()
    const changed = await update(callers[kind], order_id, price)
    if (kind === 'counsellor') expect(changed.code).toBe(40303)
    else expect(changed).toMatchObject({ code: 0, data: { state: 'waiting' } })
    expect(await totalOf(order_id)).toBe(listed_price)
  })

  test('cannot reduce a paid order, neither at once nor after locking it', async () => {
    const order_id = await sold()
    await school.call(createPayment, { order_id, price: listed_price })
    const before = (await school.call(fetchOrder, { order_id })).data
    const less = [{ discounted_price: 900_000 }, { discounted_price: 999_999 }, { listed_price: 999_999 }]
    for (const price of less) expect((await update(callers[kind], order_id, price)).code).toBe(40904)
    await callers[kind](updateStatus, { order_id, status: 'locked', reason: 'Dispute' })
    for (const price of less) expect((await update(callers[kind], order_id, price)).code).toBe(40904)
    const open = await callers[kind](updateStatus, { order_id, status: 'created' })
    expect(open.code).toBe(40904)
    const { total_price, paid_price } = (await school.call(fetchOrder, { order_id })).data
    expect([total_price, paid_price]).toEqual([before.total_price, before.paid_price])
  })

  test('cannot write off', async () => {
    const order_id = await sold()
    const wanted = { order_id, price: listed_price - 1, reason: 'Gone' }
    expect((await callers[kind](writeOffOrder, wanted)).code).toBe(40303)
  })
})

test('the discount limit counts all steps of an order, by the manual discount and by the listed price', async () => {
  const order_id = await sold()
  const stepped = [{ listed_price: 970_000 }, { manual_discount: 20_000 }]
  for (const price of stepped)
    expect((await update(callers.program, order_id, price)).data.state).toBe('done')
  for (const price of [{ manual_discount: 20_001 }, { listed_price: 969_999 }])
    expect((await update(callers.program, order_id, price)).data.state).toBe('waiting')
  expect((await update(callers.program, order_id, { manual_discount: 0 })).data.state).toBe('done')
})

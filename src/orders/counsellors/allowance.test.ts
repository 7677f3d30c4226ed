import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { type Counter, openCounter } from '../../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hireStaff, type TestColleague } from '../../../test/harness/staff.ts'
import { createAccount } from '../../access/organizations/manage-accounts.ts'
import { confirmationMs } from '../../access/staff/sessions.ts'
import { fetchOrganization, updateOrganization } from '../../backoffice/settings/organization-settings.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { newId } from '../../contract/new-id.ts'
import { createOrder } from '../create-order.ts'
import { fetchOrder } from '../listing/fetch-order.ts'
import { upsertCoupon } from '../offerings/upsert-coupon.ts'
import { upsertCourse } from '../offerings/upsert-course.ts'
import { createPayment } from '../payments/create-payment.ts'
import { updateOrder } from '../update-order.ts'

let server: TestServer
let school: Counter
let counsellor: TestColleague
let finance: TestColleague
let admin: TestColleague
let course_id: string
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openCounter(server)
  counsellor = await hireStaff(server, school.corp_id, 'counsellor')
  finance = await hireStaff(server, school.corp_id, 'finance')
  admin = await hireStaff(server, school.corp_id, 'admin')
  course_id = await makeCourse()
})
afterAll(() => server?.close())

const listed_price = 100_000

async function makeCourse(more: object = {}): Promise<string> {
  const wanted = { course_code: newId(), name: 'EMBA', currency: 'CNY', listed_price, ...more }
  return (await school.call(upsertCourse, wanted)).data.course_id
}
async function makeCoupon(terms: object): Promise<string> {
  const coupon_id = newId()
  expect((await school.call(upsertCoupon, { coupon_id, ...terms })).code).toBe(0)
  return coupon_id
}
const sell = (more: object = {}, by = counsellor) =>
  by.call(createOrder, { user_id: school.user_id, course_id, ...more })
const change = async (order_id: string, more: object, by = counsellor) => {
  const { version } = (await school.call(fetchOrder, { order_id })).data
  return by.call(updateOrder, { order_id, version, ...more })
}
const soldBy = async (by: TestColleague, more: object = {}) => (await sell(more, by)).data.order_id as string

describe('a counsellor sells at the list price', () => {
  test('and not below it, by manual discount, discounted price or listed price', async () => {
    expect((await sell()).code).toBe(0)
    for (const less of [
      { manual_discount: listed_price },
      { manual_discount: 1 },
      { discounted_price: 0 },
      { discounted_price: listed_price - 1 },
      { listed_price: 0 },
      { listed_price: listed_price - 1 },
      { listed_price: listed_price - 1, service_charge: listed_price },
    ])
      expect([less, (await sell(less)).code]).toEqual([less, 40303])
  })

  test('and no order without a list price: without a course, or in another currency than the course', async () => {
    const { user_id } = school
    const without = { user_id, listed_price: 1, currency: 'CNY' }
    expect((await counsellor.call(createOrder, without)).data.reason).toBe('no_list_price')
    const inYen = await sell({ currency: 'JPY', listed_price, exchange_rate: 1 })
    expect([inYen.code, inYen.data.reason]).toEqual([40303, 'no_list_price'])
  })

  test('and no free order, by a coupon of 100 % or of a free course', async () => {
    const all = await makeCoupon({ basis_points: 10_000 })
    expect((await sell({ coupon_ids: [all] })).data.reason).toBe('free_order')
    expect((await sell({ coupon_ids: [all], service_charge: 1 })).code).toBe(40303)
    expect((await sell({ course_id: await makeCourse({ listed_price: 0 }) })).code).toBe(40303)
    expect((await sell({ coupon_ids: [all] }, finance)).code).toBe(0)
  })

  test('less the coupons of finance, computed from the list price', async () => {
    const half = await makeCoupon({ basis_points: 5000 })
    expect((await sell({ coupon_ids: [half] })).data.total_price).toBe(50_000)
    // A higher listed price would make the coupon worth more, and hide a discount.
    const raised = { listed_price: 200_000, coupon_ids: [half], discounted_price: 49_999 }
    expect((await sell(raised)).data).toMatchObject({ reason: 'price_too_low', lowest_price: 50_000 })
    expect((await sell({ ...raised, discounted_price: 50_000 })).code).toBe(0)
  })

  test('and a refusal names the lowest possible price', async () => {
    const refused = await sell({ manual_discount: 1 })
    expect(refused.data).toMatchObject({
      ...{ reason: 'price_too_low', lowest_price: listed_price, currency: 'CNY' },
      errors: [{ param: 'discounted_price' }],
    })
    expect(refused.msg).toMatch(/must be at least 100000/)
  })

  test('in a dry run, too', async () => {
    expect((await sell({ manual_discount: 1, dry_run: true })).code).toBe(40303)
  })
})

describe('a counsellor who changes an order', () => {
  test('cannot lower its price, its listed price or its charges', async () => {
    const order_id = await soldBy(finance, { service_charge: 500, foreign_service_charge: 500 })
    for (const less of [
      { manual_discount: 1 },
      { discounted_price: 0 },
      { listed_price: 0, discounted_price: 0 },
      { listed_price: listed_price - 1 },
      { service_charge: 0 },
      { foreign_service_charge: 499 },
      { manual_discount: 1, dry_run: true },
    ])
      expect([less, (await change(order_id, less)).code]).toEqual([less, 40303])
    expect((await school.call(fetchOrder, { order_id })).data.total_price).toBe(listed_price + 1000)
  })

  test('keeps a price that finance set, and cannot lower it further', async () => {
    const order_id = await soldBy(finance, { manual_discount: 40_000 })
    const halves = [{ total_price: 30_000 }, { total_price: 30_000 }]
    expect((await change(order_id, { sub_orders: halves })).code).toBe(0)
    const coupon = await makeCoupon({ amount: 30_000, currency: 'CNY' })
    const further = await change(order_id, { coupon_ids: [coupon] })
    expect(further.data).toMatchObject({ reason: 'price_too_low', lowest_price: 60_000 })
    // Listing at the given price would hide the discount from the next one.
    const hidden = await change(order_id, { listed_price: 60_000, discounted_price: 60_000 })
    expect(hidden.data).toMatchObject({ reason: 'listed_price_too_low', lowest_price: listed_price })
    expect((await change(order_id, { discounted_price: 70_000 })).code).toBe(0)
    expect((await change(order_id, { discounted_price: 60_000 })).code).toBe(40303)
  })

  test('cannot add an expired coupon', async () => {
    const order_id = await soldBy(counsellor)
    const ended = await makeCoupon({ basis_points: 1000, valid_until: '2020-01-01' })
    expect((await change(order_id, { coupon_ids: [ended] })).code).toBe(40002)
    const running = await makeCoupon({ basis_points: 1000 })
    expect((await change(order_id, { coupon_ids: [running] })).code).toBe(0)
  })

  test('may change all other members', async () => {
    const order_id = await soldBy(counsellor)
    expect((await change(order_id, { contract_id: 'C-1' })).code).toBe(0)
  })
})

describe('the basis of prices', () => {
  test('is set by finance: a counsellor cannot create or change coupons and courses', async () => {
    const { course_code } = { course_code: newId() }
    const own = { coupon_id: newId(), basis_points: 10_000 }
    expect((await counsellor.call(upsertCoupon, own)).code).toBe(40303)
    const ended = await makeCoupon({ basis_points: 10_000, is_active: false })
    expect((await counsellor.call(upsertCoupon, { coupon_id: ended, is_active: true })).code).toBe(40303)
    expect((await counsellor.call(upsertCourse, { course_id, listed_price: 0 })).code).toBe(40303)
    const cheap = { course_code, name: 'EMBA', listed_price: 1 }
    expect((await counsellor.call(upsertCourse, cheap)).code).toBe(40303)
    expect((await finance.call(upsertCoupon, own)).code).toBe(0)
    expect((await finance.call(upsertCourse, cheap)).code).toBe(0)
  })
})

describe('the organization', () => {
  const allow = (rules: Record<string, unknown>, by = admin) => by.call(updateOrganization, rules)
  afterEach(() => allow({ counsellor_discount_basis_points: 0, counsellors_record_payments: false }))

  test('sets the maximum discount of counsellors in percent of the list price, rounded in its favour', async () => {
    expect((await allow({ counsellor_discount_basis_points: 1000 })).code).toBe(0)
    expect((await sell({ manual_discount: 10_000 })).code).toBe(0)
    expect((await sell({ manual_discount: 10_001 })).data).toMatchObject({ lowest_price: 90_000 })
    const odd = await makeCourse({ listed_price: 99 })
    expect((await sell({ course_id: odd, discounted_price: 90 })).code).toBe(0)
    expect((await sell({ course_id: odd, discounted_price: 89 })).data.lowest_price).toBe(90)
    // A higher listed price does not raise the maximum discount from the list price.
    const raised = { listed_price: 200_000, manual_discount: 110_000 }
    expect((await sell(raised)).code).toBe(0)
    expect((await sell({ ...raised, manual_discount: 110_001 })).code).toBe(40303)
  })

  test('counts the discount of an order once, for any number of changes', async () => {
    await allow({ counsellor_discount_basis_points: 1000 })
    const order_id = await soldBy(counsellor, { manual_discount: 10_000 })
    expect((await change(order_id, { manual_discount: 10_001 })).code).toBe(40303)
    expect((await change(order_id, { listed_price: 90_000, discounted_price: 90_000 })).code).toBe(40303)
    const coupon = await makeCoupon({ basis_points: 1000 })
    expect((await change(order_id, { coupon_ids: [coupon] })).code).toBe(0)
    expect((await school.call(fetchOrder, { order_id })).data.total_price).toBe(80_000)
    expect((await change(order_id, { coupon_ids: [], discounted_price: 80_000 })).code).toBe(40303)
  })

  test('cannot allow free orders: 100 % leaves one unit', async () => {
    await allow({ counsellor_discount_basis_points: 10_000 })
    expect((await sell({ discounted_price: 0 })).data).toMatchObject({
      ...{ reason: 'free_order', lowest_price: 1 },
    })
    expect((await sell({ discounted_price: 1 })).code).toBe(0)
  })

  test('says whether counsellors record payments', async () => {
    await allow({ counsellors_record_payments: true })
    const order_id = await soldBy(counsellor)
    expect((await counsellor.call(createPayment, { order_id, price: 1 })).code).toBe(0)
  })

  test('changes these rules through administrators with a recent confirmation', async () => {
    for (const somebody of [counsellor, finance])
      expect((await allow({ counsellors_record_payments: true }, somebody)).code).toBe(40303)
    expect((await allow({ counsellor_discount_basis_points: 10_001 })).code).toBe(40002)
    try {
      server.setNow(new Date(Date.now() + confirmationMs + 60_000))
      expect((await allow({ counsellors_record_payments: true })).code).toBe(40304)
    } finally {
      server.setNow(undefined)
    }
    expect((await counsellor.call(fetchOrganization)).data).toMatchObject({
      ...{ counsellor_discount_basis_points: 0, counsellors_record_payments: false },
    })
  })
})

test('a program with the permission write sells, creates coupons and records payments without these limits', async () => {
  const wanted = { name: 'Shop', corp_ids: [school.corp_id], permissions: ['read', 'write'] }
  const made = await createAccount(server.database.owner, testKeyring, wanted, new Date())
  const token = await server.tokenOf(made)
  const { corp_id, user_id } = school
  const call = (endpoint: Endpoint, input: object) => server.call(endpoint, { corp_id, ...input }, { token })
  const free = await call(createOrder, { user_id, course_id, discounted_price: 0 })
  expect(free.data.total_price).toBe(0)
  const { order_id } = (await call(createOrder, { user_id, currency: 'CNY', listed_price: 5 })).data
  expect((await call(createPayment, { order_id, price: 5 })).code).toBe(0)
  expect((await call(upsertCoupon, { coupon_id: newId(), basis_points: 10_000 })).code).toBe(0)
  expect((await call(upsertCourse, { course_id, listed_price })).code).toBe(0)
})

describe('a counsellor records payments', () => {
  test('only if the organization allows it', async () => {
    const order_id = await soldBy(counsellor)
    const paid = await counsellor.call(createPayment, { order_id, price: listed_price })
    expect([paid.code, paid.data.reason]).toEqual([40303, 'payments_by_finance'])
    const tried = await counsellor.call(createPayment, { order_id, price: listed_price, dry_run: true })
    expect(tried.code).toBe(40303)
    expect((await school.call(fetchOrder, { order_id })).data.paid_price).toBe(0)
    expect((await finance.call(createPayment, { order_id, price: 1 })).code).toBe(0)
  })
})

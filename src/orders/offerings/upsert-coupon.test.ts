import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { createUser } from '../../people/users/create-user.ts'
import { createOrder } from '../create-order.ts'
import { listCoupons } from './list-coupons.ts'
import { upsertCoupon } from './upsert-coupon.ts'

let server: TestServer
let school: TestOrganization
beforeAll(async () => {
  server = await startTestServer()
  school = await openOrganization(server, 'Asia/Shanghai')
})
afterAll(() => server?.close())

const upsert = (input: object) => school.call(upsertCoupon, { ...input })
const stored = async (coupon_id: string) => {
  const { data } = await school.call(listCoupons, { page_size: 1000 })
  return data.list.find((coupon: { coupon_id: string }) => coupon.coupon_id === coupon_id)
}

test('the caller chooses the id; a repeated call changes nothing', async () => {
  const coupon = { coupon_id: '校友推荐', basis_points: 500, valid_until: '2027-02-01' }
  expect((await upsert(coupon)).data).toEqual({ coupon_id: '校友推荐', version: 1, is_created: true })
  expect((await upsert(coupon)).data).toEqual({ coupon_id: '校友推荐', version: 1, is_created: false })
  expect(await stored('校友推荐')).toMatchObject({
    amount: null,
    currency: '',
    basis_points: 500,
    valid_from: '',
    valid_until: '2027-02-01 23:59:59',
  })
})

test('terms of one kind replace those of the other', async () => {
  await upsert({ coupon_id: 'TERMS', basis_points: 500 })
  await upsert({ coupon_id: 'TERMS', amount: 100, currency: 'JPY' })
  expect(await stored('TERMS')).toMatchObject({
    amount: 100,
    currency: 'JPY',
    basis_points: null,
    version: 2,
  })
  await upsert({ coupon_id: 'TERMS', amount: 200 })
  expect(await stored('TERMS')).toMatchObject({ amount: 200, currency: 'JPY', version: 3 })
  await upsert({ coupon_id: 'TERMS', basis_points: 10_000 })
  expect(await stored('TERMS')).toMatchObject({
    amount: null,
    currency: '',
    basis_points: 10_000,
    version: 4,
  })
})

test.each([
  [{}, 40001, 'amount'],
  [{ amount: 100 }, 40001, 'currency'],
  [{ currency: 'CNY' }, 40001, 'amount'],
  [{ amount: 0, currency: 'CNY' }, 40002, 'amount'],
  [{ amount: 100, currency: 'CNY', basis_points: 1 }, 40002, 'basis_points'],
  [{ basis_points: 0 }, 40002, 'basis_points'],
  [{ basis_points: 10_001 }, 40002, 'basis_points'],
  [{ basis_points: 1, valid_from: '2027-02-02', valid_until: '2027-02-01' }, 40002, 'valid_until'],
])('%o is refused with %i', async (terms, code, param) => {
  const answer = await upsert({ coupon_id: 'REFUSED', ...terms })
  expect(answer.code).toBe(code)
  expect(answer.data.errors.map((fault: { param: string }) => fault.param)).toContain(param)
})

test('with a version, the coupon must exist and have that version', async () => {
  expect(await upsert({ coupon_id: 'VERSIONED', basis_points: 1, version: 1 })).toMatchObject({ code: 40409 })
  await upsert({ coupon_id: 'VERSIONED', basis_points: 1 })
  expect(await upsert({ coupon_id: 'VERSIONED', basis_points: 2, version: 1 })).toMatchObject({ code: 0 })
  expect(await upsert({ coupon_id: 'VERSIONED', basis_points: 3, version: 1 })).toMatchObject({ code: 40902 })
})

test('50 simultaneous upserts of one coupon make one', async () => {
  const coupon = { coupon_id: 'RACED', amount: 5, currency: 'KWD' }
  const answers = await Promise.all(Array.from({ length: 50 }, () => upsert(coupon)))
  expect(answers.every(({ code, data }) => code === 0 && data.version === 1)).toBe(true)
  expect(answers.filter(({ data }) => data.is_created)).toHaveLength(1)
})

test('an inactive coupon is refused on orders, and listed as inactive', async () => {
  await upsert({ coupon_id: 'OFF', basis_points: 1000 })
  const user = await school.call(createUser, { email: 'buyer@example.com' })
  const order = { user_id: user.data.user_id, currency: 'CNY', listed_price: 1000, coupon_ids: ['OFF'] }
  expect((await school.call(createOrder, order)).data).toMatchObject({ total_price: 900 })
  await upsert({ coupon_id: 'OFF', is_active: false })
  expect(await school.call(createOrder, order)).toMatchObject({ code: 40002 })
  const { data } = await school.call(listCoupons, { is_active: 'false' })
  expect(data).toMatchObject({ total: 1, list: [{ coupon_id: 'OFF', is_active: false, version: 2 }] })
})

test('coupons of another organization are invisible', async () => {
  const other = await openOrganization(server)
  await upsert({ coupon_id: 'MINE', basis_points: 1 })
  expect((await other.call(listCoupons)).data).toMatchObject({ total: 0, list: [] })
  const theirs = await other.call(upsertCoupon, { coupon_id: 'MINE', basis_points: 2 })
  expect(theirs.data).toMatchObject({ is_created: true })
  expect(await stored('MINE')).toMatchObject({ basis_points: 1 })
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { atOnce, openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { newId } from '../../contract/new-id.ts'
import { fetchOrder } from '../listing/fetch-order.ts'
import { makeOrder } from '../make-orders.ts'
import { updateOrder } from '../update-order.ts'
import { updateStatus } from '../update-status.ts'
import { listCoupons } from './list-coupons.ts'
import { upsertCoupon } from './upsert-coupon.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

async function schoolWith(coupon: object): Promise<TestLedger> {
  const school = await openLedger(database)
  await school.run(upsertCoupon, { coupon_id: 'EARLY', ...coupon })
  return school
}

const with_coupon = { listed_price: 10_000, installment_count: 1, coupon_ids: ['EARLY'] }
const amount = { amount: 1000, currency: 'CNY' }
const couponOf = async (school: TestLedger) => (await school.run(listCoupons, {})).list[0]

/** Creates an order in a separate transaction, as another process would. */
function createAlone({ corp_id, user_id }: TestLedger, more: object = {}) {
  return database.app.of(corp_id).transaction((db) => {
    const organization = { corp_id, time_zone: 'UTC', currency: 'CNY' }
    const account = { app_id: 'tester', permissions: ['read', 'write', 'finance'] }
    const context = { db, organization, account, newId, now: new Date() } as unknown as OrganizationContext
    return makeOrder(context, { corp_id, user_id, currency: 'CNY', ...with_coupon, ...more })
  })
}

test('a coupon is used up to its limit; a canceled order returns its use', async () => {
  const school = await schoolWith({ ...amount, max_uses: 2 })
  const [first] = [await school.order(with_coupon), await school.order(with_coupon)]
  await expect(school.order(with_coupon)).rejects.toMatchObject({
    code: 40002,
    details: { errors: [{ param: 'coupon_ids', reason: expect.stringContaining('2 of 2 uses') }] },
  })
  const other = await school.order({ listed_price: 10_000, installment_count: 1 })
  const change = { order_id: other.order_id, version: 1, coupon_ids: ['EARLY'] }
  for (const dry_run of [true, false])
    await expect(school.run(updateOrder, { ...change, dry_run })).rejects.toMatchObject({ code: 40002 })
  expect(await couponOf(school)).toMatchObject({
    ...{ uses: 2, max_uses: 2, used: [{ currency: 'CNY', uses: 2, price: 2000 }] },
  })
  // A change of an order with the coupon needs no further use.
  await school.run(updateOrder, { order_id: first.order_id, version: 1, listed_price: 12_000 })
  await school.run(updateStatus, { order_id: first.order_id, status: 'canceled' })
  expect((await couponOf(school)).uses).toBe(1)
  await school.run(updateOrder, change)
  expect((await school.run(fetchOrder, { order_id: other.order_id })).total_price).toBe(9000)
  await school.run(upsertCoupon, { coupon_id: 'EARLY', max_uses: 0 })
  expect((await couponOf(school)).max_uses).toBeNull()
  await school.order(with_coupon)
})

test('a budget is never exceeded, by new orders or by a higher price', async () => {
  const school = await schoolWith({ basis_points: 1000, budget_price: 2500 })
  expect(await couponOf(school)).toMatchObject({ budget_price: 2500, budget_currency: 'CNY' })
  const { order_id } = await school.order(with_coupon)
  await school.order(with_coupon)
  await expect(school.order(with_coupon)).rejects.toMatchObject({ code: 40002 })
  await expect(school.order({ ...with_coupon, currency: 'USD' })).rejects.toMatchObject({ code: 40002 })
  await school.order({ ...with_coupon, listed_price: 4000 })
  const raised = { order_id, version: 1, listed_price: 11_010 }
  await expect(school.run(updateOrder, raised)).rejects.toMatchObject({ code: 40002 })
  await school.run(updateOrder, { ...raised, listed_price: 11_000 })
  expect((await couponOf(school)).used).toEqual([{ currency: 'CNY', uses: 3, price: 2500 }])
})

test('concurrent creations, in one process and in several, respect the limit of a coupon', async () => {
  const school = await schoolWith({ ...amount, max_uses: 3, budget_price: 5000 })
  const orders = await Promise.allSettled([
    ...(await atOnce(8, async () => createAlone(school).catch(() => undefined))),
  ])
  const made = orders.filter((each) => each.status === 'fulfilled' && each.value)
  expect(made).toHaveLength(3)
  await school.run(upsertCoupon, { coupon_id: 'EARLY', max_uses: 10 })
  const together = await Promise.allSettled(Array.from({ length: 8 }, () => school.order(with_coupon)))
  // The budget allows two more uses.
  expect(together.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(await couponOf(school)).toMatchObject({ uses: 5, used: [{ price: 5000 }] })
})

test('a dry run counts nothing', async () => {
  const school = await schoolWith({ ...amount, max_uses: 1 })
  const { order_id } = await school.order({ listed_price: 10_000, installment_count: 1 })
  const change = { order_id, version: 1, coupon_ids: ['EARLY'] }
  await school.run(updateOrder, { ...change, dry_run: true })
  expect((await couponOf(school)).uses).toBe(0)
  await school.run(updateOrder, change)
  expect((await couponOf(school)).uses).toBe(1)
})

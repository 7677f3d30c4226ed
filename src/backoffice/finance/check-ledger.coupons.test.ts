import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { upsertCoupon } from '../../orders/offerings/upsert-coupon.ts'
import { updateStatus } from '../../orders/update-status.ts'
import { checkLedger } from './check-ledger.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const ofCoupon = { listed_price: 10_000, installment_count: 1, coupon_ids: ['EARLY'] }

/** A school whose three orders used up a coupon of three uses and a budget of 3000. */
async function schoolWithCoupon(): Promise<TestLedger> {
  const school = await openLedger(database)
  const limits = { max_uses: 3, budget_price: 3000 }
  await school.run(upsertCoupon, { coupon_id: 'EARLY', amount: 1000, currency: 'CNY', ...limits })
  for (let n = 0; n < 3; n++) await school.order(ofCoupon)
  return school
}

const breaches = async ({ corp_id }: TestLedger) =>
  (await checkLedger(database.app, corp_id)).discrepancies.map(({ subject, what, expected, found }) => [
    ...[subject, what, expected, found],
  ])

test.each([
  ['more orders than uses', `update coupons set max_uses = 2`, ['coupon: at most its uses', '2', '3']],
  [
    'more than the budget',
    `update coupons set budget_price = 2999`,
    ['coupon: at most its budget', '2999', '3000'],
  ],
  [
    'a larger discount of an order',
    `update orders set coupon_lines = jsonb_set(coupon_lines, '{0,price}', '1001')`,
    ['coupon: at most its budget', '3000', '3003'],
  ],
  [
    'a coupon that does not exist',
    `update coupons set coupon_id = 'LATE'`,
    ['coupon_lines: coupons of the school', 'EARLY', null],
  ],
])('the check names %s', async (_, tampering, [what, expected, found]) => {
  const school = await schoolWithCoupon()
  expect(await breaches(school)).toEqual([])
  await database.superuser.query(`${tampering} where corp_id = $1`, [school.corp_id])
  expect(await breaches(school)).toContainEqual(['EARLY', what, expected, found])
})

test('a reopened order keeps its coupon, and the books balance', async () => {
  const school = await schoolWithCoupon()
  const one = { coupon_id: 'LAST', amount: 1000, currency: 'CNY', max_uses: 1 }
  await school.run(upsertCoupon, one)
  const { order_id } = await school.order({ ...ofCoupon, coupon_ids: ['LAST'] })
  await school.run(updateStatus, { order_id, status: 'expired' })
  await school.order({ ...ofCoupon, coupon_ids: ['LAST'] })
  await school.run(updateStatus, { order_id, status: 'created' })
  expect(await breaches(school)).toEqual([])
})

test('the limits of a coupon are at least what orders have used', async () => {
  const school = await schoolWithCoupon()
  const change = (more: object) => school.run(upsertCoupon, { coupon_id: 'EARLY', ...more })
  for (const [param, value, reason] of [
    ['max_uses', 2, 'must be at least 3, the orders that have the coupon'],
    ['budget_price', 2999, 'must be at least 3000, the discounts that orders have'],
  ] as const)
    await expect(change({ [param]: value })).rejects.toMatchObject({
      ...{ code: 40002, details: { errors: [{ param, reason }] } },
    })
  await change({ max_uses: 3, budget_price: 3001 })
  await change({ max_uses: 0, budget_price: 0 })
})

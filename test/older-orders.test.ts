import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { upsertCoupon } from '../src/orders/offerings/upsert-coupon.ts'
import { createPayment } from '../src/orders/payments/create-payment.ts'
import { createTestDatabase, type TestDatabase } from './harness/database.ts'
import { openLedger, type TestLedger } from './harness/ledger.ts'

/** What migrations make of orders that were there before them. */

let database: TestDatabase
let school: TestLedger

beforeAll(async () => {
  database = await createTestDatabase()
  school = await openLedger(database, 'Asia/Shanghai')
})
afterAll(() => database.drop())

test('coupons of older orders become lines that explain their discount', async () => {
  await school.run(upsertCoupon, { coupon_id: 'AMOUNT', amount: 1000, currency: 'CNY' })
  await school.run(upsertCoupon, { coupon_id: 'SHARE', basis_points: 1250 })
  await school.run(upsertCoupon, { coupon_id: 'FICKLE', basis_points: 1000 })
  const coupons = [['AMOUNT'], ['SHARE'], ['SHARE', 'AMOUNT'], []]
  // Halves that go up, down and to even, and an amount that a product of 64 bits would not hold.
  for (const listed_price of [30_001, 20_004, 20_012, 900_000_000_000_000])
    for (const coupon_ids of coupons) await school.order({ listed_price, coupon_ids })
  const known = await linesOf(school)
  const fickle = await school.order({ listed_price: 10_000, coupon_ids: ['FICKLE', 'AMOUNT'] })
  await school.run(upsertCoupon, { coupon_id: 'FICKLE', basis_points: 5000 })
  await database.superuser.query(`update orders set coupon_lines = '[]'`)
  await migrate('0011_coupon_lines.sql', /^alter table orders add column .*$/m)
  const after = await linesOf(school)
  expect(after.get(fickle.order_id)).toEqual([
    { coupon_id: 'FICKLE', amount: 2000, basis_points: null, price: 2000 },
    { coupon_id: 'AMOUNT', amount: 0, basis_points: null, price: 0 },
  ])
  after.delete(fickle.order_id)
  expect(after).toEqual(known)
})

test('older payments are numbered in the order of their posting', async () => {
  const { order_id } = await school.order()
  for (let n = 0; n < 5; n++) await school.run(createPayment, { order_id, price: 1 })
  const numbers = async () =>
    (await database.superuser.query('select payment_id, year, number, at from receipts order by number')).rows
  const before = await numbers()
  await database.superuser.query('delete from receipts')
  await migrate(
    '0016_receipts.sql',
    /^create table receipts[^;]*;|^create index[^;]*;|^create policy[^;]*;/gm,
  )
  expect(await numbers()).toEqual(before)
})

/** Runs a migration again, without what can be done only once. */
async function migrate(name: string, once: RegExp): Promise<void> {
  const text = await readFile(join(import.meta.dirname, '../migrations', name), 'utf8')
  await database.superuser.query(text.replace(once, ''))
}

async function linesOf({ corp_id }: TestLedger): Promise<Map<string, unknown>> {
  const text = 'select order_id, coupon_lines from orders where corp_id = $1'
  const { rows } = await database.superuser.query(text, [corp_id])
  return new Map(rows.map(({ order_id, coupon_lines }) => [order_id, coupon_lines]))
}

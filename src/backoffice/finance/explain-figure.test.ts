import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { currencyExponents } from '../../contract/currencies.ts'
import { newId } from '../../contract/new-id.ts'
import { fetchOrder } from '../../orders/listing/fetch-order.ts'
import { listFinancialRows } from '../../orders/listing/list-financial-rows.ts'
import { listOrders } from '../../orders/listing/list-orders.ts'
import { upsertCoupon } from '../../orders/offerings/upsert-coupon.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { createRefund } from '../../orders/payments/create-refund.ts'
import { voidPayment } from '../../orders/payments/void-payment.ts'
import { updateOrder } from '../../orders/update-order.ts'
import { updateStatus } from '../../orders/update-status.ts'
import { explainFigure } from './explain-figure.ts'
import { exportFinancialRows } from './export-financial-rows.ts'

let database: TestDatabase
let school: TestLedger
let folder: string

beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'matricula-explain-'))
  school = await openLedger(database)
  await live()
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await database.drop()
})

const ofOrder = [
  ...['listed_price', 'discounted_price', 'total_price', 'paid_price', 'refund_price', 'post_refund_price'],
  ...['unpaid_price', 'over_payment_price'],
]

describe('the lines of a figure sum to it', () => {
  test('of every figure of every order in the list', async () => {
    for (const order of (await school.run(listOrders, { page_size: 1000 })).list) {
      for (const figure of ofOrder) {
        const { value, list } = await explained({ figure, order_id: order.entity_id })
        expect(value, `${figure} of an order that is ${order.status}`).toBe(order[figure])
        expect(sum(list)).toBe(value)
      }
    }
  })

  test('of every figure of every financial row, slots included', async () => {
    for (const row of (await school.run(listFinancialRows, { page_size: 1000 })).list) {
      const { order_id, sub_order_id } = row
      for (const figure of ['total_price', 'paid_price', 'post_refund_price', 'unpaid_price']) {
        const { value, list } = await explained({ figure, order_id, sub_order_id })
        expect(value, figure).toBe(minor(row[figure], row.currency))
        expect(sum(list)).toBe(value)
      }
      for (const slot of [1, 2, 15]) {
        const { value, list } = await explained({ figure: `payment${slot}_price`, order_id, sub_order_id })
        const { [`payment${slot}_price`]: shown, [`payment${slot}_currency`]: currency } = row
        expect(value).toBe(shown === null ? 0 : minor(shown, currency))
        expect(list.map(({ id }: Line) => id)).toEqual(shown === null ? [] : [row[`payment${slot}_id`]])
      }
    }
  })

  test.each([{}, { status: 'success' }, { start_date: '2001-01-01', time_range_type: 'modify' }])(
    'of every sum of a control sheet, selected by %o',
    async (selection) => {
      const { control } = await exportFinancialRows(
        { db: database.app },
        { corp_id: school.corp_id, format: 'ndjson', out: join(folder, newId()), ...selection },
      )
      expect(control.sums.length).toBeGreaterThan(4)
      for (const { column, currency, sum: shown } of control.sums) {
        const asked = { figure: column, currency, as_of: control.as_of, ...selection }
        const { value, list } = await explained(asked)
        expect(value, `${column} ${currency}`).toBe(Number(shown.replace('.', '')))
        expect(sum(list)).toBe(value)
      }
    },
  )
})

test('a figure of an earlier instant is explained by the facts up to then', async () => {
  const { order_id } = await school.order({ listed_price: 1000, installment_count: 1 })
  await school.run(createPayment, { order_id, price: 400 })
  const before = await explained({ figure: 'unpaid_price', order_id })
  await school.run(updateOrder, { order_id, version: 2, listed_price: 2000 })
  await school.run(createPayment, { order_id, price: 700 })
  expect((await explained({ figure: 'unpaid_price', order_id })).value).toBe(900)
  const again = await explained({ figure: 'unpaid_price', order_id, as_of: before.as_of })
  expect(again).toEqual(before)
  expect(again.list.map(({ kind, price }: Line) => [kind, price])).toEqual([
    ['payment', -400],
    ['planned', 1000],
  ])
})

test('a void is shown as a payment and its reversal', async () => {
  const { order_id } = await school.order({ installment_count: 1 })
  const { payment_id } = await school.run(createPayment, { order_id, price: 500 })
  await school.run(voidPayment, { payment_id, reason: 'bounced' })
  const { value, list } = await explained({ figure: 'paid_price', order_id })
  expect(value).toBe(0)
  expect(list.map(({ id, price, note }: Line) => [id, price, note])).toEqual([
    [payment_id, 500, ''],
    [payment_id, -500, 'void'],
  ])
})

test('lines come in pages, and every page has the whole figure', async () => {
  const { order_id } = await school.order({ installment_count: 1 })
  for (const price of [1, 2, 4]) await school.run(createPayment, { order_id, price })
  const page = await explained({ figure: 'paid_price', order_id, page: 1, page_size: 2 })
  expect(page).toMatchObject({ value: 7, total: 3, list: [{ price: 4 }] })
})

test('an order or sub-order of another organization looks exactly like a missing one', async () => {
  const other = await openLedger(database)
  const { order_id, sub_order_ids } = await other.order()
  const own = { figure: 'paid_price', order_id: (await school.order()).order_id }
  for (const sub_order_id of [sub_order_ids[0], newId()])
    await expect(explained({ ...own, sub_order_id })).rejects.toThrow('no such sub-order')
  await expect(explained({ figure: 'paid_price', order_id })).rejects.toThrow('no such order')
  await expect(explained({ figure: 'paid_price', order_id: newId() })).rejects.toThrow('no such order')
})

// biome-ignore lint/suspicious/noExplicitAny: lines of every kind.
type Line = any

function explained(input: Record<string, unknown>): Promise<Line> {
  return school.run(explainFigure, { page_size: 1000, ...input })
}

function sum(lines: Line[]): number {
  return lines.reduce((all, { price }) => all + price, 0)
}

function minor(major: number, currency: string): number {
  return Math.round(major * 10 ** currencyExponents[currency]!)
}

async function live() {
  await school.run(upsertCoupon, { coupon_id: 'TENTH', basis_points: 1000 })
  const parts = await school.order({ coupon_ids: ['TENTH'], manual_discount: 123, service_charge: 7 })
  await school.run(createPayment, { order_id: parts.order_id, price: 12_345 })
  const { total_price } = await school.run(fetchOrder, { order_id: parts.order_id })
  expect(total_price).toBe(30_000 - 3000 - 123 + 7)
  const over = await school.order({ currency: 'JPY', listed_price: 900 })
  await school.run(createPayment, { order_id: over.order_id, price: 1000 })
  await school.run(createRefund, { order_id: over.order_id, price: 60 })
  const foreign = await school.order({ installment_count: 2 })
  await school.run(createPayment, {
    ...{ order_id: foreign.order_id, price: 2345, currency: 'USD', exchange_rate: 71_234 },
  })
  await school.run(createPayment, { order_id: foreign.order_id, price: 99 })
  const refunded = await school.order({ installment_count: 1 })
  await school.run(createPayment, { order_id: refunded.order_id, price: 30_000 })
  await school.run(createRefund, { order_id: refunded.order_id, price: 30_000 })
  await school.run(updateStatus, { order_id: refunded.order_id, status: 'canceled' })
  const bounced = await school.order()
  const { payment_id } = await school.run(createPayment, { order_id: bounced.order_id, price: 15_000 })
  await school.run(voidPayment, { payment_id, reason: 'bounced' })
  const canceled = await school.order()
  await school.run(updateStatus, { order_id: canceled.order_id, status: 'canceled' })
  await school.order({ listed_price: 0 })
}

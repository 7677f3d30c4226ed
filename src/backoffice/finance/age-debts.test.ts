import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { listFinancialRows } from '../../orders/listing/list-financial-rows.ts'
import { listOrders } from '../../orders/listing/list-orders.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { updateOrder } from '../../orders/update-order.ts'
import { updateStatus } from '../../orders/update-status.ts'
import { ageDebts } from './age-debts.ts'
import { closePeriod } from './close-period.ts'
import { listDebts } from './list-debts.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const now = new Date('2031-06-30T10:00:00Z')

describe('an outstanding amount', () => {
  test('is grouped by days overdue, on the calendar of the organization', async () => {
    const school = await openLedger(database, 'Asia/Shanghai')
    const deadlines = {
      '2031-07-01': 'not_due',
      '2031-06-30 18:00:00': 'not_due',
      '2031-06-30 17:59:59': 'days_0_30',
      '2031-05-31': 'days_0_30',
      '2031-05-30': 'days_31_60',
      '2031-05-01': 'days_31_60',
      '2031-04-30': 'days_61_90',
      '2031-04-01': 'days_61_90',
      '2031-03-31': 'days_over_90',
      '2030-01-01': 'days_over_90',
    }
    let outstanding = 0
    const expected: Record<string, number> = {}
    for (const [index, [payment_deadline, span]] of Object.entries(deadlines).entries()) {
      const total_price = 2 ** index
      await order(school, { sub_orders: [{ total_price, payment_deadline }], listed_price: total_price })
      expected[span] = (expected[span] ?? 0) + total_price
      outstanding += total_price
    }
    await order(school, { listed_price: 5000 })
    expected.not_due! += 5000
    const { totals, list } = await aged(school)
    expect(totals).toEqual([{ currency: 'CNY', orders: 11, outstanding: outstanding + 5000, ...expected }])
    expect(list).toEqual([{ course_code: '', owner: '', ...totals[0] }])
  })

  test('belongs to payable orders only: none in tbd or unconfirmed is aged, listed or closed', async () => {
    const school = await openLedger(database)
    for (const status of ['tbd', 'unconfirmed']) await order(school, { status, listed_price: 700 })
    expect((await aged(school)).totals).toEqual([])
    const { order_id } = await order(school, { listed_price: 300 })
    expect((await aged(school)).totals).toMatchObject([{ orders: 1, outstanding: 300 }])
    const { list } = await school.run(listDebts, { currency: 'CNY' }, now)
    expect(list.map((debt: { order_id: string }) => debt.order_id)).toEqual([order_id])
    const later = new Date('2031-07-02T10:00:00Z')
    const { currencies } = await school.run(closePeriod, { until: '2031-06-30' }, later)
    expect(currencies).toMatchObject([{ currency: 'CNY', closing: { claims: 300, outstanding: 300 } }])
  })

  test('every figure is the sum of its debts, for any owners', async () => {
    const school = await openLedger(database)
    const shares = [{ anna: 0.3333, li: 0.3333, zoe: 0.3334 }, { anna: 1 }, { li: 0.5, zoe: 0.5 }, {}]
    for (let n = 0; n < 12; n++)
      await order(school, {
        ...{ listed_price: 101 + n * 7, share_proportion: shares[n % 4] },
        sub_orders: [
          { total_price: 50 + n * 7, payment_deadline: `2031-0${1 + (n % 6)}-15` },
          { total_price: 51 },
        ],
      })
    const { list, totals } = await aged(school)
    const figures = [
      ...list,
      ...totals.map((total: Row) => ({ ...total, course_code: undefined, owner: undefined })),
    ]
    for (const { course_code, owner, currency, ...sums } of figures)
      for (const span of ['not_due', 'days_0_30', 'days_31_60', 'days_61_90', 'days_over_90', undefined]) {
        const unnamed = course_code === undefined ? undefined : owner === '' ? 'both' : 'course'
        const input = { owner, currency, unnamed, span, page_size: 1000 }
        const debts = await school.run(listDebts, input, now)
        expect(debts.value).toBe(sums[span ?? 'outstanding'])
        expect(debts.list.reduce((sum: number, { price }: { price: number }) => sum + price, 0)).toBe(
          debts.value,
        )
      }
  })

  test('of several owners is split by their shares, to the unit', async () => {
    const school = await openLedger(database)
    await order(school, { listed_price: 100, share_proportion: { anna: 0.3333, li: 0.3333, zoe: 0.3334 } })
    await order(school, { listed_price: 7, share_proportion: { anna: 1 } })
    const { list, totals } = await aged(school)
    const byOwner = list.map(({ owner, outstanding }: Row) => [owner, outstanding])
    expect(byOwner).toEqual([
      ['anna', 40],
      ['li', 33],
      ['zoe', 34],
    ])
    expect(totals[0].outstanding).toBe(107)
  })

  test('of an earlier instant does not change with later facts', async () => {
    const school = await openLedger(database)
    const { order_id } = await order(school, { listed_price: 900, first_payment_deadline: '2031-06-01' })
    const before = await aged(school)
    await school.run(createPayment, { order_id, price: 300 }, now)
    await school.run(updateOrder, { order_id, version: 2, listed_price: 1000 }, now)
    await order(school, { listed_price: 50 })
    const after = await aged(school)
    expect(after.totals[0].outstanding).toBe(750)
    expect(await aged(school, { as_of: before.as_of })).toEqual(before)
    expect((await aged(school, { as_of: '2001-01-01' })).totals).toEqual([])
  })

  test('is refused for a future instant and for an invalid one', async () => {
    const school = await openLedger(database)
    await order(school, { listed_price: 1 })
    for (const as_of of ['2090-01-01', '2090-01-01T00:00:00Z', '2031-02-30', 'yesterday'])
      await expect(aged(school, { as_of }), as_of).rejects.toMatchObject({
        details: { errors: [{ param: 'as_of' }] },
      })
  })

  test('comes in pages', async () => {
    const school = await openLedger(database)
    for (const owner of ['c', 'a', 'b']) await order(school, { share_proportion: { [owner]: 1 } })
    const page = await aged(school, { page: 1, page_size: 2 })
    expect(page).toMatchObject({ total: 3, page: 1, page_size: 2, totals: [{ outstanding: 90_000 }] })
    expect(page.list.map(({ owner }: Row) => owner)).toEqual(['c'])
  })

  test('sums to the unpaid prices of both lists after every kind of change', async () => {
    const school = await openLedger(database)
    await fc.assert(
      fc.asyncProperty(fc.array(story, { minLength: 1, maxLength: 6 }), async (stories) => {
        for (const each of stories) await live(school, each)
        const { totals, list } = await aged(school, { page_size: 1000 })
        const orders = (await school.run(listOrders, { page_size: 1000 })).list
        const rows = (await school.run(listFinancialRows, { page_size: 1000 })).list
        for (const currency of ['CNY', 'JPY']) {
          const total = totals.find((one: Row) => one.currency === currency)?.outstanding ?? 0
          const ofList = list.filter((one: Row) => one.currency === currency)
          expect(sum(ofList, ({ outstanding }) => outstanding)).toBe(total)
          const ofOrders = orders.filter((one: Row) => one.currency === currency)
          expect(sum(ofOrders, ({ unpaid_price }) => unpaid_price)).toBe(total)
          const ofRows = rows.filter((one: Row) => one.currency === currency)
          const places = currency === 'CNY' ? 100 : 1
          expect(sum(ofRows, ({ unpaid_price }) => Math.round(unpaid_price * places))).toBe(total)
        }
      }),
      { numRuns: 12 },
    )
  })
})

// biome-ignore lint/suspicious/noExplicitAny: rows of every list.
type Row = any

const story = fc.record({
  currency: fc.constantFrom('CNY', 'JPY'),
  listed_price: fc.integer({ min: 0, max: 10_000 }),
  installment_count: fc.integer({ min: 1, max: 4 }),
  first_payment_deadline: fc.constantFrom('2031-01-15', '2031-06-15', '2032-01-01'),
  paid: fc.integer({ min: 0, max: 12_000 }),
  owners: fc.constantFrom({}, { a: 1 }, { a: 0.3333, b: 0.6667 }),
  fate: fc.constantFrom('nothing', 'canceled', 'locked'),
})

async function live(school: TestLedger, { paid, owners, fate, ...input }: Row) {
  const { order_id } = await order(school, { ...input, share_proportion: owners })
  if (paid > 0) await school.run(createPayment, { order_id, price: paid }, now)
  if (fate === 'locked' || (fate === 'canceled' && paid === 0 && input.listed_price > 0))
    await school.run(updateStatus, { order_id, status: fate }, now)
}

function order(school: TestLedger, input: Record<string, unknown>) {
  return school.order({ installment_count: undefined, ...input })
}

function aged(school: TestLedger, input: Record<string, unknown> = {}): Promise<Row> {
  return school.run(ageDebts, input, now)
}

function sum(rows: Row[], pick: (row: Row) => number): number {
  return rows.reduce((all, row) => all + pick(row), 0)
}

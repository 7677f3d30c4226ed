import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attemptsOf } from '../../../test/harness/attempts.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { upsertCourse } from '../../orders/offerings/upsert-course.ts'
import { applyPayment } from '../../orders/payments/apply-payment.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { createRefund } from '../../orders/payments/create-refund.ts'
import { recordReceipt } from '../../orders/payments/record-receipt.ts'
import { transferMoney } from '../../orders/payments/transfer-money.ts'
import { unapplyPayment } from '../../orders/payments/unapply-payment.ts'
import { voidPayment } from '../../orders/payments/void-payment.ts'
import { importLead } from '../../people/leads/import-leads.ts'
import { readFunnelNumbers } from './funnel.ts'
import { listReceiptsRows, readReceiptsNumbers } from './receipts.ts'

const runs = attemptsOf('MATRICULA_NUMBERS', 6)

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const reason = 'As the parents asked'
const courses = ['DBA', 'EMBA', 'MBA']

test('a moved payment counts for the course of its new order, and a divided one for both', async () => {
  const school = await openSchool()
  const [dba, emba] = [await school.sell('DBA'), await school.sell('EMBA')]
  await school.run(createPayment, { order_id: dba, price: 9000 })
  const { payment_id } = await school.run(createPayment, { order_id: dba, price: 4000 })
  expect(await school.received()).toEqual({ DBA: 13_000 })
  const before = (await school.receipts()).as_of
  await school.run(transferMoney, { from_order_id: dba, to_order_id: emba, price: 2500, reason })
  expect(await school.received()).toEqual({ DBA: 10_500, EMBA: 2500 })
  await school.run(unapplyPayment, { payment_id, order_id: dba })
  expect(await school.received()).toEqual({ DBA: 10_500, EMBA: 2500 })
  await school.run(applyPayment, { payment_id, order_id: emba })
  expect(await school.received()).toEqual({ DBA: 9000, EMBA: 4000 })
  expect(await school.received(before)).toEqual({ DBA: 13_000 })
  const { list } = await school.rows({ course_code: 'EMBA' })
  expect(list).toMatchObject([{ kind: 'payment', id: payment_id, order_id: emba, price: 4000 }])
})

test('the receipt of a payer counts for the courses of its orders; their leads have paid', async () => {
  const school = await openSchool()
  const people = ['13800138001', '13800138002'].map((mobile) => ({ area_code: '86', mobile }))
  const orders: string[] = []
  for (const [n, person] of people.entries()) {
    await school.run(importLead, person)
    const user = (await stored<Person>(school, 'users')).find(({ mobile }) => mobile === person.mobile)
    orders.push(await school.sell(courses[n]!, { user_id: user!.user_id }))
  }
  const paid = async () => (await school.run(readFunnelNumbers, school.range())).total.paid
  expect(await paid()).toBe(0)
  const [first, second] = orders.map((order_id, n) => ({ order_id, price: 3000 * (n + 1) }))
  const receipt = { price: 10_000, payer_name: 'Lin Wei', allocations: [first, second] }
  await school.run(recordReceipt, receipt)
  expect(await school.received()).toEqual({ DBA: 3000, EMBA: 6000, '': 1000 })
  expect(await paid()).toBe(2)
})

test('a chargeback after a partial refund leaves the refunded part', async () => {
  const school = await openSchool()
  const order_id = await school.sell('MBA')
  const { payment_id } = await school.run(createPayment, { order_id, price: 5000 })
  await school.run(createRefund, { order_id, payment_id, price: 2000, reason })
  await school.run(voidPayment, { payment_id, reason })
  expect((await school.receipts()).list).toMatchObject([{ received: 2000, refunded: 2000, net: 0 }])
})

const step = fc.record({
  kind: fc.constantFrom('pay', 'pay', 'pay', 'pay abroad', 'transfer', 'unapply', 'apply', 'void', 'refund'),
  a: fc.nat(5),
  b: fc.nat(5),
  price: fc.integer({ min: 1, max: 6000 }),
})

test(`over ${runs} histories, the figures are the sums of the allocations`, {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 24 }), async (steps) => {
      const school = await openSchool()
      const orders: string[] = []
      for (const course of [...courses, ...courses]) orders.push(await school.sell(course))
      for (const each of steps) await act(school, orders, each)
      await compare(school)
    }),
    { numRuns: runs, endOnFailure: true },
  )
})

type School = Awaited<ReturnType<typeof openSchool>>

async function openSchool() {
  const ledger = await openLedger(database)
  for (const course_code of courses)
    await ledger.run(upsertCourse, { course_code, name: course_code, currency: 'CNY', listed_price: 9000 })
  const range = () => {
    const day = new Date().toISOString().slice(0, 10)
    return { start_date: `${day.slice(0, 4)}-01-01`, end_date: day }
  }
  const receipts = (as_of?: string) => ledger.run(readReceiptsNumbers, { ...range(), as_of })
  return {
    ...ledger,
    range,
    receipts,
    sell: async (course_code: string, more = {}) =>
      (await ledger.order({ course_code, listed_price: 9000, ...more })).order_id,
    rows: (more: object) =>
      ledger.run(listReceiptsRows, { ...range(), currency: 'CNY', page_size: 1000, ...more }),
    received: async (as_of?: string) =>
      Object.fromEntries(
        (await receipts(as_of)).list.map((group: Group) => [group.course_code, group.received]),
      ),
  }
}

interface Group {
  currency: string
  course_code: string
  received: number
  refunded: number
}

/** One step of a history. The service may refuse it. */
async function act(
  school: School,
  orders: string[],
  { kind, a, b, price }: { kind: string; a: number; b: number; price: number },
): Promise<void> {
  const [order_id, other] = [orders[a]!, orders[b]!]
  const payments = await stored<{ payment_id: string }>(school, 'payments')
  const payment_id = payments[(a * 6 + b) % payments.length]?.payment_id
  const inputs: Record<string, [unknown, object]> = {
    pay: [createPayment, { order_id, price }],
    'pay abroad': [createPayment, { order_id, price, currency: 'USD', rate: '7.1234' }],
    transfer: [transferMoney, { from_order_id: order_id, to_order_id: other, price, reason }],
    unapply: [unapplyPayment, { order_id, payment_id }],
    apply: [applyPayment, { order_id: other, payment_id }],
    void: [voidPayment, { payment_id, reason }],
    refund: [createRefund, { order_id, price, reason }],
  }
  const [operation, input] = inputs[kind]!
  await school.run(operation, input as Record<string, unknown>).catch(() => undefined)
}

/** Sums the stored facts in another way than the report: per payment and order, in the currency of the order. */
async function compare(school: School): Promise<void> {
  const courseOf = new Map<string, string>()
  for (const row of await stored<{ order_id: string; course_code: string }>(school, 'orders'))
    courseOf.set(row.order_id, row.course_code)
  const allocations = await stored<Fact>(school, 'payment_allocations')
  const voids = await stored<Fact>(school, 'payment_voids')
  const payments = await stored<Fact & { currency: string; order_price: string }>(school, 'payments')
  const expected = new Map<string, number>()
  const rows = new Map<string, number>()
  for (const currency of ['CNY', 'USD'])
    for (const { id, order_id, price } of (await school.rows({ currency, kind: 'payment' })).list)
      rows.set(`${id} ${order_id}`, price)
  for (const { payment_id, order_id, price, order_price, currency } of payments) {
    const sums = new Map<string, number>()
    const own = allocations.filter((line) => line.payment_id === payment_id)
    for (const line of own) sums.set(line.order_id, (sums.get(line.order_id) ?? 0) + Number(line.price))
    const isVoid = voids.filter((each) => each.payment_id === payment_id)
    const left = Number(order_price) - isVoid.reduce((sum, each) => sum + Number(each.price), 0)
    const rest = left - [...sums.values()].reduce((sum, part) => sum + part, 0)
    sums.set(order_id, (sums.get(order_id) ?? 0) + rest)
    let shown = 0
    for (const [on, part] of sums) {
      const row = rows.get(`${payment_id} ${on}`) ?? 0
      expect(Math.abs(row - (Number(price) * part) / Number(order_price))).toBeLessThanOrEqual(1)
      shown += row
      const key = `${currency} ${courseOf.get(on)}`
      expected.set(key, (expected.get(key) ?? 0) + row)
    }
    const isWhole = left === Number(order_price)
    expect(shown).toBe(isWhole ? Number(price) : Math.round((Number(price) * left) / Number(order_price)))
  }
  const found = (await school.receipts()).list.filter((group: Group) => group.received !== 0)
  const figures = found.map((group: Group) => [`${group.currency} ${group.course_code}`, group.received])
  expect(Object.fromEntries(figures)).toEqual(
    Object.fromEntries([...expected].filter(([, price]) => price !== 0)),
  )
}

interface Person {
  user_id: string
  mobile: string
}

interface Fact {
  payment_id: string
  order_id: string
  price: string
}

async function stored<Row>(school: TestLedger, table: string): Promise<Row[]> {
  const text = `select * from ${table} where corp_id = $1`
  return (await database.superuser.query(text, [school.corp_id])).rows as Row[]
}

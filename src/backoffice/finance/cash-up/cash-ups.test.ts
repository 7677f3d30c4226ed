import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Counter, openCounter } from '../../../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../../../test/harness/server.ts'
import { hireStaff, type TestColleague } from '../../../../test/harness/staff.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { createPayment } from '../../../orders/payments/create-payment.ts'
import { createRefund } from '../../../orders/payments/create-refund.ts'
import { listPayments } from '../../../orders/payments/list-payments.ts'
import { voidPayment } from '../../../orders/payments/void-payment.ts'
import { appendStatementLines } from '../reconciliation/append-statement-lines.ts'
import { createBankAccount } from '../reconciliation/bank-accounts.ts'
import { openStatement } from '../reconciliation/bank-statements.ts'
import { listBankLines } from '../reconciliation/list-bank-lines.ts'
import { matchBankLines } from '../reconciliation/match-bank-lines.ts'
import { createCashUp, fetchTakings, listCashUps } from './cash-ups.ts'

let server: TestServer
let school: Counter
let clerk: TestColleague
let finance: TestColleague
const day = new Date().toISOString().slice(0, 10)
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openCounter(server)
  await server.database.superuser.query(
    `insert into counsellor_rules (corp_id, discount_basis_points, records_payments) values ($1, 0, true)`,
    [school.corp_id],
  )
  clerk = await hireStaff(server, school.corp_id, 'counsellor')
  finance = await hireStaff(server, school.corp_id, 'finance')
  const { order_id } = await school.order()
  const pay = async (caller: TestColleague, price: number, method?: string) => {
    const { code, data } = await caller.call(createPayment, { order_id, price, method })
    expect(code).toBe(0)
    return data.payment_id as string
  }
  await pay(clerk, 500, 'cash')
  await pay(clerk, 300, 'cash')
  await pay(clerk, 900, 'card')
  const wrong = await pay(clerk, 777, 'cash')
  await school.call(voidPayment, { payment_id: wrong, reason: 'Typed twice' })
  await pay(finance, 50, 'cash')
  const refund = { order_id, price: 20, method: 'cash', reason: 'Change' }
  expect((await finance.call(createRefund, refund)).code).toBe(0)
})
afterAll(() => server?.close())

const count = (cash: number, more: object = {}) => ({
  day,
  lines: [
    { method: 'card', currency: 'CNY', counted_price: 900 },
    { method: 'cash', currency: 'CNY', counted_price: cash, ...more },
  ],
})

describe('the takings of a clerk', () => {
  test('are the payments that the clerk recorded on the day, by method, less voids and refunds', async () => {
    const { data } = await clerk.call(fetchTakings, {})
    expect(data).toMatchObject({
      clerk_id: clerk.staff_id,
      takings: [
        { method: 'card', currency: 'CNY', payments: 1, taken_price: 900, expected_price: 900 },
        { method: 'cash', currency: 'CNY', payments: 2, taken_price: 800, expected_price: 800 },
      ],
    })
    const own = await finance.call(fetchTakings, { day })
    expect(own.data.takings).toMatchObject([
      { method: 'cash', taken_price: 50, returned_price: 20, expected_price: 30 },
    ])
    expect((await clerk.call(fetchTakings, { day: '2000-01-01' })).data.takings).toEqual([])
    expect((await clerk.call(fetchTakings, { day: '2999-01-01' })).code).toBe(40002)
  })

  test('leave out what was booked from a statement line, which has the method transfer', async () => {
    const clerk = await hireStaff(server, school.corp_id, 'finance')
    const { order_id } = await school.order()
    const call = async (endpoint: Endpoint, input: Record<string, unknown>) => {
      const { code, msg, data } = await clerk.call(endpoint, input)
      expect([code, msg]).toEqual([0, 'success'])
      return data
    }
    const { account_id } = await call(createBankAccount, { name: 'Bank' })
    const statement = { account_id, name: 'Today', opening_price: 0, closing_price: 1600 }
    const { statement_id } = await call(openStatement, statement)
    const lines = [1000, -300, 900].map((price) => ({ value_date: day, price }))
    await call(appendStatementLines, { statement_id, first_number: 1, lines, completes: true })
    const { list } = await call(listBankLines, { statement_id })
    const lineOf = (price: number) => list.find((line: { price: number }) => line.price === price).line_id
    const book = (line_id: string, as: string) =>
      call(matchBankLines, { line_ids: [line_id], book: [{ as, order_id, reason: 'Agreed' }] })
    await book(lineOf(1000), 'payment')
    await book(lineOf(-300), 'refund')
    expect((await call(fetchTakings, {})).takings).toEqual([])
    const { list: paid } = await call(listPayments, { order_id })
    expect(paid).toMatchObject([{ price: 1000, method: 'transfer', provider: '' }])
    // The clerk took the payment, although a line confirms it later.
    const { payment_id } = await call(createPayment, { order_id, price: 950, method: 'cash' })
    const fee = [{ as: 'fee', price: -50 }]
    await call(matchBankLines, { line_ids: [lineOf(900)], payment_ids: [payment_id], book: fee })
    expect((await call(fetchTakings, {})).takings).toMatchObject([{ method: 'cash', taken_price: 950 }])
  })

  test('of others are for the finance office only', async () => {
    expect((await clerk.call(fetchTakings, { clerk_id: finance.staff_id })).code).toBe(40303)
    expect((await clerk.call(createCashUp, { ...count(800), clerk_id: finance.staff_id })).code).toBe(40303)
    expect((await finance.call(fetchTakings, { clerk_id: clerk.staff_id })).data.takings).toHaveLength(2)
  })
})

describe('a cash-up', () => {
  test('needs every line, and a reason for a difference', async () => {
    const [, cash] = count(800).lines
    expect((await clerk.call(createCashUp, { day, lines: [cash] })).code).toBe(40002)
    expect((await clerk.call(createCashUp, { day, lines: [cash, cash] })).code).toBe(40002)
    const short = await clerk.call(createCashUp, count(790))
    expect(short).toMatchObject({ code: 40002, data: { errors: [{ param: 'lines/1/reason' }] } })
  })

  test('is stored once, repeated without effect, and corrected only by a new entry', async () => {
    const counted = count(790, { reason: 'A coin is missing' })
    const both = await Promise.all([clerk.call(createCashUp, counted), clerk.call(createCashUp, counted)])
    expect(both.map(({ code }) => code).sort()).toContain(0)
    const { data: first } = await clerk.call(createCashUp, counted)
    expect(first).toMatchObject({ entry: 1, lines: [{ difference: 0 }, { difference: -10 }] })
    expect(await clerk.call(createCashUp, count(800))).toMatchObject({ code: 40904 })
    const correction = { ...count(800), corrects: first.cash_up_id }
    expect((await clerk.call(createCashUp, correction)).code).toBe(40002)
    const { data: second } = await clerk.call(createCashUp, { ...correction, reason: 'The coin was found' })
    expect(second).toMatchObject({ entry: 2, corrects: first.cash_up_id, is_current: true })
    const stale = { ...count(801, { reason: 'x' }), corrects: first.cash_up_id, reason: 'x' }
    expect((await clerk.call(createCashUp, stale)).code).toBe(40904)

    const { data } = await clerk.call(listCashUps, {})
    expect(data.list.map((row: { is_current: boolean }) => row.is_current)).toEqual([true, false])
    expect((await finance.call(listCashUps, { clerk_id: clerk.staff_id })).data.total).toBe(2)
    const { rows } = await server.database.superuser.query(
      `select actor_id, action from audit_entries where corp_id = $1 and record_type = 'cash_ups' order by entry_id`,
      [school.corp_id],
    )
    expect(rows).toEqual([1, 2].map(() => ({ actor_id: clerk.staff_id, action: 'made' })))
  })

  test('of others is not listed for a clerk', async () => {
    const own = { day, lines: [{ method: 'cash', currency: 'CNY', counted_price: 30 }] }
    expect((await finance.call(createCashUp, own)).code).toBe(0)
    expect((await finance.call(listCashUps, {})).data.total).toBe(3)
    expect((await clerk.call(listCashUps, {})).data.total).toBe(2)
    expect((await clerk.call(listCashUps, { clerk_id: finance.staff_id })).code).toBe(40303)
  })
})

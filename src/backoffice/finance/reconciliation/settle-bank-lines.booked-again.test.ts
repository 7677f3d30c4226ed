import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts'
import { openLedger } from '../../../../test/harness/ledger.ts'
import { rebuildDerivedData } from '../../../derived/derived-data.ts'
import { fetchOrder } from '../../../orders/listing/fetch-order.ts'
import { createPayment } from '../../../orders/payments/create-payment.ts'
import { createRefund } from '../../../orders/payments/create-refund.ts'
import { movePayment } from '../../../orders/payments/move-payment.ts'
import { recordReceipt } from '../../../orders/payments/record-receipt.ts'
import { reverseRefund } from '../../../orders/payments/reverse-refund.ts'
import { voidPayment } from '../../../orders/payments/void-payment.ts'
import { checkLedger } from '../check-ledger.ts'
import { appendStatementLines } from './append-statement-lines.ts'
import { createBankAccount } from './bank-accounts.ts'
import { openStatement } from './bank-statements.ts'
import { listBankLines } from './list-bank-lines.ts'
import { listUnmatchedPayments } from './list-unmatched-payments.ts'
import { matchBankLines } from './match-bank-lines.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const reason = 'By mistake'

/** A school with an order and a statement of lines with these prices; `charge_id` is the charge of all lines. */
async function schoolWith(...prices: number[]) {
  return schoolWithLines(prices)
}

async function schoolWithLines(prices: number[], charge: { charge_id?: string } = {}) {
  const school = await openLedger(database)
  const { order_id } = await school.order({ listed_price: 100_000, installment_count: 1 })
  const { account_id } = await school.run(createBankAccount, { name: 'Bank' })
  const closing_price = prices.reduce((sum, price) => sum + price, 0)
  const opened = { account_id, name: 'March', opening_price: 0, closing_price }
  const { statement_id } = await school.run(openStatement, opened)
  const lines = prices.map((price) => ({ value_date: '2026-03-02', price, ...charge }))
  await school.run(appendStatementLines, { statement_id, first_number: 1, lines })
  const { list } = await school.run(listBankLines, { statement_id, page_size: 100 })
  const byNumber = list.toSorted((a: { number: number }, b: { number: number }) => a.number - b.number)
  const lineIds: string[] = byNumber.map((line: { line_id: string }) => line.line_id)
  const check = () => checkLedger(database.app, school.corp_id)
  const stateOf = async (line_id: string | undefined) => {
    const page = await school.run(listBankLines, { statement_id, page_size: 100 })
    return page.list.find((line: { line_id: string }) => line.line_id === line_id).state
  }
  return { school, order_id, lineIds, check, stateOf }
}

test('a payment booked from a line and voided is booked again, and again', async () => {
  const { school, order_id, lineIds, check } = await schoolWith(900)
  const booking = { line_ids: lineIds, book: [{ as: 'payment', price: 900, order_id }] }
  const made: string[] = []
  for (let n = 0; n < 3; n++) {
    const { list } = await school.run(matchBankLines, booking)
    expect(list).toMatchObject([{ state: 'booked', entries: [{ kind: 'payment', price: 900 }] }])
    made.push(list[0].entries[0].payment_id)
    expect((await school.run(fetchOrder, { order_id })).paid_price).toBe(900)
    if (n < 2) await school.run(voidPayment, { payment_id: made.at(-1), reason })
  }
  expect(new Set(made).size).toBe(3)
  expect(await check()).toMatchObject({ total: 0 })
})

test('a reversed refund opens its statement line again; the check finds a line that stays matched', async () => {
  const { school, order_id, lineIds, check, stateOf } = await schoolWith(-400)
  await school.run(createPayment, { order_id, price: 1000, completed_time: '2026-03-01 10:00:00' })
  const { refund_id } = await school.run(createRefund, { order_id, price: 400, reason })
  await school.run(matchBankLines, { line_ids: lineIds, refund_ids: [refund_id] })
  expect(await stateOf(lineIds[0])).toBe('matched')
  await school.run(reverseRefund, { refund_id, reason: 'The bank returned it' })
  expect(await stateOf(lineIds[0])).toBe('open')
  expect(await check()).toMatchObject({ total: 0 })
  await database.superuser.query('delete from statement_match_undos where corp_id = $1', [school.corp_id])
  await database.superuser.query(`update statement_line_states set state = 'matched' where corp_id = $1`, [
    school.corp_id,
  ])
  await rebuildDerivedData(database.app.of(school.corp_id), school.corp_id)
  const { discrepancies } = await check()
  expect(discrepancies).toMatchObject([
    { what: 'statement line: matched to no reversed refund', subject: lineIds[0] },
  ])
})

test('the refund limit applies to refunds and not to chargebacks', async () => {
  const { school, order_id, lineIds, check } = await schoolWith(-400, -300)
  const paid = { order_id, price: 1000, completed_time: '2026-03-01 10:00:00' }
  const { payment_id } = await school.run(createPayment, paid)
  await database.superuser.query(
    `insert into money_limits (corp_id, kind, currency, price, mtime) values ($1, 'refund', 'CNY', 0, now())`,
    [school.corp_id],
  )
  const refund = { as: 'refund', price: -400, order_id, reason }
  const booked = school.run(matchBankLines, { line_ids: [lineIds[0]], book: [refund] })
  await expect(booked).rejects.toMatchObject({ code: 40904 })
  const chargeback = { as: 'chargeback', price: -400, order_id, payment_id }
  const { list } = await school.run(matchBankLines, { line_ids: [lineIds[0]], book: [chargeback] })
  expect(list).toMatchObject([{ state: 'booked' }])
  expect(await school.run(fetchOrder, { order_id })).toMatchObject({
    post_refund_price: 600,
    unpaid_price: 99_400,
  })
  expect(await check()).toMatchObject({ total: 0 })
})

test('a refund booked from a line and reversed is booked again, as another refund', async () => {
  const { school, order_id, lineIds, check, stateOf } = await schoolWith(-400)
  await school.run(createPayment, { order_id, price: 1000, completed_time: '2026-03-01 10:00:00' })
  const booking = { line_ids: lineIds, book: [{ as: 'refund', price: -400, order_id, reason }] }
  const made: string[] = []
  for (let n = 0; n < 3; n++) {
    const { list } = await school.run(matchBankLines, booking)
    made.push(list[0].entries[0].refund_id)
    expect((await school.run(fetchOrder, { order_id })).post_refund_price).toBe(600)
    expect(await stateOf(lineIds[0])).toBe('booked')
    if (n < 2) await school.run(reverseRefund, { refund_id: made.at(-1), reason })
  }
  expect(new Set(made).size).toBe(3)
  expect(await check()).toMatchObject({ total: 0 })
})

test('two lines with the charge of one refund are not both booked as that refund', async () => {
  const { school, order_id, lineIds, check } = await schoolWithLines([-400, -400], { charge_id: 're_1' })
  await school.run(createPayment, { order_id, price: 1000, completed_time: '2026-03-01 10:00:00' })
  const book = [{ as: 'refund', price: -400, order_id, reason }]
  await school.run(matchBankLines, { line_ids: [lineIds[0]], book })
  const again = school.run(matchBankLines, { line_ids: [lineIds[1]], book })
  await expect(again).rejects.toMatchObject({ code: 40904 })
  expect(await check()).toMatchObject({ total: 0 })
})

test('a payment or refund that a call names is not also booked from the charge of the line', async () => {
  const paid = { charge_id: 'ch_1', completed_time: '2026-03-02 00:00:00', comments: reason }
  const { school, order_id, lineIds, check } = await schoolWithLines([900], { charge_id: 'ch_1' })
  const { payment_id } = await school.run(createPayment, { order_id, price: 900, ...paid })
  const book = [
    { as: 'payment', price: 900, order_id, reason },
    { as: 'difference', price: -900, reason },
  ]
  const twice = school.run(matchBankLines, { line_ids: lineIds, payment_ids: [payment_id], book })
  await expect(twice).rejects.toMatchObject({ code: 40904 })
  await school.run(matchBankLines, { line_ids: lineIds, payment_ids: [payment_id] })
  expect(await check()).toMatchObject({ total: 0 })
})

test('a payment that moves to an order in another currency opens its line; the check finds one that stays', async () => {
  const { school, order_id, lineIds, check, stateOf } = await schoolWith(900)
  const dollars = await school.order({ currency: 'USD' })
  const { payment_id } = await school.run(createPayment, { order_id, price: 900 })
  await school.run(matchBankLines, { line_ids: lineIds, payment_ids: [payment_id] })
  const to = { to_order_id: dollars.order_id, settled_price: 130 }
  const moved = await school.run(movePayment, { payment_id, ...to, reason })
  expect(await stateOf(lineIds[0])).toBe('open')
  await school.run(matchBankLines, { line_ids: lineIds, payment_ids: [moved.payment_id] })
  expect(await check()).toMatchObject({ total: 0 })
  await database.superuser.query('delete from statement_match_undos where corp_id = $1', [school.corp_id])
  const { discrepancies } = await check()
  expect(discrepancies).toContainEqual(
    expect.objectContaining({
      what: 'statement line: matched to no void payment',
      subject: lineIds[0],
    }),
  )
})

test('money on the account of a payer is listed as a payment without a line, with the name of the payer', async () => {
  const { school, lineIds, check } = await schoolWith(900)
  const receipt = { payer_name: 'Harbour Logistics', price: 900 }
  const { payment_id } = await school.run(recordReceipt, receipt)
  for (const filter of [{}, { amount: 900 }, { search: 'harbour' }]) {
    const found = await school.run(listUnmatchedPayments, filter)
    const shown = { payment_id, user_id: '', user_name: 'Harbour Logistics' }
    expect(found, JSON.stringify(filter)).toMatchObject({ total: 1, list: [shown] })
  }
  await school.run(matchBankLines, { line_ids: lineIds, payment_ids: [payment_id] })
  expect(await school.run(listUnmatchedPayments, {})).toMatchObject({ total: 0, list: [] })
  expect(await check()).toMatchObject({ total: 0 })
})

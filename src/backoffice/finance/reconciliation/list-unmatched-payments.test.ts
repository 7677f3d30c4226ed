import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../../test/harness/ledger.ts'
import { createPayer } from '../../../orders/payers/create-payer.ts'
import { createPayment } from '../../../orders/payments/create-payment.ts'
import { createRefund } from '../../../orders/payments/create-refund.ts'
import { listPayments } from '../../../orders/payments/list-payments.ts'
import { recordReceipt } from '../../../orders/payments/record-receipt.ts'
import { reverseRefund } from '../../../orders/payments/reverse-refund.ts'
import { appendStatementLines } from './append-statement-lines.ts'
import { createBankAccount } from './bank-accounts.ts'
import { openStatement } from './bank-statements.ts'
import { listBankLines } from './list-bank-lines.ts'
import { listUnmatchedPayments } from './list-unmatched-payments.ts'
import { listUnmatchedRefunds } from './list-unmatched-refunds.ts'
import { matchBankLines } from './match-bank-lines.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** The ids of the lines of a statement with these amounts, in their order. */
async function importLines(school: TestLedger, prices: number[]): Promise<string[]> {
  const { account_id } = await school.run(createBankAccount, { name: 'Bank' })
  const balance = { opening_price: 0, closing_price: prices.reduce((sum, price) => sum + price, 0) }
  const opened = { account_id, name: 'November', ...balance, lines: prices.length }
  const { statement_id } = await school.run(openStatement, opened)
  const lines = prices.map((price) => ({ price, value_date: '2026-11-10' }))
  await school.run(appendStatementLines, { statement_id, first_number: 1, lines })
  const { list } = await school.run(listBankLines, { statement_id })
  return prices.map((price) => list.find((line: { price: number }) => line.price === price).line_id)
}

test('the receipt of a payer is listed by the payer, found by the name, and matched', async () => {
  const school = await openLedger(database)
  const { payer_id } = await school.run(createPayer, { name: 'Harbour Logistics', kind: 'employer' })
  const [line] = await importLines(school, [30_000])
  const { order_id } = await school.order()
  const receipt = { payer_id, price: 30_000, currency: 'CNY', allocations: [{ order_id, price: 30_000 }] }
  const { payment_id } = await school.run(recordReceipt, receipt)
  for (const search of [undefined, 'harbour']) {
    const { total, list } = await school.run(listUnmatchedPayments, { search })
    expect(total).toBe(1)
    expect(list).toMatchObject([{ payment_id, user_id: '', user_name: 'Harbour Logistics', price: 30_000 }])
  }
  const matched = await school.run(matchBankLines, { line_ids: [line], payment_ids: [payment_id] })
  expect(matched.list[0].entries).toMatchObject([{ payment_id, user_name: 'Harbour Logistics' }])
  expect((await school.run(listUnmatchedPayments, {})).total).toBe(0)
})

test('a refund is listed until a line confirms it or it is reversed', async () => {
  const school = await openLedger(database)
  const [line] = await importLines(school, [-4_000])
  const { order_id } = await school.order()
  await school.run(createPayment, { order_id, price: 20_000 })
  const refund = (price: number) => school.run(createRefund, { order_id, price, reason: 'Ill' })
  const [first, second] = [await refund(4_000), await refund(5_000)]
  expect((await school.run(listUnmatchedRefunds, {})).list).toMatchObject([
    { refund_id: first.refund_id, user_name: 'Somebody', price: 4_000, reason: 'Ill' },
    { refund_id: second.refund_id },
  ])
  expect((await school.run(listUnmatchedRefunds, { amount: 5_000, currency: 'CNY' })).total).toBe(1)
  expect((await school.run(listUnmatchedRefunds, { search: 'somebody' })).total).toBe(2)
  expect((await school.run(listUnmatchedRefunds, { search: 'nobody' })).total).toBe(0)
  await school.run(matchBankLines, { line_ids: [line], refund_ids: [first.refund_id] })
  await school.run(reverseRefund, { refund_id: second.refund_id, reason: 'Returned by the bank' })
  expect((await school.run(listUnmatchedRefunds, {})).total).toBe(0)
})

test('a line is booked as the payment of a payer', async () => {
  const school = await openLedger(database)
  const { payer_id } = await school.run(createPayer, { name: 'Sponsor', kind: 'sponsor' })
  const [line] = await importLines(school, [7_000])
  const { order_id } = await school.order()
  const book = [{ as: 'payment', price: 7_000, order_id, payer_id }]
  const missing = [{ ...book[0], payer_id: 'missing' }]
  await expect(school.run(matchBankLines, { line_ids: [line], book: missing })).rejects.toMatchObject({
    code: 40442,
  })
  await school.run(matchBankLines, { line_ids: [line], book })
  expect((await school.run(listPayments, { order_id })).list).toMatchObject([
    { payer_id, payer_name: 'Sponsor', price: 7_000 },
  ])
})

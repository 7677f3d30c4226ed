import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../../test/harness/ledger.ts'
import { createPayment } from '../../../orders/payments/create-payment.ts'
import { createRefund } from '../../../orders/payments/create-refund.ts'
import { voidPayment } from '../../../orders/payments/void-payment.ts'
import { checkLedger } from '../check-ledger.ts'
import { appendStatementLines } from './append-statement-lines.ts'
import { createBankAccount, listBankAccounts } from './bank-accounts.ts'
import { listStatements, openStatement } from './bank-statements.ts'
import { listBankLines } from './list-bank-lines.ts'
import { listUnmatchedPayments } from './list-unmatched-payments.ts'
import { matchBankLines } from './match-bank-lines.ts'
import { confirmCertainMatches, ignoreBankLines, unmatchBankLines } from './settle-bank-lines.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const day = '2026-03-02'

/** A school with a bank account and a statement of the given lines. */
async function statementOf(lines: { price: number; [member: string]: unknown }[]) {
  const school = await openLedger(database)
  const { account_id } = await school.run(createBankAccount, { name: 'Bank', opening_price: 1000 })
  const closing_price = lines.reduce((sum, { price }) => sum + price, 1000)
  const opened = { account_id, name: 'March', opening_price: 1000, closing_price }
  const { statement_id } = await school.run(openStatement, opened)
  const dated = lines.map((line) => ({ value_date: day, ...line }))
  await school.run(appendStatementLines, { statement_id, first_number: 1, lines: dated })
  const { list } = await school.run(listBankLines, { statement_id, page_size: 100 })
  const byNumber = list.toSorted((a: { number: number }, b: { number: number }) => a.number - b.number)
  const lineIds: string[] = byNumber.map((line: { line_id: string }) => line.line_id)
  return { school, account_id, statement_id, lineIds }
}

async function payment(school: TestLedger, price: number, more: object = {}) {
  const { order_id } = await school.order({ listed_price: 100_000 })
  const made = await school.run(createPayment, {
    order_id,
    price,
    completed_time: `${day} 10:00:00`,
    ...more,
  })
  return { order_id, payment_id: made.payment_id as string }
}

async function expectSoundLedger(school: TestLedger): Promise<void> {
  const { total, discrepancies } = await checkLedger(database.app, school.corp_id)
  expect({ total, discrepancies }).toEqual({ total: 0, discrepancies: [] })
}

describe('a statement', () => {
  test('distinguishes identical lines in any calls, and accepts a repeated call', async () => {
    const school = await openLedger(database)
    const { account_id } = await school.run(createBankAccount, { name: 'Bank' })
    const opened = { account_id, name: 'March', opening_price: 0, closing_price: 1100 }
    const { statement_id } = await school.run(openStatement, opened)
    expect(await school.run(openStatement, opened)).toEqual({ statement_id })
    const send = (first_number: number, count: number) =>
      school.run(appendStatementLines, {
        ...{ statement_id, first_number },
        lines: Array.from({ length: count }, () => ({ value_date: day, price: 1 })),
      })
    expect(await send(1, 1000)).toMatchObject({ added: 1000, lines: 1000, missing_price: 100 })
    expect(await send(1001, 100)).toMatchObject({ added: 100, lines: 1100, missing_price: 0 })
    expect(await send(1001, 100)).toMatchObject({ added: 0, lines: 1100, missing_price: 0 })
    const other = { statement_id, first_number: 1, lines: [{ value_date: day, price: 2 }] }
    await expect(school.run(appendStatementLines, other)).rejects.toMatchObject({ code: 40901 })
    await expect(school.run(openStatement, { ...opened, closing_price: 1 })).rejects.toMatchObject({
      code: 40901,
    })
  })

  test('accepts lines in the currency of its account only', async () => {
    const { school, statement_id } = await statementOf([{ price: 5 }])
    const lines = [{ value_date: day, price: 5, currency: 'JPY' }]
    await expect(
      school.run(appendStatementLines, { statement_id, first_number: 2, lines }),
    ).rejects.toMatchObject({ code: 40002 })
  })

  test('shows its progress, and its account the balance', async () => {
    const { school, account_id, lineIds } = await statementOf([{ price: 700 }, { price: -200 }])
    await school.run(ignoreBankLines, { line_ids: [lineIds[1]], reason: 'Own account' })
    expect((await school.run(listStatements, { account_id })).list).toMatchObject([
      { lines: 2, open_lines: 1, ignored_lines: 1, open_price: 700, missing_price: 0 },
    ])
    expect((await school.run(listBankAccounts, {})).list).toMatchObject([
      {
        opening_price: 1000,
        closing_price: 1500,
        open_lines: 1,
        open_incoming_price: 700,
        open_outgoing_price: 0,
      },
    ])
  })

  test('with a line whose fee took the whole amount: it is ignored and opened again', async () => {
    const { school, lineIds } = await statementOf([{ price: 0, fee_price: 7 }])
    const { list } = await school.run(ignoreBankLines, { line_ids: lineIds, reason: 'A test charge' })
    expect(list).toMatchObject([
      {
        state: 'ignored',
        entries: [
          { kind: 'ignored', price: 7 },
          { kind: 'fee', price: -7 },
        ],
      },
    ])
    await expectSoundLedger(school)
    await school.run(unmatchBankLines, { line_ids: lineIds })
    await expectSoundLedger(school)
  })

  test('of another organization looks missing', async () => {
    const { account_id, statement_id, lineIds } = await statementOf([{ price: 5 }])
    const other = await openLedger(database)
    const opened = { account_id, name: 'x', opening_price: 0, closing_price: 0 }
    await expect(other.run(openStatement, opened)).rejects.toMatchObject({ code: 40430 })
    const lines = [{ value_date: day, price: 5 }]
    await expect(
      other.run(appendStatementLines, { statement_id, first_number: 2, lines }),
    ).rejects.toMatchObject({ code: 40431 })
    await expect(other.run(confirmCertainMatches, { statement_id })).rejects.toMatchObject({ code: 40431 })
    for (const operation of [matchBankLines, unmatchBankLines])
      await expect(other.run(operation, { line_ids: lineIds })).rejects.toMatchObject({ code: 40002 })
    await expect(other.run(listBankLines, { statement_id })).rejects.toMatchObject({ code: 40431 })
    await expect(other.run(listStatements, { account_id })).rejects.toMatchObject({ code: 40430 })
  })
})

describe('lines', () => {
  test('are matched once by the same charge, and stay open after a person unmatched them', async () => {
    const { school, statement_id, lineIds } = await statementOf([
      { price: 500, charge_id: 'c1' },
      { price: 9 },
    ])
    const { payment_id } = await payment(school, 500, { charge_id: 'c1' })
    expect(await school.run(confirmCertainMatches, { statement_id })).toEqual({ matched: 1, remaining: 0 })
    expect(await school.run(confirmCertainMatches, { statement_id })).toEqual({ matched: 0, remaining: 0 })
    const { list } = await school.run(listBankLines, { statement_id, state: 'matched' })
    expect(list).toMatchObject([
      { line_id: lineIds[0], entries: [{ kind: 'payment', payment_id, price: 500 }] },
    ])
    const { list: opened } = await school.run(unmatchBankLines, { line_ids: [lineIds[0]] })
    expect(opened).toMatchObject([{ state: 'open', entries: [] }])
    expect(await school.run(confirmCertainMatches, { statement_id })).toEqual({ matched: 0, remaining: 0 })
    await expectSoundLedger(school)
  })

  test('are joined to one payment, and one line is split among payments, a refund and a fee', async () => {
    const { school, lineIds } = await statementOf([{ price: 300 }, { price: 700 }, { price: 1080 }])
    const whole = await payment(school, 1000)
    const joined = await school.run(matchBankLines, {
      ...{ line_ids: lineIds.slice(0, 2), payment_ids: [whole.payment_id] },
    })
    expect(joined.list.map((line: { state: string }) => line.state)).toEqual(['matched', 'matched'])
    const [one, two] = [await payment(school, 600), await payment(school, 800)]
    const { refund_id } = await school.run(createRefund, {
      order_id: two.order_id,
      price: 300,
      reason: 'Agreed',
    })
    const split = await school.run(matchBankLines, {
      line_ids: [lineIds[2]],
      payment_ids: [one.payment_id, two.payment_id],
      refund_ids: [refund_id],
      book: [{ as: 'fee', price: -20 }],
    })
    expect(split.list).toMatchObject([
      {
        state: 'booked',
        entries: [
          { price: 600 },
          { price: 800 },
          { kind: 'refund', refund_id, price: -300 },
          { kind: 'fee', price: -20 },
        ],
      },
    ])
    await expectSoundLedger(school)
  })

  test('are booked as payments of several orders, an unidentified receipt, a refund and a chargeback', async () => {
    const { school, lineIds } = await statementOf([{ price: 900 }, { price: -250 }, { price: -100 }])
    const { order_id } = await school.order({ listed_price: 100_000 })
    const other = await payment(school, 400)
    await school.run(matchBankLines, {
      line_ids: [lineIds[0]],
      book: [
        { as: 'payment', price: 500, order_id },
        { as: 'payment', price: 300, order_id: other.order_id },
        { as: 'unidentified', price: 100 },
      ],
    })
    const refund = { as: 'refund', price: -250, order_id, reason: 'Agreed' }
    await school.run(matchBankLines, { line_ids: [lineIds[1]], book: [refund] })
    const chargeback = { as: 'chargeback', price: -100, ...other }
    const { list } = await school.run(matchBankLines, { line_ids: [lineIds[2]], book: [chargeback] })
    expect(list).toMatchObject([{ state: 'booked', entries: [{ kind: 'refund', price: -100 }] }])
    const { rows } = await database.superuser.query(
      `select sum(price)::integer as paid, (select sum(price)::integer from refunds where corp_id = $1) as refunded
         from payments where corp_id = $1`,
      [school.corp_id],
    )
    expect(rows).toEqual([{ paid: 1200, refunded: 350 }])
    await expectSoundLedger(school)
  })

  test('with counterparts that do not add up, are already matched or unknown change nothing', async () => {
    const { school, lineIds } = await statementOf([{ price: 900 }, { price: 50 }])
    const { payment_id, order_id } = await payment(school, 800)
    const refused = [
      { line_ids: [lineIds[0]], payment_ids: [payment_id] },
      { line_ids: [lineIds[0]], payment_ids: [payment_id], book: [{ as: 'payment', price: 99, order_id }] },
      { line_ids: [lineIds[0]], payment_ids: ['nothing'] },
      { line_ids: ['nothing'], payment_ids: [payment_id] },
      { line_ids: [lineIds[0], lineIds[0]] },
      { line_ids: lineIds, payment_ids: [payment_id], book: [{ as: 'fee', price: 150 }] },
      { line_ids: [lineIds[0]], book: [{ as: 'refund', price: 900, order_id }] },
    ]
    for (const input of refused)
      await expect(school.run(matchBankLines, input), JSON.stringify(input)).rejects.toMatchObject({
        code: 40002,
      })
    await school.run(matchBankLines, {
      ...{ line_ids: [lineIds[0]], payment_ids: [payment_id], book: [{ as: 'fee', price: 100 }] },
    })
    for (const operation of [matchBankLines, ignoreBankLines])
      await expect(
        school.run(operation, { line_ids: [lineIds[0]], reason: 'x', payment_ids: [payment_id] }),
      ).rejects.toMatchObject({ code: 40904 })
    expect((await school.run(listBankLines, { state: 'open' })).list).toMatchObject([{ line_id: lineIds[1] }])
    await expectSoundLedger(school)
  })

  test('open again when their payment is voided, and the payment is no longer offered', async () => {
    const { school, lineIds } = await statementOf([{ price: 500, description: 'Lin Xiao' }])
    const { payment_id } = await payment(school, 500)
    const found = await school.run(listUnmatchedPayments, { start_date: day, end_date: day, amount: 500 })
    expect(found).toMatchObject({ total: 1, list: [{ payment_id, price: 500 }] })
    await school.run(matchBankLines, { line_ids: lineIds, payment_ids: [payment_id] })
    expect((await school.run(listUnmatchedPayments, { start_date: day, end_date: day })).total).toBe(0)
    await school.run(voidPayment, { payment_id, reason: 'Bounced' })
    const { list } = await school.run(listBankLines, { state: 'open', search: 'lin x', with_proposals: true })
    expect(list).toMatchObject([{ line_id: lineIds[0], entries: [] }])
    expect((await school.run(listUnmatchedPayments, { start_date: day, end_date: day })).total).toBe(0)
    await expectSoundLedger(school)
  })
})

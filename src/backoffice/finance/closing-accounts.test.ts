import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { createRefund } from '../../orders/payments/create-refund.ts'
import { movePayment } from '../../orders/payments/move-payment.ts'
import { reverseRefund } from '../../orders/payments/reverse-refund.ts'
import { reverseVoid } from '../../orders/payments/reverse-void.ts'
import { voidPayment } from '../../orders/payments/void-payment.ts'
import { checkLedger } from './check-ledger.ts'
import { closePeriod } from './close-period.ts'
import { accountsOf } from './closing-accounts.ts'
import type { AccountSum } from './closing-figure-store.ts'
import { exportMoney } from './export-money.ts'
import { appendStatementLines } from './reconciliation/append-statement-lines.ts'
import { createBankAccount } from './reconciliation/bank-accounts.ts'
import { openStatement } from './reconciliation/bank-statements.ts'
import { listBankLines } from './reconciliation/list-bank-lines.ts'
import { confirmCertainMatches } from './reconciliation/settle-bank-lines.ts'

let database: TestDatabase
let school: TestLedger
let folder: string
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'matricula-accounts-'))
  school = await openLedger(database)
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

const until = '2031-01-31'
const inJanuary = new Date('2031-01-10T10:00:00Z')
const inFebruary = new Date('2031-02-03T10:00:00Z')
const reason = 'Agreed'
const day = { completed_time: '2031-01-10 09:00:00' }
const stripe = { provider: 'stripe', method: 'card', ...day }
const transfer = { method: 'transfer', ...day }
const dollars = { currency: 'USD', exchange_rate: 70_000 }

/** A month with two accounts: bank transfers in CNY, and a gateway that collects USD for orders in CNY and in USD. */
async function live(): Promise<void> {
  const pay = (order_id: string, price: number, more: object) =>
    school.run(createPayment, { order_id, price, ...more }, inJanuary)
  const { order_id } = await school.order({ listed_price: 100_000 })
  await pay(order_id, 20_000, { ...transfer, charge_id: 'T1' })
  const bounced = await pay(order_id, 5000, { ...transfer, charge_id: 'T2' })
  await school.run(voidPayment, { payment_id: bounced.payment_id, reason })
  const kept = await pay(order_id, 300, { ...transfer, charge_id: 'T3' })
  await school.run(voidPayment, { payment_id: kept.payment_id, reason })
  await school.run(reverseVoid, { payment_id: kept.payment_id, reason })
  await school.run(createRefund, { order_id, price: 1000, reason, ...transfer, charge_id: 'R1' })
  await pay(order_id, 1000, { ...stripe, ...dollars, charge_id: 'S1' })
  const returned = { price: 700, currency: 'USD', returned_price: 100, exchange_rate: 70_000 }
  await school.run(createRefund, { order_id, ...returned, reason, ...stripe, charge_id: 'R2' })
  const failed = await school.run(createRefund, { order_id, price: 50, reason, ...transfer })
  await school.run(reverseRefund, { refund_id: failed.refund_id, reason })
  const wrong = await pay(order_id, 400, { ...stripe, ...dollars, charge_id: 'S2' })
  const { order_id: to_order_id } = await school.order({ currency: 'USD', listed_price: 90_000 })
  await school.run(movePayment, { payment_id: wrong.payment_id, to_order_id, reason })
}

const nothing = { held: 0, order_held: 0 }

describe('a closing by account and currency of receipt', () => {
  test('states the amounts of statements, and the held money in the currency of the orders', async () => {
    await live()
    const closing = await school.run(closePeriod, { until }, inFebruary)
    expect(closing.accounts).toEqual([
      {
        ...{ account: 'stripe', currency: 'USD', order_currency: 'CNY', opening: nothing },
        ...{ received: 1400, voided: 0, moved: 400, refunded: 100 },
        closing: { held: 900, order_held: 6300 },
      },
      {
        ...{ account: 'stripe', currency: 'USD', order_currency: 'USD', opening: nothing },
        ...{ received: 400, voided: 0, moved: 0, refunded: 0 },
        closing: { held: 400, order_held: 400 },
      },
      {
        ...{ account: 'transfer', currency: 'CNY', order_currency: 'CNY', opening: nothing },
        ...{ received: 25_300, voided: 5000, moved: 0, refunded: 1000 },
        closing: { held: 19_300, order_held: 19_300 },
      },
    ])
    const held = Object.fromEntries(
      closing.currencies.map((row: { currency: string; closing: { held: number } }) => [
        row.currency,
        row.closing.held,
      ]),
    )
    expect(held).toEqual({ CNY: 6300 + 19_300, USD: 400 })
    expect(await sumsOfStatements()).toEqual({ Bank: 19_300, Stripe: 900 + 400 })
    expect(await sumsOfExports(closing.as_of)).toEqual({ 'transfer CNY': 19_300, 'stripe USD': 1300 })
    expect((await checkLedger(database.app, school.corp_id)).discrepancies).toEqual([])
  })

  test('opens with the balances of the previous closing; a refund that names no account leaves that of its payment', async () => {
    const { order_id } = await school.order()
    await school.run(createPayment, { order_id, price: 2000, method: 'cash' })
    await school.run(createRefund, { order_id, price: 500, reason })
    const { accounts } = await school.run(
      closePeriod,
      { until: '2031-02-28' },
      new Date('2031-03-02T00:00:00Z'),
    )
    expect(accounts).toMatchObject([
      { account: 'cash', opening: nothing, received: 2000, refunded: 500, closing: { held: 1500 } },
      { account: 'stripe', order_currency: 'CNY', opening: { held: 900 }, closing: { held: 900 } },
      { account: 'stripe', order_currency: 'USD', opening: { held: 400 }, closing: { held: 400 } },
      { account: 'transfer', opening: { held: 19_300, order_held: 19_300 }, closing: { held: 19_300 } },
    ])
    expect((await checkLedger(database.app, school.corp_id)).discrepancies).toEqual([])
  })

  test('with very many accounts has one row per pair of currencies', () => {
    const sums = Array.from({ length: 501 }, (_, n): AccountSum => {
      const of = {
        account: `method ${n}`,
        currency: 'CNY',
        order_currency: 'CNY',
        movement: 'received' as const,
      }
      return { ...of, in_period: 2, in_all: 3, order_in_period: 2, order_in_all: 3 }
    })
    expect(accountsOf(sums.slice(1))).toHaveLength(500)
    expect(accountsOf(sums)).toMatchObject([
      { account: '', opening: { held: 501 }, received: 1002, closing: { held: 1503, order_held: 1503 } },
    ])
  })
})

/** The lines of the bank and of the gateway, all matched: the gross sum of each account. */
async function sumsOfStatements(): Promise<Record<string, number>> {
  const banks = {
    Bank: {
      account: {},
      lines: [
        { price: 20_000, charge_id: 'T1' },
        { price: 300, charge_id: 'T3' },
        { price: -1000, charge_id: 'R1' },
      ],
    },
    Stripe: {
      account: { provider: 'stripe', currency: 'USD' },
      lines: [
        { price: 960, fee_price: 40, charge_id: 'S1' },
        { price: 380, fee_price: 20, charge_id: 'S2' },
        { price: -100, charge_id: 'R2' },
      ],
    },
  }
  const sums: Record<string, number> = {}
  for (const [name, { account, lines }] of Object.entries(banks)) {
    const { account_id } = await school.run(createBankAccount, { name, ...account })
    const closing_price = lines.reduce((sum, { price }) => sum + price, 0)
    const opened = { account_id, name: 'January', opening_price: 0, closing_price }
    const { statement_id } = await school.run(openStatement, opened)
    const dated = lines.map((line) => ({ value_date: '2031-01-10', ...line }))
    await school.run(appendStatementLines, { statement_id, first_number: 1, lines: dated })
    await school.run(confirmCertainMatches, { account_id })
    const { list } = await school.run(listBankLines, { statement_id, page_size: 100 })
    expect(list.map((line: { state: string }) => line.state)).toEqual(lines.map(() => 'matched'))
    sums[name] = list.reduce(
      (sum: number, line: { price: number; fee_price: number }) => sum + line.price + line.fee_price,
      0,
    )
  }
  return sums
}

/** The money of each account and currency, added up from the exports of payments and refunds. */
async function sumsOfExports(as_of: string): Promise<Record<string, number>> {
  const sums: Record<string, number> = {}
  const add = ({ account, currency }: Record<string, string>, major: number) => {
    const key = `${account} ${currency}`
    sums[key] = (sums[key] ?? 0) + Math.round(major * 100)
  }
  for (const what of ['payments', 'refunds'] as const) {
    const out = join(folder, what)
    await exportMoney({ db: database.app }, { corp_id: school.corp_id, format: 'ndjson', out, what, as_of })
    for (const line of (await readFile(out, 'utf8')).split('\n').filter(Boolean)) {
      const row = JSON.parse(line)
      if (what === 'payments') add(row, row.price - row.voided_price - row.moved_price)
      else if (row.reversed_price === 0) add(row, -row.returned_price)
    }
  }
  return sums
}

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { seedOfRun } from '../../../test/harness/seed.ts'
import { bankCalls, noteBankAnswer } from '../../../test/random-calls/bank-calls.ts'
import { type CallStep, callStep } from '../../../test/random-calls/call-step.ts'
import { type Found, nothingFound } from '../../../test/random-calls/found.ts'
import { ledgerCalls } from '../../../test/random-calls/ledger-calls.ts'
import { officeCalls, sharedCoupon } from '../../../test/random-calls/office-calls.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { inputValidator } from '../../contract/validate.ts'
import { changeLimits } from '../../orders/limits/manage-refund-limits.ts'
import { limitKinds } from '../../orders/limits/money-limit-store.ts'
import { fetchOrder } from '../../orders/listing/fetch-order.ts'
import { upsertCoupon } from '../../orders/offerings/upsert-coupon.ts'
import { createPayer } from '../../orders/payers/create-payer.ts'
import { listOrderMoney } from '../../orders/payments/list-order-money.ts'
import { checkLedger } from './check-ledger.ts'
import { closePeriod } from './close-period.ts'
import { createBankAccount, listBankAccounts } from './reconciliation/bank-accounts.ts'
import { listStatements } from './reconciliation/bank-statements.ts'

/** `npm run test:long` and MATRICULA_CALLS make more. */
const calls = Number(process.env.MATRICULA_CALLS ?? 400)
const callsPerHistory = 40
/** Callers share the charges, the bank accounts and the ledger clock of one school, and run concurrently. */
const historiesPerSchool = calls > 400 ? 25 : 5

let database: TestDatabase
/** Number of accepted calls by operation. */
const accepted = new Map<string, number>()

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const allCalls = { ...ledgerCalls, ...bankCalls, ...officeCalls }
type Operation = keyof typeof allCalls | 'close'

const step = callStep<Operation>([
  ...(Object.keys(allCalls) as Operation[]),
  ...(['pay', 'pay', 'refund', 'receipt', 'append', 'append', 'append', 'match', 'match', 'match'] as const),
  'close',
])

interface School extends TestLedger {
  payers: string[]
  bankAccounts: string[]
  /** Its ledger clock, which closings advance. */
  now: number
}

async function openSchool(hasLimits: boolean): Promise<School> {
  const ledger = await openLedger(database)
  const accounts = [
    { name: 'Bank', currency: 'CNY' },
    { name: 'Gateway', currency: 'CNY', provider: 'stripe', opening_price: 500 },
    { name: 'Dollars', currency: 'USD' },
  ]
  const bankAccounts: string[] = []
  for (const account of accounts) bankAccounts.push((await ledger.run(createBankAccount, account)).account_id)
  const payers: string[] = []
  for (const name of ['A', 'B']) payers.push((await ledger.run(createPayer, { name })).payer_id)
  await ledger.run(upsertCoupon, sharedCoupon)
  const db = database.app.of(ledger.corp_id)
  if (hasLimits)
    for (const kind of limitKinds) await changeLimits(db, ledger.corp_id, kind, { CNY: 4000 }, new Date())
  return { ...ledger, payers, bankAccounts, now: Date.now() }
}

async function play(school: School, steps: CallStep[]): Promise<void> {
  const { payers, bankAccounts, user_id } = school
  const found: Found = { ...nothingFound(user_id), payers, bankAccounts }
  for (const currency of ['CNY', 'CNY', 'USD']) {
    const { order_id } = await school.order({ currency, listed_price: 20_000, installment_count: 2 })
    found.orders.push(order_id)
  }
  for (const each of steps) await call(school, each, found)
  for (const order_id of found.orders) await expectMoneyToAddUp(school, order_id)
}

async function call(school: School, each: CallStep, found: Found): Promise<void> {
  const operation = each.operation as Operation
  if (operation === 'close') return close(school)
  const [endpoint, input, caller] = allCalls[operation](each, found)
  const data = await callAs(school, endpoint as Endpoint, input, caller).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
  })
  if (!data) return
  accepted.set(operation, (accepted.get(operation) ?? 0) + 1)
  note(operation, input, data, found)
  noteBankAnswer(each, input, data, found)
}

const validators = new Map<Endpoint, ReturnType<typeof inputValidator>>()

/** Checks the input as the interface does, and runs the operation. */
async function callAs({ corp_id, runAs }: School, endpoint: Endpoint, input: object, caller = 'tester') {
  const validate = validators.get(endpoint) ?? inputValidator(endpoint)
  validators.set(endpoint, validate)
  return runAs(caller, endpoint, validate({ corp_id, ...JSON.parse(JSON.stringify(input)) }))
}

// biome-ignore lint/suspicious/noExplicitAny: inputs and answers of every operation.
function note(operation: Operation, input: any, data: any, found: Found): void {
  const money = { price: input.price ?? input.settled_price ?? 1, charge_id: input.charge_id }
  if (data.request_id && data.state === 'waiting') found.requests.push(data.request_id)
  else if (['pay', 'receipt', 'move'].includes(operation))
    found.payments.push({ id: data.payment_id, ...money })
  else if (['refund', 'refundAccount'].includes(operation))
    found.refunds.push({ id: data.refund_id, ...money })
  if (operation === 'receipt') found.accounts.push(data.order_id)
  if (operation === 'order') found.orders.push(data.order_id)
  if (data.transfer_id) found.transfers.push(data.transfer_id)
}

/** Two days pass, and the first of them is closed. */
async function close(school: School): Promise<void> {
  const until = new Date(school.now).toISOString().slice(0, 10)
  school.now += 2 * 86_400_000
  await school.run(closePeriod, { until }, new Date(school.now)).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
  })
}

let schools = 0

/** A new school for each run, so that the cost of the check does not grow with the number of calls. */
async function playAtOnce(histories: CallStep[][]): Promise<void> {
  const school = await openSchool(schools++ % 2 === 1)
  const outcomes = await Promise.allSettled(histories.map((steps) => play(school, steps)))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  expect(await checkLedger(database.app, school.corp_id)).toMatchObject({ total: 0, discrepancies: [] })
  await expectBankToAddUp(school)
}

async function expectMoneyToAddUp(school: TestLedger, order_id: string): Promise<void> {
  const { list, ...sums } = await school.run(listOrderMoney, { order_id, page_size: 1000 })
  const { unpaid_price, post_refund_price } = await school.run(fetchOrder, { order_id })
  const sum = (name: string) =>
    list.reduce((all: number, row: Record<string, number>) => all + (row[name] ?? 0), 0)
  expect(sums).toMatchObject({ unpaid_price, held_price: post_refund_price })
  expect(sum('price')).toBe(sums.held_price)
  expect(sum('claim_price')).toBe(sums.total_price - sums.credited_price - sums.written_off_price)
  const { unpaid_price: unpaid, over_payment_price } = list.at(-1)
  expect({ unpaid, over_payment_price }).toEqual({
    unpaid: unpaid_price,
    over_payment_price: sums.over_payment_price,
  })
}

/** Opening balance and lines sum to the closing balance, and every line is open, matched, booked or ignored. */
async function expectBankToAddUp(school: School): Promise<void> {
  const { list } = await school.run(listBankAccounts, {})
  expect(list).toHaveLength(school.bankAccounts.length)
  for (const account of list) {
    const { account_id } = account
    const statements = (await school.run(listStatements, { account_id, page_size: 1000 })).list
    const sum = (of: (statement: Record<string, number>) => number) =>
      statements.reduce((all: number, each: Record<string, number>) => all + of(each), 0)
    expect(account.statements).toBe(statements.length)
    expect(account.lines).toBe(sum((each) => each.lines!))
    expect(account.lines).toBe(
      sum((each) => each.open_lines! + each.matched_lines! + each.booked_lines! + each.ignored_lines!),
    )
    expect(account.open_incoming_price + account.open_outgoing_price).toBe(sum((each) => each.open_price!))
    expect(account.closing_price - account.opening_price).toBe(
      sum((each) => each.closing_price! - each.opening_price! - each.missing_price!),
    )
  }
}

const title = `no sequence of ${calls} random calls makes finance check fail, and orders and bank accounts add up`

test(title, { timeout: 36_000_000 }, async () => {
  const history = fc.array(step, { minLength: callsPerHistory, maxLength: callsPerHistory })
  const histories = fc.array(history, { minLength: historiesPerSchool, maxLength: historiesPerSchool })
  await fc.assert(fc.asyncProperty(histories, playAtOnce), {
    numRuns: Math.ceil(calls / (callsPerHistory * historiesPerSchool)),
    seed: seedOfRun(),
    endOnFailure: true,
  })
  // Every operation succeeds sometimes; otherwise the calls test nothing about it.
  if (calls > 10_000) expect([...accepted.keys()].sort()).toEqual(Object.keys(allCalls).sort())
})

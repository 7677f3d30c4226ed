import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../../test/harness/ledger.ts'
import { seedOfRun } from '../../../../test/harness/seed.ts'
import { ApiError } from '../../../contract/errors.ts'
import { assignPayer } from '../../../orders/payers/assign-payer.ts'
import { createPayer } from '../../../orders/payers/create-payer.ts'
import { applyPayment } from '../../../orders/payments/apply-payment.ts'
import { createPayment } from '../../../orders/payments/create-payment.ts'
import { createRefund } from '../../../orders/payments/create-refund.ts'
import { listPayments } from '../../../orders/payments/list-payments.ts'
import { listUnallocated } from '../../../orders/payments/list-unallocated.ts'
import { recordReceipt } from '../../../orders/payments/record-receipt.ts'
import { reverseRefund } from '../../../orders/payments/reverse-refund.ts'
import { reverseVoid } from '../../../orders/payments/reverse-void.ts'
import { unapplyPayment } from '../../../orders/payments/unapply-payment.ts'
import { voidPayment } from '../../../orders/payments/void-payment.ts'
import { ageDebts } from '../age-debts.ts'
import { checkLedger } from '../check-ledger.ts'
import { agePayers } from './age-payers.ts'
import { exportPayerStatement, fetchPayerStatement } from './fetch-statement.ts'

let database: TestDatabase
let school: TestLedger
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

interface Known {
  payers: string[]
  orders: string[]
  payments: { payment_id: string; order_id: string }[]
  refunds: string[]
}

const step = fc.record({
  what: fc.constantFrom(
    ...['receive', 'receive', 'pay', 'apply', 'apply', 'unapply', 'refund', 'reverseRefund'],
    ...['void', 'reverseVoid', 'assign'],
  ),
  a: fc.nat(1000),
  b: fc.nat(1000),
  price: fc.integer({ min: 1, max: 4000 }),
})
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

const pick = <One>(all: One[], n: number): One => all[n % all.length]!

/** Runs a step. A refusal by the rules changes nothing. */
async function play(known: Known, { what, a, b, price }: Step): Promise<void> {
  const payer_id = pick(known.payers, a)
  const order_id = pick(known.orders, b)
  const payment = known.payments.length > 0 ? pick(known.payments, a) : undefined
  const reason = 'Random'
  const steps: Record<string, () => Promise<unknown>> = {
    receive: async () => {
      const allocations = [order_id, pick(known.orders, b + 1)].map((id) => ({
        order_id: id,
        price: price % 700 || 1,
      }))
      known.payments.push(await school.run(recordReceipt, { payer_id, price: price + 1400, allocations }))
    },
    pay: async () => known.payments.push(await school.run(createPayment, { payer_id, order_id, price })),
    apply: () => school.run(applyPayment, { payment_id: payment!.payment_id, order_id, price }),
    unapply: () => school.run(unapplyPayment, { payment_id: payment!.payment_id, order_id }),
    refund: async () => {
      const { refund_id } = await school.run(createRefund, { ...ids(payment!), price, reason })
      known.refunds.push(refund_id)
    },
    reverseRefund: () => school.run(reverseRefund, { refund_id: pick(known.refunds, b), reason }),
    void: () => school.run(voidPayment, { payment_id: payment!.payment_id, reason }),
    reverseVoid: () => school.run(reverseVoid, { payment_id: payment!.payment_id, reason }),
    assign: () => school.run(assignPayer, { payment_id: payment!.payment_id, payer_id }),
  }
  if (!payment && !['receive', 'pay'].includes(what)) return
  if (what === 'reverseRefund' && known.refunds.length === 0) return
  await steps[what]!().catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
  })
}

const ids = ({ payment_id, order_id }: Known['payments'][number]) => ({ payment_id, order_id })

type PaymentRow = Record<'order_price' | 'refund_price' | 'unapplied_price', number> & {
  state: string
  allocations: { price: number }[]
}

test('received less refunded and voided is allocated and unallocated, for every payer and in every statement', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      school = await openLedger(database)
      const payers = await Promise.all(['A', 'B'].map((name) => school.run(createPayer, { name })))
      const orders = await Promise.all(Array.from({ length: 3 }, () => school.order()))
      const known: Known = {
        payers: payers.map(({ payer_id }) => payer_id),
        orders: orders.map(({ order_id }) => order_id),
        ...{ payments: [], refunds: [] },
      }
      for (const each of steps) await play(known, each)
      for (const payer_id of known.payers) {
        const { list } = await school.run(listPayments, { payer_id, page_size: 1000 })
        const rows = list as PaymentRow[]
        const sum = (of: (row: PaymentRow) => number) => rows.reduce((all, row) => all + of(row), 0)
        const allocated = (row: PaymentRow) => row.allocations.reduce((all, line) => all + line.price, 0)
        const statement = await school.run(fetchPayerStatement, { payer_id, page_size: 1000 })
        if (rows.length === 0) {
          expect(statement.balances).toEqual([])
          continue
        }
        const [balance] = statement.balances
        const { received_price, voided_price, refunded_price, closing_price } = balance
        expect(balance).toMatchObject({
          opening_price: 0,
          moved_price: 0,
          received_price: sum((row) => row.order_price),
        })
        expect(refunded_price).toBe(sum((row) => row.refund_price))
        expect(closing_price).toBe(received_price - voided_price - refunded_price)
        expect(closing_price).toBe(balance.allocated_price + balance.unallocated_price)
        expect(balance.unallocated_price).toBe(sum((row) => row.unapplied_price))
        // An allocation keeps its refunded part, which left the payer.
        expect(balance.allocated_price).toBeLessThanOrEqual(sum(allocated))
        const entries = statement.list as { price: number; balance: number }[]
        expect(entries.reduce((all, { price }) => all + price, 0)).toBe(closing_price)
        expect(entries.at(-1)!.balance).toBe(closing_price)
        const waiting = await school.run(listUnallocated, { payer_id })
        expect(waiting.totals[0]?.unallocated_price ?? 0).toBe(balance.unallocated_price)
      }
      const ageing = await school.run(ageDebts, { page_size: 1000 })
      const byPayer = await school.run(agePayers, { page_size: 1000 })
      const owed = byPayer.list.reduce(
        (all: number, row: { outstanding: number }) => all + row.outstanding,
        0,
      )
      expect(owed).toBe(ageing.totals[0]?.outstanding ?? 0)
      expect((await checkLedger(database.app, school.corp_id)).discrepancies).toEqual([])
    }),
    { numRuns: 12, seed: seedOfRun() },
  )
})

test('a statement of a range of days opens with the balance before it, and can be a file', async () => {
  school = await openLedger(database, 'Asia/Shanghai')
  const { payer_id } = await school.run(createPayer, { name: 'Harbour', kind: 'employer' })
  const at = (text: string) => new Date(text)
  const soon = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const later = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  // Half past midnight in Shanghai is the day before in UTC.
  await school.run(recordReceipt, { payer_id, price: 1000 }, at(`${soon}T15:30:00Z`))
  const { payment_id, order_id } = await school.run(
    recordReceipt,
    { payer_id, price: 500 },
    at(`${soon}T16:30:00Z`),
  )
  await school.run(
    createRefund,
    { order_id, payment_id, price: 200, reason: 'Too much' },
    at(`${later}T02:00:00Z`),
  )
  const statement = await school.run(fetchPayerStatement, { payer_id, start_date: later, end_date: later })
  expect(statement.balances).toMatchObject([
    {
      opening_price: 1000,
      received_price: 500,
      refunded_price: 200,
      closing_price: 1300,
      unallocated_price: 1300,
    },
  ])
  expect(statement.list).toMatchObject([
    { kind: 'received', price: 500, balance: 1500 },
    { kind: 'refunded', price: -200, balance: 1300 },
  ])
  const { csv, entries } = await school.run(exportPayerStatement, { payer_id, start_date: later })
  expect(entries).toBe(2)
  const cells = (csv as string).split('\r\n').map((line) => line.split(',').slice(2, 5).join(' '))
  expect(cells).toEqual([
    ...[
      'kind amount balance',
      'opening  10.00',
      'received 5.00 15.00',
      'refunded -2.00 13.00',
      'closing  13.00',
      '',
    ],
  ])
})

test('the check reports a payer whose sums do not add up, and money without a payer', async () => {
  school = await openLedger(database)
  const { payer_id } = await school.run(createPayer, { name: 'A' })
  const { order_id } = await school.order()
  const { payment_id } = await school.run(recordReceipt, {
    payer_id,
    price: 500,
    allocations: [{ order_id, price: 300 }],
  })
  await expect(school.run(assignPayer, { payment_id })).rejects.toMatchObject({ code: 40904 })
  const { superuser } = database
  await superuser.query(`update payment_allocations set price = price + 1000 where corp_id = $1`, [
    school.corp_id,
  ])
  const broken = await checkLedger(database.app, school.corp_id)
  expect(broken.discrepancies).toEqual(
    expect.arrayContaining([expect.objectContaining({ subject: `payer ${payer_id} in CNY` })]),
  )
  await superuser.query(`update payment_allocations set price = price - 1000 where corp_id = $1`, [
    school.corp_id,
  ])
  await superuser.query(`update payments set payer_id = null where corp_id = $1`, [school.corp_id])
  expect((await checkLedger(database.app, school.corp_id)).discrepancies).toMatchObject([
    { subject: payment_id, what: 'payer: money on an account has one' },
  ])
})

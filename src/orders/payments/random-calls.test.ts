import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { seedOfRun } from '../../../test/harness/seed.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { ApiError } from '../../contract/errors.ts'
import { fetchOrder } from '../listing/fetch-order.ts'
import { updateOrder } from '../update-order.ts'
import { updateStatus } from '../update-status.ts'
import { writeOffOrder } from '../write-off-order.ts'
import { applyPayment } from './apply-payment.ts'
import { createPayment } from './create-payment.ts'
import { createRefund } from './create-refund.ts'
import { listOrderMoney } from './list-order-money.ts'
import { movePayment } from './move-payment.ts'
import { recordReceipt } from './record-receipt.ts'
import { reverseRefund } from './reverse-refund.ts'
import { reverseTransfer } from './reverse-transfer.ts'
import { reverseVoid } from './reverse-void.ts'
import { reverseWriteOff } from './reverse-write-off.ts'
import { transferMoney } from './transfer-money.ts'
import { unapplyPayment } from './unapply-payment.ts'
import { voidPayment } from './void-payment.ts'

/** `npm run test:long` and MATRICULA_CALLS make more. */
const calls = Number(process.env.MATRICULA_CALLS ?? 400)
const callsPerHistory = 40
/** They share the charges and the ledger clock of one school, and run at the same time. */
const historiesPerSchool = calls > 400 ? 25 : 5

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const step = fc.record({
  operation: fc.constantFrom(
    ...['pay', 'pay', 'pay', 'refund', 'refund', 'void', 'apply', 'unapply', 'transfer', 'writeOff', 'move'],
    ...['reverseRefund', 'reverseVoid', 'reverseTransfer', 'reverseWriteOff', 'status', 'update'],
    ...['receipt', 'receipt', 'refundAccount'],
  ),
  picks: fc.tuple(fc.nat(100), fc.nat(100), fc.nat(100)),
  price: fc.oneof(fc.integer({ min: 1, max: 30_000 }), fc.constantFrom(1, 5000, 10_000, 999_999_999_999_999)),
  isPartial: fc.boolean(),
  isOther: fc.boolean(),
  status: fc.constantFrom('locked', 'created', 'pending', 'success', 'canceled', 'expired'),
})
type CallStep = typeof step extends fc.Arbitrary<infer S> ? S : never

/** The ids that a history has produced so far. */
interface Found {
  orders: string[]
  payments: string[]
  /** Of payers, with their unallocated money. */
  accounts: string[]
  refunds: string[]
  transfers: string[]
}

const reason = 'Random'

function inputOf(
  { operation, picks, price, isPartial, isOther, status }: CallStep,
  found: Found,
): [unknown, object] {
  const pick = (ids: string[], place: number) => ids[picks[place]! % Math.max(1, ids.length)] ?? 'none'
  const order_id = pick(found.orders, 0)
  const others = found.orders.filter((id) => id !== order_id)
  const to_order_id = pick(others, 1)
  const payment_id = pick(found.payments, 2)
  const some = isPartial ? { price } : {}
  switch (operation) {
    case 'pay': {
      const foreign = isOther ? { currency: 'EUR', exchange_rate: 12_345 } : {}
      const charge = isPartial ? { charge_id: `charge ${picks[1]! % 5}`, reinstate: isOther } : {}
      return [createPayment, { order_id, price: Math.min(price, 10 ** 12), ...foreign, ...charge }]
    }
    case 'receipt': {
      const parts = [order_id, ...(isOther ? [to_order_id] : [])]
      const charge = isPartial ? { charge_id: `charge ${picks[1]! % 5}`, reinstate: isOther } : {}
      const allocations = parts.map((id) => ({ order_id: id, price: Math.ceil(price / 3) }))
      const payer_name = `Payer ${picks[2]! % 3}`
      return [recordReceipt, { payer_name, price: Math.min(price, 10 ** 12), allocations, ...charge }]
    }
    case 'refundAccount':
      return [createRefund, { order_id: pick(found.accounts, 0), price, reason }]
    case 'refund': {
      const named = isPartial ? { payment_id } : {}
      return [createRefund, { order_id, price, reason, as: isOther ? 'return' : 'credit', ...named }]
    }
    case 'void':
      return [voidPayment, { payment_id, reason }]
    case 'apply':
      return [applyPayment, { payment_id, order_id, ...some }]
    case 'unapply':
      return [unapplyPayment, { payment_id, order_id }]
    case 'transfer':
      return [transferMoney, { from_order_id: order_id, to_order_id, price, reason }]
    case 'writeOff':
      return [writeOffOrder, { order_id, reason, ...some }]
    case 'move':
      return [movePayment, { payment_id, to_order_id, reason, ...(isOther && { settled_price: price }) }]
    case 'reverseRefund':
      return [reverseRefund, { refund_id: pick(found.refunds, 2), reason }]
    case 'reverseVoid':
      return [reverseVoid, { payment_id, reason }]
    case 'reverseTransfer':
      return [reverseTransfer, { transfer_id: pick(found.transfers, 2), reason }]
    case 'reverseWriteOff':
      return [reverseWriteOff, { order_id, reason, ...some }]
    case 'status':
      return [updateStatus, { order_id, status, reason, ...(status === 'canceled' && { retain: isOther }) }]
    default:
      return [
        updateOrder,
        { order_id, version: 1 + (picks[1]! % 4), listed_price: Math.min(price, 10 ** 12) },
      ]
  }
}

async function play(school: TestLedger, steps: CallStep[]): Promise<void> {
  const found: Found = { orders: [], payments: [], accounts: [], refunds: [], transfers: [] }
  for (const currency of ['CNY', 'CNY', 'USD']) {
    const { order_id } = await school.order({ currency, listed_price: 20_000, installment_count: 2 })
    found.orders.push(order_id)
  }
  for (const each of steps) {
    const [operation, input] = inputOf(each, found)
    const data = await school.run(operation, { ...input }).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error
    })
    if (data?.payment_id && each.operation !== 'refund') found.payments.push(data.payment_id)
    if (each.operation === 'receipt' && data) found.accounts.push(data.order_id)
    if (data?.refund_id) found.refunds.push(data.refund_id)
    if (data?.transfer_id) found.transfers.push(data.transfer_id)
  }
  for (const order_id of found.orders) await expectMoneyToAddUp(school, order_id)
}

/** A new school for each run, so that the check costs the same however many calls are made. */
async function playAtOnce(histories: CallStep[][]): Promise<void> {
  const school = await openLedger(database)
  const outcomes = await Promise.allSettled(histories.map((steps) => play(school, steps)))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  expect(await checkLedger(database.app, school.corp_id)).toMatchObject({ total: 0, discrepancies: [] })
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

const title = `no sequence of ${calls} random calls makes finance check fail, and the rows of every order add up`

test(title, { timeout: 36_000_000 }, async () => {
  const history = fc.array(step, { minLength: callsPerHistory, maxLength: callsPerHistory })
  const histories = fc.array(history, { minLength: historiesPerSchool, maxLength: historiesPerSchool })
  await fc.assert(fc.asyncProperty(histories, playAtOnce), {
    numRuns: Math.ceil(calls / (callsPerHistory * historiesPerSchool)),
    seed: seedOfRun(),
    endOnFailure: true,
  })
})

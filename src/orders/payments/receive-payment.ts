import { instantOfLocal } from '../../contract/days.ts'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, invalid } from '../../contract/errors.ts'
import { largestAmount, rateOfInteger } from '../../contract/rounding.ts'
import type { FactRow } from '../ledger/fact-store.ts'
import type { LedgerInstant } from '../ledger/ledger-clock-store.ts'
import { allocationsOf, type OrderState, obstacleToMoney, received, takeMoney } from '../rules/order-rules.ts'
import { orderDefaults } from '../rules/status.ts'
import { exchangeOf } from './exchange.ts'
import type { PaymentInput } from './payment-input.ts'
import type { Payment } from './payment-store.ts'
import { valueDateOf } from './value-date.ts'

/** A received payment: the fact, and the order after it. */
export interface ReceivedPayment {
  payment: Payment
  fact: FactRow<'payments'>
  /** Unchanged if the order cannot take the money. */
  state: OrderState
}

/** Earlier recordings of the same charge or receipt number. */
export interface Recording {
  /** Present if a voided or moved charge is recorded again. */
  again?: Pick<Payment, 'provider' | 'recording'> | undefined
  receipt_use?: number
}

/** The rules of a payment, without a database. Money that has arrived is never refused: it may stay unapplied. */
export function receivePayment(
  { newId, organization, account }: Pick<OrganizationContext, 'newId' | 'organization' | 'account'>,
  input: PaymentInput,
  before: OrderState,
  at: LedgerInstant,
  { again, receipt_use = 1 }: Recording = {},
): ReceivedPayment {
  const { sub_order_id } = input
  if (sub_order_id !== undefined && !before.subOrders.some((each) => each.sub_order_id === sub_order_id))
    throw new ApiError('subOrderNotFound')
  const reported = {
    ...reportedPayment(input, before, at, organization.time_zone),
    receipt_use,
    ...again,
  }
  const payment_id = newId()
  const taken = putOn(
    before,
    { payment_id, price: reported.order_price },
    reported.completed_time,
    at,
    sub_order_id,
  )
  const because = 'because' in taken ? taken.because : null
  const state = 'because' in taken ? before : taken
  if (received(state) > largestAmount)
    throw invalid('price', `must not bring the received amount above ${largestAmount}`)
  const allocations = allocationsOf(state, payment_id)
  const fact = { ...reported, payment_id, unapplied_reason: because }
  return {
    payment: { ...fact, is_void: false, allocations },
    fact: { ...fact, status: 'success', executor_id: account.app_id, ctime: at },
    state,
  }
}

function putOn(
  state: OrderState,
  piece: { payment_id: string; price: number },
  paidAt: string,
  at: LedgerInstant,
  startId: string | undefined,
): OrderState | { because: string } {
  const because = obstacleToMoney(state, paidAt)
  return because === undefined ? takeMoney(state, [piece], at, startId) : { because }
}

function reportedPayment(input: PaymentInput, state: OrderState, at: LedgerInstant, timeZone: string) {
  const currency = input.currency ?? state.currency
  return {
    order_id: state.order_id,
    sub_order_id: input.sub_order_id ?? null,
    price: input.price,
    currency,
    ...exchangeOf(input, currency, state.currency),
    source: input.source ?? orderDefaults.source,
    provider: input.provider ?? '',
    method: input.method ?? null,
    charge_id: input.charge_id ?? null,
    recording: 1,
    receipt_num: input.receipt_num ?? null,
    comments: input.comments ?? null,
    payer_id: input.payer_id ?? null,
    completed_time: valueDateOf(input, at, timeZone),
  }
}

/** Whether an input repeats a payment: every member that it has is equal. */
export function isRepetition(
  existing: Payment,
  input: PaymentInput,
  orderCurrency: string,
  timeZone: string,
): boolean {
  const { exchange_rate, completed_time } = input
  const rate = input.rate ?? (exchange_rate === undefined ? undefined : rateOfInteger(exchange_rate))
  return (
    isSameMoney(existing, input, orderCurrency) &&
    isReported(input.sub_order_id, existing.sub_order_id) &&
    isReported(rate, existing.rate) &&
    isReported(input.settled_price, existing.settled_price) &&
    isReported(input.method, existing.method) &&
    (existing.receipt_num ?? undefined) === input.receipt_num &&
    (existing.comments ?? undefined) === input.comments &&
    (completed_time === undefined ||
      new Date(existing.completed_time).getTime() === instantOfLocal(completed_time, timeZone).getTime())
  )
}

/** Whether an input is the same amount for the same order: an import compares no more. */
export function isSameMoney(
  existing: Payment,
  { order_id, price, currency }: PaymentInput,
  orderCurrency: string,
): boolean {
  return (
    existing.order_id === order_id &&
    existing.price === price &&
    existing.currency === (currency ?? orderCurrency)
  )
}

/** An omitted member matches any value. */
function isReported<Value>(reported: Value | undefined, known: Value | null): boolean {
  return reported === undefined || reported === known
}

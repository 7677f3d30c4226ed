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

/** A payment that has come in: the fact, and where its money went. */
export interface ReceivedPayment {
  payment: Payment
  fact: FactRow<'payments'>
  /** As the payment leaves it; as it was, where it cannot take the money. */
  state: OrderState
}

/** The rules of a payment, without a database. What has arrived is never refused: what the order cannot take, waits. */
export function receivePayment(
  { newId, organization, account }: Pick<OrganizationContext, 'newId' | 'organization' | 'account'>,
  input: PaymentInput,
  before: OrderState,
  at: LedgerInstant,
): ReceivedPayment {
  const { sub_order_id } = input
  if (sub_order_id !== undefined && !before.subOrders.some((each) => each.sub_order_id === sub_order_id))
    throw new ApiError('subOrderNotFound')
  const told = toldPayment(input, before, at, organization.time_zone)
  const payment_id = newId()
  const taken = putOn(before, { payment_id, price: told.order_price }, told.completed_time, at, sub_order_id)
  const because = 'because' in taken ? taken.because : null
  const state = 'because' in taken ? before : taken
  if (received(state) > largestAmount)
    throw invalid('price', 'makes the order receive more than the ledger takes')
  const allocations = allocationsOf(state, payment_id)
  const fact = { ...told, payment_id, unapplied_reason: because }
  return {
    payment: { ...fact, allocations },
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

function toldPayment(input: PaymentInput, state: OrderState, at: LedgerInstant, timeZone: string) {
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
    receipt_num: input.receipt_num ?? null,
    comments: input.comments ?? null,
    completed_time: valueDateOf(input, at, timeZone),
  }
}

/** Whether an input tells of a payment that was recorded before: in nothing that it says does it differ. */
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
    isTold(input.sub_order_id, existing.sub_order_id) &&
    isTold(rate, existing.rate) &&
    isTold(input.settled_price, existing.settled_price) &&
    isTold(input.method, existing.method) &&
    (existing.receipt_num ?? undefined) === input.receipt_num &&
    (existing.comments ?? undefined) === input.comments &&
    (completed_time === undefined ||
      new Date(existing.completed_time).getTime() === instantOfLocal(completed_time, timeZone).getTime())
  )
}

/** The same amount for the same order: what a spreadsheet tells of a charge that is known already. */
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

/** What is left out agrees with everything. */
function isTold<Value>(told: Value | undefined, known: Value | null): boolean {
  return told === undefined || told === known
}

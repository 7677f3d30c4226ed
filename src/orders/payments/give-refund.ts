import { instantOfLocal } from '../../contract/days.ts'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, invalid } from '../../contract/errors.ts'
import type { Facts } from '../ledger/fact-store.ts'
import type { LedgerInstant } from '../ledger/ledger-clock-store.ts'
import {
  type Allocation,
  heldOn,
  type Instalment,
  linesOfTakings,
  surplusOn,
  takingsOf,
} from '../rules/allocation.ts'
import { forbidden, held, type OrderState } from '../rules/order-rules.ts'
import { appliedOf, requireBalance } from '../rules/payment-balance.ts'
import { exchangeOf } from './exchange.ts'
import type { CurrentPayment } from './payment-store.ts'
import type { RefundInput } from './refund-input.ts'
import type { Refund, RefundAllocationRow } from './refund-store.ts'
import { valueDateOf } from './value-date.ts'

interface GivenRefund {
  refund: Refund
  facts: Facts
  /** The named payment after the refund. */
  payment?: CurrentPayment
}

/** The rules of a refund, without a database. */
export function refundOf(
  { newId, account, organization }: Pick<OrganizationContext, 'newId' | 'organization' | 'account'>,
  input: RefundInput,
  state: OrderState,
  payments: Map<string, CurrentPayment>,
  at: LedgerInstant,
): GivenRefund {
  const payment = namedPayment(input, payments)
  const allocations = allocationsOf(input, state, payment)
  const refund_id = newId()
  const { order_id } = state
  const { exchange_rate, rate } = returnOf(input, state.currency)
  requireBound(input, state.currency, allocations, payments)
  const refund = {
    refund_id,
    order_id,
    sub_order_id: input.sub_order_id ?? null,
    payment_id: input.payment_id ?? null,
    kind: input.as ?? 'credit',
    price: input.price,
    returned_price: input.returned_price ?? input.price,
    rate,
    currency: input.currency ?? state.currency,
    reason: input.reason ?? null,
    provider: input.provider ?? '',
    method: input.method ?? null,
    charge_id: input.charge_id ?? null,
    completed_time: valueDateOf(input, at, organization.time_zone),
  }
  requireLater(refund.completed_time, allocations, payments)
  const seqs = new Map(state.subOrders.map(({ sub_order_id, seq }) => [sub_order_id, seq]))
  return {
    refund: { ...refund, allocations },
    facts: {
      refunds: [{ ...refund, exchange_rate, executor_id: account.app_id, ctime: at }],
      refund_allocations: allocations.map((line) => ({
        ...line,
        refund_id,
        order_id,
        line: seqs.get(line.sub_order_id) ?? 0,
        at,
      })),
    },
    ...(payment && { payment: { ...payment, refunded: payment.refunded + input.price } }),
  }
}

function namedPayment(
  { order_id, sub_order_id, payment_id }: RefundInput,
  payments: Map<string, CurrentPayment>,
): CurrentPayment | undefined {
  if (payment_id === undefined) return undefined
  const payment = payments.get(payment_id)
  const here = payment?.lines.filter((line) => line.order_id === order_id) ?? []
  const isHere = payment?.order_id === order_id || here.length > 0
  const isOnSubOrder = sub_order_id === undefined || here.some((line) => line.sub_order_id === sub_order_id)
  if (!payment || !isHere || !isOnSubOrder) throw new ApiError('paymentNotFound')
  return payment
}

/** The payments and sub-orders that a refund comes from: of the named payment, or of all payments, the oldest first. */
function allocationsOf(
  { order_id, sub_order_id, payment_id, price, as = 'credit' }: RefundInput,
  state: OrderState,
  payment: CurrentPayment | undefined,
): RefundAllocationRow[] {
  const { subOrders } = state
  if (sub_order_id !== undefined && !subOrders.some((each) => each.sub_order_id === sub_order_id))
    throw new ApiError('subOrderNotFound')
  if (payment && appliedOf(payment, order_id) === 0) {
    requireBalance(payment, 'unapplied', price)
    const { payment_id } = payment
    return [{ payment_id, sub_order_id: '', price, surplus_price: 0, credited_price: 0 }]
  }
  if (payment) requireBalance(payment, { order_id }, price)
  if (price > held(state))
    throw forbidden(state, `At most ${held(state)} can be refunded: received less refunded.`)
  const lines = state.allocations.filter((line) => !payment || line.payment_id === payment_id)
  const takings = takingsOf(payment ? partsOf(subOrders, lines) : subOrders, price, sub_order_id)
  const surplus = new Map(takings.map((taking) => [taking.sub_order_id, taking.surplus_price]))
  const inSequence = new Map(subOrders.map((each) => [each.sub_order_id, each.seq]))
  return linesOfTakings(lines, takings)
    .map((line) => {
      const left = surplus.get(line.sub_order_id) ?? 0
      const surplus_price = Math.min(left, line.price)
      surplus.set(line.sub_order_id, left - surplus_price)
      return {
        payment_id: line.payment_id,
        sub_order_id: line.sub_order_id,
        price: line.price,
        surplus_price,
        credited_price: as === 'credit' ? line.price - surplus_price : 0,
      }
    })
    .toSorted((a, b) => (inSequence.get(a.sub_order_id) ?? 0) - (inSequence.get(b.sub_order_id) ?? 0))
}

/** The part of each sub-order that these lines hold, with as much of its surplus, in the order of the sub-orders. */
function partsOf(subOrders: Instalment[], lines: Allocation[]): Instalment[] {
  return subOrders.flatMap((subOrder) =>
    lines
      .filter((line) => line.sub_order_id === subOrder.sub_order_id)
      .map((line) => {
        const available = heldOn({ paid: line.price, refunded: line.refunded })
        const total_price = available - Math.min(available, surplusOn(subOrder))
        return { ...subOrder, paid: available, refunded: 0, credited: 0, writtenOff: 0, total_price }
      }),
  )
}

/** The currency that a refund was returned in, and the rate. */
function returnOf(input: RefundInput, orderCurrency: string) {
  const { price, currency = orderCurrency, returned_price, exchange_rate, rate } = input
  if (currency !== orderCurrency && returned_price === undefined)
    throw invalid('returned_price', `is required: the order is in ${orderCurrency}`)
  const returned = { price: returned_price ?? price, settled_price: price, exchange_rate, rate }
  return exchangeOf(returned, currency, orderCurrency)
}

/** A payment that was recorded late may have a later date than its refund. A whole year is a mistake. */
const longestBeforeMs = 366 * 86_400_000

/** A refund is not older than the payments that it returns, apart from those recorded late. */
function requireLater(
  completed_time: string,
  allocations: RefundAllocationRow[],
  payments: Map<string, CurrentPayment>,
): void {
  for (const { payment_id } of allocations) {
    const paid = payments.get(payment_id)?.completed_time
    if (paid !== undefined && Date.parse(completed_time) < Date.parse(paid) - longestBeforeMs)
      throw invalid('completed_time', `must not be years before the payment ${payment_id}, which it returns`)
  }
}

/** The returned amount in a foreign currency is at most the received amount, or the refund by a stated rate. */
function requireBound(
  input: RefundInput,
  orderCurrency: string,
  allocations: RefundAllocationRow[],
  payments: Map<string, CurrentPayment>,
): void {
  const { price, currency = orderCurrency, returned_price = price, exchange_rate, rate } = input
  if (currency === orderCurrency) return
  const received = allocations.map(({ payment_id, price: part }) => {
    const payment = payments.get(payment_id)
    return payment?.paid.currency === currency
      ? Math.ceil((payment.paid.price * part) / Math.max(1, payment.order_price))
      : undefined
  })
  const most = received.reduce<number | undefined>(
    (all, part) => (all === undefined || part === undefined ? undefined : all + part),
    0,
  )
  if (most !== undefined && returned_price > most)
    throw invalid('returned_price', `must be at most ${most}, which was received for it`)
  if (most !== undefined) return
  if (exchange_rate === undefined && rate === undefined)
    throw invalid('exchange_rate', `is required (or rate): no payment of the refund is in ${currency}`)
  const { order_price } = exchangeOf({ price: returned_price, exchange_rate, rate }, currency, orderCurrency)
  if (order_price > price)
    throw invalid(
      'returned_price',
      `must be at most ${price} in ${orderCurrency} by the rate, but is ${order_price}`,
    )
}

/** Whether an input repeats a refund: every member that it has is equal. */
export function isSameRefund(existing: Refund, input: RefundInput, timeZone: string): boolean {
  const { sub_order_id, currency, method, completed_time } = input
  return (
    existing.order_id === input.order_id &&
    existing.price === input.price &&
    (existing.payment_id ?? undefined) === input.payment_id &&
    (sub_order_id === undefined || existing.sub_order_id === sub_order_id) &&
    (currency === undefined || existing.currency === currency) &&
    (input.as === undefined || existing.kind === input.as) &&
    (method === undefined || existing.method === method) &&
    (completed_time === undefined ||
      new Date(existing.completed_time).getTime() === instantOfLocal(completed_time, timeZone).getTime()) &&
    (existing.reason ?? undefined) === input.reason
  )
}

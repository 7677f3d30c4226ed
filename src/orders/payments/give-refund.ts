import { instantOfLocal } from '../../contract/days.ts'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, invalid } from '../../contract/errors.ts'
import type { Facts } from '../ledger/fact-store.ts'
import type { LedgerInstant } from '../ledger/ledger-clock-store.ts'
import { refundable, sum, type Taking, takingsOf } from '../rules/allocation.ts'
import { forbidden, held, type OrderState } from '../rules/order-rules.ts'
import { exchangeOf } from './exchange.ts'
import { type CurrentPayment, unappliedOf } from './payment-store.ts'
import type { RefundInput } from './refund-input.ts'
import type { Refund } from './refund-store.ts'
import { valueDateOf } from './value-date.ts'

interface GivenRefund {
  refund: Refund
  facts: Facts
  /** The named one, less what went back. */
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
  const { most, takings } = sourceOf(input, state, payment)
  if (input.price > most) {
    const msg = `At most ${most} can be refunded: what was received, less what has gone back already.`
    throw forbidden(state, msg)
  }
  const allocations = takings(input.price).toSorted((a, b) => seqOf(state, a) - seqOf(state, b))
  const { order_price: _, settled_price: __, ...exchange } = returnOf(input, state.currency)
  const told = {
    refund_id: newId(),
    order_id: input.order_id,
    sub_order_id: input.sub_order_id ?? null,
    payment_id: input.payment_id ?? null,
    price: input.price,
    ...exchange,
    currency: input.currency ?? state.currency,
    reason: input.reason ?? null,
    provider: input.provider ?? '',
    method: input.method ?? null,
    charge_id: input.charge_id ?? null,
    completed_time: valueDateOf(input, at, organization.time_zone),
  }
  const { refund_id, order_id, price } = told
  const returned_price = input.returned_price ?? price
  const unapplied = allocations.length === 0 ? price : 0
  return {
    refund: { ...told, allocations },
    facts: {
      refunds: [{ ...told, returned_price, executor_id: account.app_id, ctime: at }],
      refund_allocations: allocations.map((taking) => ({
        ...{ ...taking, line: seqOf(state, taking), refund_id, order_id, at },
      })),
    },
    ...(payment && {
      payment: {
        ...payment,
        refunded: payment.refunded + price,
        unappliedRefunded: payment.unappliedRefunded + unapplied,
      },
    }),
  }
}

function seqOf({ subOrders }: OrderState, { sub_order_id }: Taking): number {
  return subOrders.find((each) => each.sub_order_id === sub_order_id)!.seq
}

function namedPayment(
  { order_id, sub_order_id, payment_id }: RefundInput,
  payments: Map<string, CurrentPayment>,
) {
  if (payment_id === undefined) return undefined
  const payment = payments.get(payment_id)
  const here = payment?.lines.filter((line) => line.order_id === order_id) ?? []
  const isHere = payment?.order_id === order_id || here.length > 0
  const liesThere = sub_order_id === undefined || here.some((line) => line.sub_order_id === sub_order_id)
  if (!payment || !isHere || !liesThere) throw new ApiError('paymentNotFound')
  return payment
}

/** How much may go back at most, and from where. */
function sourceOf(
  { order_id, sub_order_id }: RefundInput,
  state: OrderState,
  payment: CurrentPayment | undefined,
): { most: number; takings(price: number): Taking[] } {
  const { subOrders } = state
  if (sub_order_id !== undefined && !subOrders.some((each) => each.sub_order_id === sub_order_id))
    throw new ApiError('subOrderNotFound')
  if (!payment) return { most: held(state), takings: (price) => takingsOf(subOrders, price, sub_order_id) }
  const lines = payment.lines.filter((line) => line.order_id === order_id)
  if (lines.length === 0) return { most: unappliedOf(payment), takings: () => [] }
  const own = subOrders.flatMap((each) => {
    const line = lines.find((one) => one.sub_order_id === each.sub_order_id)
    return line ? [{ ...each, refunded: each.paid - Math.min(line.price, refundable(each)) }] : []
  })
  const ofPayment = sum(payment.lines) - (payment.refunded - payment.unappliedRefunded)
  const most = own.reduce((all, each) => all + refundable(each), 0)
  return { most: Math.min(most, ofPayment), takings: (price) => takingsOf(own, price, sub_order_id) }
}

/** In which currency it left, and by which rate. */
function returnOf(input: RefundInput, orderCurrency: string) {
  const { price, currency = orderCurrency, returned_price, exchange_rate, rate } = input
  if (currency !== orderCurrency && returned_price === undefined)
    throw invalid('returned_price', `is required: the order is in ${orderCurrency}`)
  const returned = { price: returned_price ?? price, settled_price: price, exchange_rate, rate }
  return exchangeOf(returned, currency, orderCurrency)
}

/** Whether an input tells of a refund that was recorded before. */
export function isSameRefund(existing: Refund, input: RefundInput, timeZone: string): boolean {
  const { sub_order_id, currency, method, completed_time } = input
  return (
    existing.order_id === input.order_id &&
    existing.price === input.price &&
    (existing.payment_id ?? undefined) === input.payment_id &&
    (sub_order_id === undefined || existing.sub_order_id === sub_order_id) &&
    (currency === undefined || existing.currency === currency) &&
    (method === undefined || existing.method === method) &&
    (completed_time === undefined ||
      new Date(existing.completed_time).getTime() === instantOfLocal(completed_time, timeZone).getTime()) &&
    (existing.reason ?? undefined) === input.reason
  )
}

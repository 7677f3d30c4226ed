import { paymentSlots } from '../orders/payment-slots.ts'
import type { OrderStatus } from '../orders/status.ts'
import { daySeconds, endOfSchoolDay, later } from './calendar.ts'
import { type Currency, currencies, exchange, midRate, priceCovering, shareOf } from './exchange.ts'
import {
  type LedgerOrder,
  type PaymentRow,
  type RefundRow,
  type SubOrderRow,
  sum,
  touch,
} from './ledger-rows.ts'
import { type Clock, createClock } from './order-clock.ts'
import type { OrderPlan } from './order-plans.ts'
import type { Random } from './random.ts'
import { makeRefunds } from './sample-refunds.ts'

export interface Ledger {
  subOrders: SubOrderRow[]
  payments: PaymentRow[]
  refunds: RefundRow[]
  completed_time: Date | null
  /** When the order was locked, canceled or expired. */
  closed: Date | undefined
  clock: Clock
}

/** The sub-orders of an order with all their payments and refunds, so that it comes to the planned status. */
export function makeLedger(random: Random, order: LedgerOrder): Ledger {
  const { plan } = order
  const clock = createClock(random, order.ctime)
  const subOrders = makeSubOrders(random, order)
  const paidShares = sharesToPay(random, plan)
  const payments = subOrders.flatMap((part, index) => {
    const paid = payPart(random, order, part, paidShares[index]!, clock)
    settle(part, paid)
    return paid
  })
  const refunds = makeRefunds(random, order, subOrders, payments, clock)
  const closed = closingStatuses.has(plan.status) ? clock.next() : undefined
  if (closed) for (const part of subOrders) touch(part, closed)
  return { subOrders, payments, refunds, completed_time: completionOf(order, payments), closed, clock }
}

/** Statuses that an order moves to as a whole; the others follow from what has been received. */
const closingStatuses = new Set<OrderStatus>(['locked', 'canceled', 'expired'])
const wholeStatuses = new Set<OrderStatus>([...closingStatuses, 'tbd', 'unconfirmed'])

function makeSubOrders(random: Random, { plan, order_id, exchange_rate, ctime }: LedgerOrder): SubOrderRow[] {
  return split(plan.total_price, plan.parts).map((total_price, index) => ({
    sub_order_id: random.id(ctime),
    order_id,
    seq: index + 1,
    type: partType(plan, index),
    status: wholeStatuses.has(plan.status) ? plan.status : 'created',
    currency: plan.currency,
    exchange_rate,
    total_price,
    payment_deadline:
      plan.status === 'tbd' ? null : endOfSchoolDay(later(ctime, (index + 1) * 30 * daySeconds)),
    completed_time: null,
    ctime,
    mtime: ctime,
    version: 1,
  }))
}

/** A fifth down, then even instalments; what does not divide comes last. */
function split(total: number, parts: number): number[] {
  if (parts === 1) return [total]
  const deposit = shareOf(total, 2000)
  const instalment = Math.trunc((total - deposit) / (parts - 1))
  const before = [deposit, ...Array<number>(parts - 2).fill(instalment)]
  return [...before, total - sum(before)]
}

function partType({ type, parts }: OrderPlan, index: number): string {
  if (type === 'application_fee') return 'application_fee'
  if (parts === 1) return 'full'
  if (index === 0) return 'deposit'
  return index === parts - 1 ? 'balance' : 'installment'
}

/** How much of each sub-order is paid, in basis points. */
function sharesToPay(random: Random, { status, parts }: OrderPlan): number[] {
  const nothing = () => Array<number>(parts).fill(0)
  const everything = () => Array<number>(parts).fill(10_000)
  const something = () => {
    const reached = random.below(parts)
    const share = reached > 0 && random.chance(40) ? 0 : random.between(1500, 8000)
    return nothing().map((_, index) => (index < reached ? 10_000 : index === reached ? share : 0))
  }
  if (status === 'success') return everything()
  if (status === 'pending') return something()
  if (status === 'locked' || status === 'canceled') return random.pick([nothing, something, everything])()
  if (status === 'expired') return random.pick([nothing, something])()
  return nothing()
}

function payPart(
  random: Random,
  order: LedgerOrder,
  part: SubOrderRow,
  share: number,
  clock: Clock,
): PaymentRow[] {
  const fillsSlots = order.plan.isCrowded && part.seq === 1
  const count = fillsSlots ? paymentSlots : random.pick(paymentCounts)
  const payments: PaymentRow[] = []
  let rest = shareOf(part.total_price, share)
  for (let left = count; left > 0 && rest > 0; left--) {
    const wanted =
      left === 1 ? rest : Math.max(1, shareOf(rest, Math.trunc(random.between(6000, 14_000) / left)))
    const payment = makePayment(random, order, part, wanted, clock.next())
    payments.push(payment)
    rest -= payment.order_price
  }
  return payments
}

const paymentCounts = [1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 7, 9, 12]

const channels = [
  { source: 'payment_gateway', prefix: 'ch', comments: '' },
  { source: 'payment_gateway', prefix: 'ch', comments: '微信支付' },
  { source: 'console', prefix: 'bt', comments: '银行转账 Bank transfer' },
  { source: 'import', prefix: 'im', comments: 'From the statement of the bank' },
  { source: 'open_api', prefix: 'api', comments: '' },
] as const

function makePayment(
  random: Random,
  order: LedgerOrder,
  part: SubOrderRow,
  wanted: number,
  moment: Date,
): PaymentRow {
  const orderCurrency = order.plan.currency
  const currency = random.chance(12) ? random.pick(currencies) : orderCurrency
  const exchange_rate = rateOfTheDay(random, currency, orderCurrency)
  const price = priceCovering(wanted, currency, orderCurrency, exchange_rate)
  const { prefix, ...channel } = random.pick(channels)
  return {
    payment_id: random.id(moment),
    order_id: order.order_id,
    sub_order_id: part.sub_order_id,
    price,
    currency,
    exchange_rate,
    order_price: exchange(price, currency, orderCurrency, exchange_rate),
    status: 'success',
    ...channel,
    charge_id: `${prefix}_${random.digits(16)}`,
    receipt_num: random.chance(80) ? order.nextReceipt() : null,
    completed_time: moment,
    executor_id: channel.source === 'payment_gateway' ? null : order.executor_id,
    ctime: moment,
  }
}

export function rateOfTheDay(random: Random, from: Currency, to: Currency): number {
  if (from === to) return 10_000
  return Math.max(1, shareOf(midRate(from, to), random.between(9800, 10_200)))
}

/** Gives a sub-order the status and the times that its payments amount to. */
function settle(part: SubOrderRow, payments: PaymentRow[]): void {
  let received = 0
  for (const payment of payments) {
    const wasOpen = received < part.total_price
    received += payment.order_price
    if (wasOpen && received >= part.total_price) part.completed_time = payment.completed_time
    touch(part, payment.completed_time)
  }
  if (part.total_price === 0) part.completed_time = part.mtime
  if (wholeStatuses.has(part.status)) return
  if (received >= part.total_price) part.status = 'success'
  else if (received > 0) part.status = 'pending'
}

/** Of the payment that made the total full; an order that costs nothing is complete when it is made. */
function completionOf({ plan, ctime }: LedgerOrder, payments: PaymentRow[]): Date | null {
  if (plan.status !== 'success') return null
  let received = 0
  for (const payment of payments) {
    received += payment.order_price
    if (received >= plan.total_price) return payment.completed_time
  }
  return ctime
}

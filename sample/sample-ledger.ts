import type { OrderStatus } from '../src/contract/order-statuses.ts'
import { basisPointsOf, rateOfInteger, split } from '../src/contract/rounding.ts'
import { noMoney, statusOfSubOrder } from '../src/orders/rules/order-rules.ts'
import { paymentSlots } from '../src/orders/rules/payment-slots.ts'
import { expirableStatuses } from '../src/orders/rules/status.ts'
import { at, daySeconds, endOfSchoolDay, later } from './calendar.ts'
import data from './content/orders.json' with { type: 'json' }
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
import { currencies, priceCovering, rateOfTheDay } from './rates.ts'
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

/** The sub-orders, payments and refunds of an order, so that it has the planned status. */
export function makeLedger(random: Random, order: LedgerOrder): Ledger {
  const { plan } = order
  const clock = createClock(random, order.ctime)
  const subOrders = makeSubOrders(random, order)
  const paidShares = sharesToPay(random, plan)
  const payments = subOrders.flatMap((subOrder, index) => {
    const paid = paySubOrder(random, order, subOrder, paidShares[index]!, clock)
    settle(plan.status, subOrder, paid)
    return paid
  })
  const refunds = makeRefunds(random, order, subOrders, payments, clock)
  const closed = closingStatuses.has(plan.status) ? clock.next() : undefined
  if (closed) for (const subOrder of subOrders) touch(subOrder, closed)
  const whole = { total_price: plan.total_price, ctime: order.ctime }
  const completed_time = completableStatuses.has(plan.status) ? completionOf(whole, payments) : null
  return { subOrders, payments, refunds, completed_time, closed, clock }
}

/** Statuses of the whole order; the others follow from the received payments. */
const closingStatuses = new Set<OrderStatus>(['locked', 'canceled', 'expired'])
/** Statuses in which an order keeps its completion time. */
const completableStatuses = new Set<OrderStatus>(['success', 'locked', 'canceled'])

function makeSubOrders(random: Random, { plan, order_id, exchange_rate, ctime }: LedgerOrder): SubOrderRow[] {
  return instalmentsOf(plan).map((total_price, index) => ({
    sub_order_id: random.id(ctime),
    order_id,
    seq: index + 1,
    type: partType(plan, index),
    status: plan.status,
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

/** A deposit of one fifth, then equal instalments. The last one has the remainder. */
function instalmentsOf({ total_price, subOrders }: OrderPlan): number[] {
  if (subOrders === 1) return [total_price]
  const deposit = basisPointsOf(total_price, 2000)
  return [deposit, ...split(total_price - deposit, subOrders - 1)]
}

function partType({ type, subOrders }: OrderPlan, index: number): string {
  if (type === 'application_fee') return 'application_fee'
  if (subOrders === 1) return 'full'
  if (index === 0) return 'deposit'
  return index === subOrders - 1 ? 'balance' : 'installment'
}

/** The paid share of each sub-order, in basis points. */
function sharesToPay(random: Random, { status, subOrders }: OrderPlan): number[] {
  const nothing = () => Array<number>(subOrders).fill(0)
  const everything = () => Array<number>(subOrders).fill(10_000)
  const something = () => {
    const reached = random.below(subOrders)
    const share = reached > 0 && random.chance(40) ? 0 : random.between(1500, 8000)
    return nothing().map((_, index) => (index < reached ? 10_000 : index === reached ? share : 0))
  }
  if (status === 'success') return everything()
  if (status === 'pending') return something()
  if (status === 'locked' || status === 'canceled') return random.pick([nothing, something, everything])()
  return nothing()
}

function paySubOrder(
  random: Random,
  order: LedgerOrder,
  subOrder: SubOrderRow,
  share: number,
  clock: Clock,
): PaymentRow[] {
  const fillsSlots = order.plan.isCrowded && subOrder.seq === 1
  const count = fillsSlots ? paymentSlots : random.pick(data.paymentCounts)
  const payments: PaymentRow[] = []
  let rest = basisPointsOf(subOrder.total_price, share)
  for (let left = count; left > 0 && rest > 0; left--) {
    const wanted =
      left === 1 ? rest : Math.max(1, basisPointsOf(rest, Math.trunc(random.between(6000, 14_000) / left)))
    const payment = makePayment(random, order, subOrder, wanted, clock.next())
    payments.push(payment)
    rest -= payment.order_price
  }
  return payments
}

function makePayment(
  random: Random,
  order: LedgerOrder,
  subOrder: SubOrderRow,
  wanted: number,
  moment: Date,
): PaymentRow {
  const orderCurrency = order.plan.currency
  const currency = random.chance(12) ? random.pick(currencies) : orderCurrency
  const exchange_rate = rateOfTheDay(random, currency, orderCurrency)
  const price = priceCovering(wanted, currency, orderCurrency, exchange_rate)
  const { prefix, ...channel } = random.pick(data.channels)
  return {
    payment_id: random.id(moment),
    order_id: order.order_id,
    sub_order_id: subOrder.sub_order_id,
    payer_id: null,
    price,
    currency,
    exchange_rate,
    rate: rateOfInteger(exchange_rate),
    // The bank credits the requested amount, which may differ from the converted one.
    settled_price: currency === orderCurrency ? null : wanted,
    order_price: wanted,
    status: 'success',
    ...channel,
    provider: '',
    unapplied_reason: null,
    charge_id: `${prefix}_${random.digits(16)}`,
    recording: 1,
    receipt_num: null,
    receipt_use: 1,
    completed_time: moment,
    executor_id: channel.source === 'payment_gateway' ? null : order.executor_id,
    ctime: moment,
  }
}

/** Sets status and times of a sub-order by its payments and the rules of the ledger. */
function settle(order: OrderStatus, subOrder: SubOrderRow, payments: PaymentRow[]): void {
  const paid = sum(payments.map(({ order_price }) => order_price))
  for (const { completed_time } of payments) touch(subOrder, completed_time)
  subOrder.status = statusOfSubOrder(order, { ...noMoney, total_price: subOrder.total_price, paid })
  if (completableStatuses.has(subOrder.status)) subOrder.completed_time = completionOf(subOrder, payments)
  // The server expires overdue orders. Far deadlines keep the orders of the sample as they are.
  if (expirableStatuses.includes(subOrder.status)) {
    subOrder.payment_deadline = endOfSchoolDay(later(farAhead, subOrder.seq * 30 * daySeconds))
  }
}

const farAhead = at('2036-01-01', '00:00:00')

/** The time of the payment that completed the total. An order without a price is complete at once. */
function completionOf(
  { total_price, ctime }: { total_price: number; ctime: Date },
  payments: PaymentRow[],
): Date | null {
  if (total_price === 0) return ctime
  let received = 0
  for (const payment of payments) {
    received += payment.order_price
    if (received >= total_price) return payment.completed_time
  }
  return null
}

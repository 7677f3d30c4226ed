import { basisPointsOf } from '../src/contract/rounding.ts'
import data from './content/orders.json' with { type: 'json' }
import {
  type LedgerOrder,
  type PaymentRow,
  type RefundRow,
  type SubOrderRow,
  sum,
  touch,
} from './ledger-rows.ts'
import type { Clock } from './order-clock.ts'
import type { Random } from './random.ts'

/** A refund of one payment, or of a sub-order as a whole. */
interface Return {
  subOrder: SubOrderRow
  payment_id: string | null
  price: number
}

export function makeRefunds(
  random: Random,
  order: LedgerOrder,
  subOrders: SubOrderRow[],
  payments: PaymentRow[],
  clock: Clock,
): RefundRow[] {
  return returnsOf(random, order, subOrders, payments).map(({ subOrder, payment_id, price }) => {
    const moment = clock.next()
    touch(subOrder, moment)
    return {
      refund_id: random.id(moment),
      order_id: order.order_id,
      sub_order_id: subOrder.sub_order_id,
      payment_id,
      kind: 'credit',
      price,
      returned_price: price,
      currency: order.plan.currency,
      exchange_rate: 10_000,
      rate: '1',
      reason: random.pick(data.refundReasons),
      provider: '',
      method: 'transfer',
      charge_id: random.chance(80) ? `re_${random.digits(16)}` : null,
      executor_id: order.executor_id,
      completed_time: moment,
      ctime: moment,
    }
  })
}

function returnsOf(
  random: Random,
  { plan }: LedgerOrder,
  subOrders: SubOrderRow[],
  payments: PaymentRow[],
): Return[] {
  const paidSubOrders = subOrders.filter((subOrder) => paidFor(subOrder, payments).length > 0)
  if (paidSubOrders.length === 0) return []
  // The payments of a canceled order are fully refunded.
  if (plan.status === 'canceled') {
    const onePerPayment = random.chance(50)
    return paidSubOrders.flatMap((subOrder) => wholeOf(subOrder, paidFor(subOrder, payments), onePerPayment))
  }
  if (!random.chance(plan.status === 'success' ? 18 : 12)) return []
  const subOrder = random.pick(paidSubOrders)
  const paid = paidFor(subOrder, payments)
  return random.chance(20) ? wholeOf(subOrder, paid, false) : [someOf(random, subOrder, paid)]
}

function wholeOf(subOrder: SubOrderRow, paid: PaymentRow[], onePerPayment: boolean): Return[] {
  if (!onePerPayment)
    return [{ subOrder, payment_id: null, price: sum(paid.map((payment) => payment.order_price)) }]
  return paid.map(({ payment_id, order_price }) => ({ subOrder, payment_id, price: order_price }))
}

function someOf(random: Random, subOrder: SubOrderRow, paid: PaymentRow[]): Return {
  const { payment_id, order_price } = random.pick(paid)
  return {
    subOrder,
    payment_id: random.chance(60) ? payment_id : null,
    price: Math.max(1, basisPointsOf(order_price, random.between(500, 9000))),
  }
}

function paidFor(subOrder: SubOrderRow, payments: PaymentRow[]): PaymentRow[] {
  return payments.filter((payment) => payment.sub_order_id === subOrder.sub_order_id)
}

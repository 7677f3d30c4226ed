import { basisPointsOf } from '../contract/rounding.ts'
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

/** What is to go back: of one payment, or of a sub-order as a whole. */
interface Return {
  part: SubOrderRow
  payment_id: string | null
  price: number
}

const reasons = ['Course moved', '个人原因退学', 'Paid twice', '奖学金补发', 'Employer pays instead']

export function makeRefunds(
  random: Random,
  order: LedgerOrder,
  parts: SubOrderRow[],
  payments: PaymentRow[],
  clock: Clock,
): RefundRow[] {
  return returnsOf(random, order, parts, payments).map(({ part, payment_id, price }) => {
    const moment = clock.next()
    touch(part, moment)
    return {
      refund_id: random.id(moment),
      order_id: order.order_id,
      sub_order_id: part.sub_order_id,
      payment_id,
      price,
      reason: random.pick(reasons),
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
  parts: SubOrderRow[],
  payments: PaymentRow[],
): Return[] {
  const paidParts = parts.filter((part) => paidFor(part, payments).length > 0)
  if (paidParts.length === 0) return []
  // What was paid for a canceled order has gone back whole.
  if (plan.status === 'canceled') {
    const onePerPayment = random.chance(50)
    return paidParts.flatMap((part) => wholeOf(part, paidFor(part, payments), onePerPayment))
  }
  if (!random.chance(plan.status === 'success' ? 18 : 12)) return []
  const part = random.pick(paidParts)
  const paid = paidFor(part, payments)
  return random.chance(20) ? wholeOf(part, paid, false) : [someOf(random, part, paid)]
}

function wholeOf(part: SubOrderRow, paid: PaymentRow[], onePerPayment: boolean): Return[] {
  if (!onePerPayment)
    return [{ part, payment_id: null, price: sum(paid.map((payment) => payment.order_price)) }]
  return paid.map(({ payment_id, order_price }) => ({ part, payment_id, price: order_price }))
}

function someOf(random: Random, part: SubOrderRow, paid: PaymentRow[]): Return {
  const { payment_id, order_price } = random.pick(paid)
  return {
    part,
    payment_id: random.chance(60) ? payment_id : null,
    price: Math.max(1, basisPointsOf(order_price, random.between(500, 9000))),
  }
}

function paidFor(part: SubOrderRow, payments: PaymentRow[]): PaymentRow[] {
  return payments.filter((payment) => payment.sub_order_id === part.sub_order_id)
}

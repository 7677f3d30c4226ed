import { ApiError } from '../../contract/errors.ts'

/** Money of a payment on a sub-order of any order, in the currency of the payment's order_price. */
export interface PaymentLine {
  order_id: string
  sub_order_id: string
  price: number
  refunded: number
}

/** The sums of one payment. */
export interface PaymentBalance {
  payment_id: string
  order_price: number
  voided: number
  refunded: number
  /** Moved to an order in another currency, where it is another payment. */
  moved: number
  lines: PaymentLine[]
}

/** The money of a payment that the school has: received − voided − refunded − moved. */
export function balanceOf({ order_price, voided, refunded, moved }: PaymentBalance): number {
  return order_price - voided - refunded - moved
}

/** The part of the balance that is on orders, or on one order. */
export function appliedOf({ lines }: Pick<PaymentBalance, 'lines'>, order_id?: string): number {
  return lines
    .filter((line) => order_id === undefined || line.order_id === order_id)
    .reduce((all, { price, refunded }) => all + price - refunded, 0)
}

/** The part of the balance that is on no order. */
export function unappliedOf(payment: PaymentBalance): number {
  return balanceOf(payment) - appliedOf(payment)
}

/** Where money is taken from: an order, the unapplied part, or all of the payment. */
type Source = { order_id: string } | 'unapplied' | 'all'

function availableOf(payment: PaymentBalance, from: Source): number {
  if (from === 'all') return balanceOf(payment)
  return from === 'unapplied' ? unappliedOf(payment) : appliedOf(payment, from.order_id)
}

/** The one check of apply, unapply, transfer, void, move and refund: only money that is there can move. */
export function requireBalance(payment: PaymentBalance, from: Source, price = 1): void {
  const available = availableOf(payment, from)
  if (price <= available) return
  const where = from === 'all' ? '' : from === 'unapplied' ? ' unapplied' : ' on this order'
  const { payment_id, order_price, voided, refunded, moved } = payment
  const sums = `received ${order_price} − voided ${voided} − refunded ${refunded} − moved ${moved}`
  throw new ApiError('stateForbids', {
    msg: `The payment has ${available}${where}, not ${price}: ${sums}.`,
    allowed: [],
    extra: { reason: 'payment_balance', payment_id, available },
  })
}

/** How the money of a payment is used. */
export const paymentStates = ['applied', 'unapplied', 'refunded', 'void', 'moved'] as const
export type PaymentState = (typeof paymentStates)[number]

export function stateOfPayment(payment: PaymentBalance): PaymentState {
  if (appliedOf(payment) > 0) return 'applied'
  if (balanceOf(payment) > 0 || payment.order_price === 0) return 'unapplied'
  if (payment.moved > 0) return 'moved'
  return payment.voided > 0 ? 'void' : 'refunded'
}

import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '../../contract/errors.ts'
import type { Prices } from './prices.ts'
import { moves, type OrderStatus, payableStatuses, type SubOrderType } from './status.ts'

/**
 * The rules of the ledger, as functions over an order's state: no database, no clock. Whoever changes an order loads
 * its state under a lock, applies one of these and stores what comes out.
 */

export interface SubOrder {
  sub_order_id: string
  seq: number
  type: SubOrderType
  status: OrderStatus
  total_price: number
  payment_deadline: string | null
  completed_time: string | null
  /** Sums of its payments and refunds. */
  paid: number
  refunded: number
  /** How many. */
  payments: number
}

export interface OrderState extends Prices {
  order_id: string
  status: OrderStatus
  currency: string
  coupon_ids: string[]
  version: number
  completed_time: string | null
  expired_time: string | null
  subOrders: SubOrder[]
}

/** Whether a sub-order is no longer what it was; a payment or refund counts even where its status stays. */
export function subOrderChanged(before: SubOrder, after: SubOrder): boolean {
  const { payment_deadline: was, ...others } = before
  const { payment_deadline: is, ...same } = after
  return timeOf(was) !== timeOf(is) || !isDeepStrictEqual(others, same)
}

function timeOf(instant: string | null): number | null {
  return instant === null ? null : Date.parse(instant)
}

/** A sub-order's own status follows the order's, unless the order is being paid: then its own payments decide. */
export function statusOfSubOrder(
  order: OrderStatus,
  subOrder: Pick<SubOrder, 'paid' | 'total_price'>,
): OrderStatus {
  if (order !== 'created' && order !== 'pending' && order !== 'success') return order
  if (subOrder.paid >= subOrder.total_price) return 'success'
  return subOrder.paid > 0 ? 'pending' : 'created'
}

export function received(state: OrderState): number {
  return state.subOrders.reduce((sum, subOrder) => sum + subOrder.paid, 0)
}

export function refunded(state: OrderState): number {
  return state.subOrders.reduce((sum, subOrder) => sum + subOrder.refunded, 0)
}

/** Why an order may not move there now; undefined where it may. */
export function obstacleTo(state: OrderState, to: OrderStatus): string | undefined {
  if (!moves[state.status].includes(to)) return `an order does not move from ${state.status} to ${to}`
  if (state.status === 'success' && to === 'canceled' && refunded(state) < received(state)) {
    return 'a completed order can be canceled only once everything received has been refunded'
  }
  return undefined
}

/** The statuses an order may move to at this moment. */
export function movesFrom(state: OrderState): OrderStatus[] {
  return moves[state.status].filter((to) => obstacleTo(state, to) === undefined)
}

/** The same order in another status, its sub-orders following; 40904 names the legal moves. */
export function moveTo(state: OrderState, to: OrderStatus, at: string): OrderState {
  const obstacle = obstacleTo(state, to)
  if (obstacle) {
    throw new ApiError('stateForbids', {
      msg: `The order is ${state.status}: ${obstacle}.`,
      allowed: movesFrom(state),
    })
  }
  return settle({ ...state, status: to, expired_time: to === 'expired' ? at : null }, at)
}

/** A payment is taken by a sub-order; the first moves the order to pending, the one that completes it to success. */
export function takePayment(state: OrderState, subOrderId: string, price: number, at: string): OrderState {
  if (!payableStatuses.includes(state.status)) {
    const msg = `A payment is not taken while the order is ${state.status}.`
    throw new ApiError('stateForbids', { msg, allowed: movesFrom(state) })
  }
  const paid = withSubOrder(state, subOrderId, (subOrder) => ({
    ...subOrder,
    paid: subOrder.paid + price,
    payments: subOrder.payments + 1,
  }))
  const status = received(paid) >= paid.total_price ? 'success' : 'pending'
  return settle({ ...paid, status: state.status === 'success' ? 'success' : status }, at)
}

/** What may still go back of a sub-order. */
export function refundable(subOrder: SubOrder): number {
  return subOrder.paid - subOrder.refunded
}

export function giveRefund(state: OrderState, subOrderId: string, price: number, at: string): OrderState {
  return settle(
    withSubOrder(state, subOrderId, (subOrder) => ({
      ...subOrder,
      refunded: subOrder.refunded + price,
    })),
    at,
  )
}

/** An order with nothing left to pay is complete from the start. */
export function settleFirst(state: OrderState, at: string): OrderState {
  const isFree = state.status === 'created' && state.total_price === 0
  return settle({ ...state, status: isFree ? 'success' : state.status }, at)
}

/** After a change of price, what was received may be all there is to pay. */
export function settleRepriced(state: OrderState, at: string): OrderState {
  const isBeingPaid = state.status === 'created' || state.status === 'pending'
  const isComplete = isBeingPaid && received(state) >= state.total_price
  return settle({ ...state, status: isComplete ? 'success' : state.status }, at)
}

/** Statuses and times of completion follow from the order's status and the sums. */
function settle(state: OrderState, at: string): OrderState {
  const completed = (status: OrderStatus, before: string | null) =>
    status === 'success' ? (before ?? at) : status === 'locked' || status === 'canceled' ? before : null
  return {
    ...state,
    completed_time: completed(state.status, state.completed_time),
    subOrders: state.subOrders.map((subOrder) => {
      const status = statusOfSubOrder(state.status, subOrder)
      return { ...subOrder, status, completed_time: completed(status, subOrder.completed_time) }
    }),
  }
}

function withSubOrder(
  state: OrderState,
  subOrderId: string,
  change: (subOrder: SubOrder) => SubOrder,
): OrderState {
  return {
    ...state,
    subOrders: state.subOrders.map((subOrder) =>
      subOrder.sub_order_id === subOrderId ? change(subOrder) : subOrder,
    ),
  }
}

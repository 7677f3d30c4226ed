import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '../../contract/errors.ts'
import type { OrderStatus } from '../../contract/order-statuses.ts'
import {
  type Allocation,
  allocate,
  balanced,
  counted,
  type Instalment,
  lacking,
  type Piece,
  refundable,
  type Taking,
  withSums,
} from './allocation.ts'
import { paymentSlots } from './payment-slots.ts'
import type { Prices } from './prices.ts'
import { moves, payableStatuses, type SubOrderType } from './status.ts'

/**
 * The rules of the ledger, as functions over an order's state: no database, no clock. Whoever changes an order loads
 * its state under a lock, applies one of these and stores what comes out.
 */

export interface SubOrder extends Instalment {
  type: SubOrderType
  status: OrderStatus
  payment_deadline: string | null
  completed_time: string | null
  /** What will not be paid any more. */
  writtenOff: number
}

/** Of a sub-order that nothing was paid on yet. */
export const noMoney = { paid: 0, refunded: 0, surplusRefunded: 0, payments: 0, writtenOff: 0 } as const

export interface OrderState extends Prices {
  order_id: string
  status: OrderStatus
  currency: string
  coupon_ids: string[]
  version: number
  completed_time: string | null
  expired_time: string | null
  subOrders: SubOrder[]
  /** Where the money lies that the order has taken; what came last stands last. */
  allocations: Allocation[]
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

/** A sub-order's own status follows the order's, unless the order is being paid: then its own money decides. */
export function statusOfSubOrder(
  order: OrderStatus,
  { paid, covered = paid, total_price }: { paid: number; covered?: number; total_price: number },
): OrderStatus {
  if (!payableStatuses.includes(order)) return order
  if (covered >= total_price) return 'success'
  return paid > 0 ? 'pending' : 'created'
}

/** What of its price is paid, or written off. */
function covered(subOrder: SubOrder): number {
  return counted(subOrder) + subOrder.writtenOff
}

export function received(state: OrderState): number {
  return state.subOrders.reduce((all, { paid }) => all + paid, 0)
}

export function refunded(state: OrderState): number {
  return state.subOrders.reduce((all, subOrder) => all + subOrder.refunded, 0)
}

/** What was received and has not gone back. */
export function held(state: OrderState): number {
  return received(state) - refunded(state)
}

/** What is still owed: nothing of an order that will not be paid any more. */
export function outstanding(state: OrderState): number {
  return state.subOrders.reduce((all, each) => all + owedOn(state, each), 0)
}

/** The same of one of its sub-orders. */
export function owedOn({ status }: OrderState, subOrder: SubOrder): number {
  if (status === 'canceled' || status === 'expired') return 0
  return Math.max(0, subOrder.total_price - covered(subOrder))
}

export function overpaid(state: OrderState): number {
  return state.subOrders.reduce((all, each) => all + Math.max(0, counted(each) - each.total_price), 0)
}

/** Why something is not possible, for programs and for people. */
export interface Obstacle {
  code: 'no_such_move' | 'not_covered' | 'has_received' | 'holds_money'
  because: string
}

/** Why an order may not move there now; undefined where it may. */
export function obstacleTo(state: OrderState, to: OrderStatus, retains = false): Obstacle | undefined {
  if (!moves[state.status].includes(to))
    return { code: 'no_such_move', because: `an order does not move from ${state.status} to ${to}` }
  if (to === 'success' && !isCovered(state))
    return { code: 'not_covered', because: 'an order becomes a success by what is paid, or by a write-off' }
  if (to === 'expired' && received(state) > 0)
    return { code: 'has_received', because: 'only an order that has received nothing expires' }
  if (to === 'canceled' && held(state) > 0 && !retains)
    return {
      code: 'holds_money',
      because: `it holds ${held(state)}, which has to be refunded, transferred or retained first`,
    }
  return undefined
}

/** The statuses an order may move to at this moment. */
export function movesFrom(state: OrderState): OrderStatus[] {
  return moves[state.status].filter((to) => obstacleTo(state, to) === undefined)
}

/** The same order in another status, its sub-orders following; 40904 names the legal moves. */
export function moveTo(state: OrderState, to: OrderStatus, at: string, retains = false): OrderState {
  const obstacle = obstacleTo(state, to, retains)
  if (obstacle) throw forbidden(state, `The order is ${state.status}: ${obstacle.because}.`)
  const status = to === 'created' && state.total_price === 0 ? 'success' : to
  return settle({ ...state, status, expired_time: status === 'expired' ? at : null }, at)
}

/** The state of the order does not allow what was asked. */
export function forbidden(state: OrderState, msg: string): ApiError {
  return new ApiError('stateForbids', { msg, allowed: movesFrom(state) })
}

/** Where the money of a payment lies, in the order of the instalments. */
export function allocationsOf({ subOrders, allocations }: OrderState, paymentId: string) {
  const own = allocations.filter(({ payment_id }) => payment_id === paymentId)
  return subOrders.flatMap(({ sub_order_id }) =>
    own.filter((line) => line.sub_order_id === sub_order_id).map(({ price }) => ({ sub_order_id, price })),
  )
}

/** Why an order takes no money that was paid at this time; undefined where it does. */
export function obstacleToMoney(state: OrderState, paidAt: string): string | undefined {
  if (payableStatuses.includes(state.status)) return undefined
  if (state.status === 'expired' && isInTime(state, paidAt)) return undefined
  return `the order is ${state.status}`
}

/** Whether it was paid before the deadline that expired the order. */
function isInTime({ subOrders }: OrderState, paidAt: string): boolean {
  const deadlines = subOrders.flatMap(({ payment_deadline }) =>
    payment_deadline === null ? [] : Date.parse(payment_deadline),
  )
  return deadlines.length > 0 && Date.parse(paidAt) <= Math.min(...deadlines)
}

/**
 * Money is put on sub-orders; the first moves the order to pending, what completes it to success. An order that takes
 * money though it has expired is open again.
 */
export function takeMoney(
  state: OrderState,
  pieces: Piece[],
  at: string,
  startId?: string,
): OrderState | { because: string } {
  let { subOrders, allocations } = state
  for (const piece of pieces) {
    const put = allocate(subOrders, allocations, piece, startId)
    if ('full' in put)
      return { because: `instalment ${put.full.seq} has ${paymentSlots} payments, which is all it can show` }
    allocations = put.allocations
    subOrders = withSums(subOrders, allocations)
  }
  const paid = { ...state, subOrders, allocations, expired_time: null }
  return settle({ ...paid, status: state.status === 'success' ? 'success' : statusByMoney(paid) }, at)
}

/** Money leaves; an order that was being paid, or was, falls back. */
export function loseMoney(state: OrderState, allocations: Allocation[], at: string): OrderState {
  const left = {
    ...state,
    allocations,
    subOrders: withSums(state.subOrders, allocations),
  }
  const status = payableStatuses.includes(state.status) ? statusByMoney(left) : state.status
  return settle({ ...left, status }, at)
}

/** Whether more has gone back of a sub-order than would be left on it. */
export function isShort(state: OrderState): boolean {
  return state.subOrders.some((subOrder) => refundable(subOrder) < 0)
}

export function giveRefund(state: OrderState, takings: Taking[], at: string): OrderState {
  const taken = new Map(takings.map((taking) => [taking.sub_order_id, taking]))
  const subOrders = state.subOrders.map((subOrder) => {
    const { price = 0, surplus_price = 0 } = taken.get(subOrder.sub_order_id) ?? {}
    return {
      ...subOrder,
      refunded: subOrder.refunded + price,
      surplusRefunded: subOrder.surplusRefunded + surplus_price,
    }
  })
  return settle({ ...state, subOrders }, at)
}

/** What is still owed will not be paid any more: the order is complete. */
export function writeOff(state: OrderState, at: string): OrderState {
  const subOrders = state.subOrders.map((subOrder) => ({
    ...subOrder,
    writtenOff: Math.max(subOrder.writtenOff, lacking(subOrder)),
  }))
  return settle({ ...state, subOrders, status: 'success' }, at)
}

function isCovered(state: OrderState): boolean {
  return state.subOrders.every((subOrder) => covered(subOrder) >= subOrder.total_price)
}

function statusByMoney(state: OrderState): OrderStatus {
  if (isCovered({ ...state, ...balancedSums(state) })) return 'success'
  return received(state) > 0 ? 'pending' : 'created'
}

/** An order with nothing left to pay is complete from the start. */
export function settleFirst(state: OrderState, at: string): OrderState {
  const isFree = state.status === 'created' && state.total_price === 0
  return settle({ ...state, status: isFree ? 'success' : state.status }, at)
}

/** After a change of price, what was received may be all there is to pay. */
export function settleRepriced(state: OrderState, at: string): OrderState {
  const isBeingPaid = state.status === 'created' || state.status === 'pending'
  const isComplete = isBeingPaid && statusByMoney(state) === 'success'
  return settle({ ...state, status: isComplete ? 'success' : state.status }, at)
}

/** What was completed stays so in these, and is complete again once the order is taken up. */
const restingStatuses: readonly OrderStatus[] = ['locked', 'canceled', 'expired']

/** Statuses and times of completion follow from the order's status and the sums. */
function settle(state: OrderState, at: string): OrderState {
  const completed = (status: OrderStatus, before: string | null) =>
    status === 'success' ? (before ?? at) : restingStatuses.includes(status) ? before : null
  const { subOrders, allocations } = balancedSums(state)
  return {
    ...state,
    allocations,
    completed_time: completed(state.status, state.completed_time),
    subOrders: subOrders.map((subOrder) => {
      // What was written off and is paid all the same is not written off any more.
      const writtenOff = Math.min(subOrder.writtenOff, lacking(subOrder))
      const own = { ...subOrder, writtenOff }
      const status = statusOfSubOrder(state.status, { ...own, covered: covered(own) })
      return { ...own, status, completed_time: completed(status, subOrder.completed_time) }
    }),
  }
}

function balancedSums({ subOrders, allocations }: OrderState): Pick<OrderState, 'subOrders' | 'allocations'> {
  const after = balanced(subOrders, allocations)
  return { allocations: after, subOrders: withSums(subOrders, after) }
}

import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '../../contract/errors.ts'
import type { OrderStatus } from '../../contract/order-statuses.ts'
import {
  type Allocation,
  added,
  allocate,
  balanced,
  heldOn,
  type Instalment,
  lacking,
  type Piece,
  type Sums,
  surplusOn,
  withSums,
} from './allocation.ts'
import { paymentSlots } from './payment-slots.ts'
import type { Prices } from './prices.ts'
import { moves, owingStatuses, payableStatuses, type SubOrderType } from './status.ts'

/** The rules of the ledger, as functions over an order's state: no database, no clock. */

export interface SubOrder extends Instalment {
  type: SubOrderType
  status: OrderStatus
  payment_deadline: string | null
  completed_time: string | null
}

/** The sums of a sub-order without payments. */
export const noMoney = { paid: 0, refunded: 0, credited: 0, writtenOff: 0, payments: 0 } as const

export interface OrderState extends Prices {
  order_id: string
  status: OrderStatus
  currency: string
  coupon_ids: string[]
  version: number
  completed_time: string | null
  expired_time: string | null
  subOrders: SubOrder[]
  /** The money of payments on its sub-orders, in the order of completion. */
  allocations: Allocation[]
}

/** Whether a sub-order changed. A payment or refund counts even if the status stays. */
export function subOrderChanged(before: SubOrder, after: SubOrder): boolean {
  const { payment_deadline: was, ...others } = before
  const { payment_deadline: is, ...same } = after
  return timeOf(was) !== timeOf(is) || !isDeepStrictEqual(others, same)
}

function timeOf(instant: string | null): number | null {
  return instant === null ? null : Date.parse(instant)
}

/** The status of a sub-order is that of its order. In an order that can be paid, the sub-order's own money decides. */
export function statusOfSubOrder(order: OrderStatus, subOrder: Sums): OrderStatus {
  return payableStatuses.includes(order) ? statusByMoney([subOrder]) : order
}

/** A credit counts as if paid: a refund by agreement reopens no debt and moves no status. */
function statusByMoney(instalments: Sums[]): OrderStatus {
  if (instalments.every((each) => lacking(each) === 0)) return 'success'
  return instalments.some((each) => heldOn(each) + each.credited > 0) ? 'pending' : 'created'
}

export function received(state: OrderState): number {
  return sumOver(state, ({ paid }) => paid)
}

export function refunded(state: OrderState): number {
  return sumOver(state, (each) => each.refunded)
}

export function credited(state: OrderState): number {
  return sumOver(state, (each) => each.credited)
}

export function writtenOff(state: OrderState): number {
  return sumOver(state, (each) => each.writtenOff)
}

/** Received and not refunded. */
export function held(state: OrderState): number {
  return sumOver(state, heldOn)
}

/** The unpaid amount. An order that cannot be paid owes nothing. */
export function outstanding(state: OrderState): number {
  return sumOver(state, (each) => owedOn(state, each))
}

/** The unpaid amount of one sub-order. */
export function owedOn({ status }: OrderState, subOrder: SubOrder): number {
  return owingStatuses.includes(status) ? lacking(subOrder) : 0
}

export function overpaid(state: OrderState): number {
  return sumOver(state, surplusOn)
}

function sumOver({ subOrders }: OrderState, amountOf: (subOrder: SubOrder) => number): number {
  return subOrders.reduce((all, each) => all + amountOf(each), 0)
}

/** The reason why something is not possible, for programs and for people. */
export interface Obstacle {
  code: 'no_such_move' | 'follows_money' | 'has_received' | 'holds_money'
  because: string
}

/** The reason why an order cannot move there now; undefined if it can. */
export function obstacleTo(state: OrderState, to: OrderStatus, retains = false): Obstacle | undefined {
  if (!moves[state.status].includes(to))
    return { code: 'no_such_move', because: `an order does not move from ${state.status} to ${to}` }
  if (state.status === 'locked' && payableStatuses.includes(to) && to !== statusOf(state))
    return { code: 'follows_money', because: `its money makes it ${statusOf(state)}` }
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

/** The order in another status, with the statuses of its sub-orders. A 40904 names the legal moves. */
export function moveTo(state: OrderState, to: OrderStatus, at: string, retains = false): OrderState {
  const obstacle = obstacleTo(state, to, retains)
  if (obstacle) throw forbidden(state, `The order is ${state.status}: ${obstacle.because}.`)
  const status = to === 'created' && state.total_price === 0 ? 'success' : to
  return settle({ ...state, status, expired_time: status === 'expired' ? at : null }, at)
}

/** The error for a request that the state of the order does not allow. */
export function forbidden(state: OrderState, msg: string): ApiError {
  return new ApiError('stateForbids', { msg, allowed: movesFrom(state) })
}

/** The allocations of a payment, in the order of the instalments. */
export function allocationsOf({ subOrders, allocations }: OrderState, paymentId: string) {
  const own = allocations.filter(({ payment_id }) => payment_id === paymentId)
  return subOrders.flatMap(({ sub_order_id }) =>
    own.filter((line) => line.sub_order_id === sub_order_id).map(({ price }) => ({ sub_order_id, price })),
  )
}

/** The reason why an order takes no money that was paid at this time; undefined if it does. */
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
 * Allocates money. The first payment moves the order to pending, the last to success. An expired order that takes money
 * is open again.
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
      return { because: `instalment ${put.full.seq} has ${paymentSlots} payments, and cannot show more` }
    allocations = put.allocations
    subOrders = withSums(subOrders, allocations)
  }
  const paid = { ...state, subOrders, allocations, expired_time: null }
  return settle({ ...paid, status: state.status === 'success' ? 'success' : statusOf(paid) }, at)
}

/** The order with other allocations, after money left it. The status of a payable order moves back. */
export function loseMoney(state: OrderState, allocations: Allocation[], at: string): OrderState {
  return settleByMoney({ ...state, allocations, subOrders: withSums(state.subOrders, allocations) }, at)
}

/** A refunded amount of a payment on a sub-order. The credited part reduces the price. */
export interface RefundLine {
  payment_id: string
  sub_order_id: string
  price: number
  credited_price: number
}

/** Refunds lines, or reverses a refund if their prices are negative. */
export function refundLines(state: OrderState, lines: RefundLine[], at: string): OrderState {
  const allocations = lines.reduce(
    (all, { payment_id, sub_order_id, price }) =>
      added(all, { payment_id, sub_order_id, price: 0, refunded: price }),
    state.allocations,
  )
  const credits = Map.groupBy(lines, ({ sub_order_id }) => sub_order_id)
  const subOrders = state.subOrders.map((each) => {
    const own = credits.get(each.sub_order_id) ?? []
    return { ...each, credited: own.reduce((all, line) => all + line.credited_price, each.credited) }
  })
  return settleByMoney({ ...state, allocations, subOrders: withSums(subOrders, allocations) }, at)
}

/** Writes off an amount, the last sub-orders first, or takes a write-off back if the price is negative. */
export function writeOff(state: OrderState, price: number, at: string): OrderState {
  let left = price
  const subOrders = state.subOrders.toReversed().map((each) => {
    const amount = price > 0 ? Math.min(left, lacking(each)) : Math.max(left, -each.writtenOff)
    left -= amount
    return { ...each, writtenOff: each.writtenOff + amount }
  })
  return settleByMoney({ ...state, subOrders: subOrders.toReversed() }, at)
}

function settleByMoney(state: OrderState, at: string): OrderState {
  const status = payableStatuses.includes(state.status) ? statusOf(state) : state.status
  return settle({ ...state, status }, at)
}

function statusOf(state: OrderState): OrderStatus {
  return statusByMoney(balancedSums(state).subOrders)
}

/** An order without anything to pay is complete from the start. */
export function settleFirst(state: OrderState, at: string): OrderState {
  const isFree = state.status === 'created' && state.total_price === 0
  return settle({ ...state, status: isFree ? 'success' : state.status }, at)
}

/** After a change of price, the received money may be enough. A price below the credited amount is refused. */
export function settleRepriced(state: OrderState, at: string): OrderState {
  const credit = state.subOrders.find((each) => each.total_price < each.credited)
  if (credit)
    throw forbidden(
      state,
      `Instalment ${credit.seq} must be at least ${credit.credited}, which was credited.`,
    )
  const subOrders = state.subOrders.map((each) => ({
    ...each,
    writtenOff: Math.min(each.writtenOff, each.total_price - each.credited),
  }))
  const repriced = { ...state, subOrders }
  const isBeingPaid = state.status === 'created' || state.status === 'pending'
  const isComplete = isBeingPaid && statusOf(repriced) === 'success'
  return settle({ ...repriced, status: isComplete ? 'success' : state.status }, at)
}

/** In these statuses, completed sub-orders stay completed. */
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
      const status = statusOfSubOrder(state.status, subOrder)
      return { ...subOrder, status, completed_time: completed(status, subOrder.completed_time) }
    }),
  }
}

function balancedSums({ subOrders, allocations }: OrderState): Pick<OrderState, 'subOrders' | 'allocations'> {
  const after = balanced(subOrders, allocations)
  return { allocations: after, subOrders: withSums(subOrders, after) }
}

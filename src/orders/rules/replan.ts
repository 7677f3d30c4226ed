import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, invalid } from '../../contract/errors.ts'
import { shareOut } from '../../contract/rounding.ts'
import { lacking } from './allocation.ts'
import { forbidden, noMoney, type OrderState, type SubOrder } from './order-rules.ts'
import { type PlanInput, planOf } from './plan.ts'

/** The sub-orders of an order after a change of its plan or its total. Allocated money stays on its sub-order. */
export function replan(
  { sub_orders: listed }: Pick<PlanInput, 'sub_orders'>,
  state: OrderState,
  total: number,
  { newId, organization }: OrganizationContext,
): SubOrder[] {
  if (!listed) return shareDifference(state.subOrders, total - state.total_price)
  const named = listed.flatMap((subOrder) => subOrder.sub_order_id ?? [])
  const staying = new Set(named)
  if (staying.size < named.length) {
    throw invalid('sub_orders', 'must name each sub-order once')
  }
  refuseLoss(
    state,
    state.subOrders.filter((subOrder) => !staying.has(subOrder.sub_order_id)),
  )
  const existing = new Map(state.subOrders.map((subOrder) => [subOrder.sub_order_id, subOrder]))
  const described = listed.map((subOrder) => {
    const { type, payment_deadline } = existing.get(subOrder.sub_order_id!) ?? {}
    return { ...subOrder, type: subOrder.type ?? type, before: payment_deadline ?? null }
  })
  return planOf({ sub_orders: described }, total, organization.time_zone).map((planned, index) => {
    const { sub_order_id } = planned
    if (sub_order_id !== undefined && !existing.has(sub_order_id)) throw new ApiError('subOrderNotFound')
    return {
      ...(existing.get(sub_order_id!) ?? { ...freshSubOrder, sub_order_id: newId() }),
      seq: index + 1,
      type: planned.type,
      total_price: planned.total_price,
      payment_deadline: planned.payment_deadline?.toISOString() ?? described[index]!.before,
    }
  })
}

const freshSubOrder = { status: 'created', completed_time: null, ...noMoney } as const

/**
 * A new total without a new plan: the difference is distributed in proportion to the unpaid amounts. A reduction beyond
 * all unpaid amounts reduces the paid sub-orders, the last first, which then have a surplus.
 */
function shareDifference(subOrders: SubOrder[], difference: number): SubOrder[] {
  if (difference === 0) return subOrders
  const lacks = subOrders.map(lacking)
  const all = lacks.reduce((sum, lack) => sum + lack, 0)
  if (difference > 0) {
    const shares = shareOut(difference, all > 0 ? lacks : subOrders.map(() => 1))
    return subOrders.map((subOrder, index) => dearer(subOrder, shares[index]!))
  }
  const shares = shareOut(Math.min(-difference, all), lacks)
  let rest = Math.max(0, -difference - all)
  return subOrders
    .map((subOrder, index) => dearer(subOrder, -shares[index]!))
    .toReversed()
    .map((subOrder) => {
      const off = Math.min(rest, subOrder.total_price)
      rest -= off
      return dearer(subOrder, -off)
    })
    .toReversed()
}

function dearer(subOrder: SubOrder, by: number): SubOrder {
  return { ...subOrder, total_price: subOrder.total_price + by }
}

function refuseLoss(state: OrderState, dropped: SubOrder[]): void {
  if (dropped.every((subOrder) => subOrder.payments === 0)) return
  throw forbidden(state, 'A sub-order that received money cannot be removed.')
}

import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, invalid } from '../../contract/errors.ts'
import { split } from '../../contract/rounding.ts'
import { movesFrom, noMoney, type OrderState, type SubOrder } from './order-rules.ts'
import { type PlanInput, planOf } from './plan.ts'

/** The sub-orders of an order after a change of its plan or its total. Money that came in stays where it came in. */
export function replan(
  input: Pick<PlanInput, 'sub_orders'>,
  state: OrderState,
  total: number,
  { newId, organization }: OrganizationContext,
): SubOrder[] {
  if (!input.sub_orders) return shareDifference(state, total)
  const planned = planOf(input, total, organization.time_zone)
  const named = planned.flatMap((subOrder) => subOrder.sub_order_id ?? [])
  const staying = new Set(named)
  if (staying.size < named.length) {
    throw invalid('sub_orders', 'must name each sub-order once')
  }
  refuseLoss(
    state,
    state.subOrders.filter((subOrder) => !staying.has(subOrder.sub_order_id)),
  )
  return planned.map((subOrder, index) => {
    const existing = state.subOrders.find(({ sub_order_id }) => sub_order_id === subOrder.sub_order_id)
    if (subOrder.sub_order_id !== undefined && !existing) throw new ApiError('subOrderNotFound')
    return {
      ...(existing ?? { ...freshSubOrder, sub_order_id: newId() }),
      seq: index + 1,
      type: subOrder.type,
      total_price: subOrder.total_price,
      payment_deadline: subOrder.payment_deadline?.toISOString() ?? null,
    }
  })
}

const freshSubOrder = { status: 'created', completed_time: null, ...noMoney } as const

/** A new total without a new plan: the sub-orders that nothing was paid on carry the difference, equally. */
function shareDifference(state: OrderState, total: number): SubOrder[] {
  if (total === state.total_price) return state.subOrders
  const fixed = state.subOrders.filter((subOrder) => subOrder.payments > 0)
  const open = state.subOrders.filter((subOrder) => subOrder.payments === 0)
  const rest = total - fixed.reduce((sum, subOrder) => sum + subOrder.total_price, 0)
  if (open.length === 0 || rest < 0) {
    throw invalid(
      'sub_orders',
      'is required: the instalments that are not paid yet cannot carry the new total',
    )
  }
  const shares = split(rest, open.length)
  return state.subOrders.map((subOrder) => {
    const index = open.indexOf(subOrder)
    return index === -1 ? subOrder : { ...subOrder, total_price: shares[index]! }
  })
}

function refuseLoss(state: OrderState, dropped: SubOrder[]): void {
  if (dropped.every((subOrder) => subOrder.payments === 0)) return
  const msg = 'A sub-order that money came in on cannot be left out.'
  throw new ApiError('stateForbids', { msg, allowed: movesFrom(state) })
}

import type { OrganizationContext } from '../contract/endpoint.ts'
import { ApiError, invalid } from '../contract/errors.ts'
import { split } from '../contract/rounding.ts'
import { movesFrom, type OrderState, type Part } from './ledger.ts'
import { type PlanInput, planOf } from './plan.ts'

/** The parts of an order after a change of its plan or its total. Money that came in stays where it came in. */
export function replan(
  input: Pick<PlanInput, 'sub_orders'>,
  state: OrderState,
  total: number,
  { newId, organization }: OrganizationContext,
): Part[] {
  if (!input.sub_orders) return shareDifference(state, total)
  const planned = planOf(input, total, organization.time_zone)
  const named = planned.flatMap((part) => part.sub_order_id ?? [])
  const kept = new Set(named)
  if (kept.size < named.length) {
    throw invalid('sub_orders', 'must name each sub-order once')
  }
  refuseLoss(
    state,
    state.parts.filter((part) => !kept.has(part.sub_order_id)),
  )
  return planned.map((part, index) => {
    const existing = state.parts.find(({ sub_order_id }) => sub_order_id === part.sub_order_id)
    if (part.sub_order_id !== undefined && !existing) throw new ApiError('subOrderNotFound')
    return {
      ...(existing ?? { ...freshPart, sub_order_id: newId() }),
      seq: index + 1,
      type: part.type,
      total_price: part.total_price,
      payment_deadline: part.payment_deadline?.toISOString() ?? null,
      touched: true,
    }
  })
}

const freshPart = { status: 'created', completed_time: null, paid: 0, refunded: 0, payments: 0 } as const

/** A new total without a new plan: the parts that nothing was paid on carry the difference, equally. */
function shareDifference(state: OrderState, total: number): Part[] {
  if (total === state.total_price) return state.parts
  const fixed = state.parts.filter((part) => part.payments > 0)
  const open = state.parts.filter((part) => part.payments === 0)
  const rest = total - fixed.reduce((sum, part) => sum + part.total_price, 0)
  if (open.length === 0 || rest < 0) {
    throw invalid(
      'sub_orders',
      'is required: the instalments that are not paid yet cannot carry the new total',
    )
  }
  const shares = split(rest, open.length)
  return state.parts.map((part) => {
    const index = open.indexOf(part)
    return index === -1 ? part : { ...part, total_price: shares[index]!, touched: true }
  })
}

function refuseLoss(state: OrderState, dropped: Part[]): void {
  if (dropped.every((part) => part.payments === 0)) return
  const msg = 'A sub-order that money came in on cannot be left out.'
  throw new ApiError('stateForbids', { msg, allowed: movesFrom(state) })
}

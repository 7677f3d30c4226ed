import { held, type OrderState, outstanding, owedOn } from '../rules/order-rules.ts'

export const requestStates = ['open', 'part_paid', 'paid', 'expired', 'revoked'] as const
export type RequestState = (typeof requestStates)[number]

/** The members of a request that its state follows from. */
export interface RequestedAmount {
  price: number
  /** The amount that the order held when the request was made. */
  held_price: number
  is_expired: boolean
  is_revoked: boolean
}

/** The amount that is due: everything overdue, otherwise the next instalment. */
export function dueNow(state: OrderState, now: Date): number {
  const unpaid = state.subOrders
    .map((subOrder) => ({ price: owedOn(state, subOrder), deadline: subOrder.payment_deadline }))
    .filter(({ price }) => price > 0)
  const overdue = unpaid.filter(({ deadline }) => deadline !== null && new Date(deadline) <= now)
  const due = overdue.length > 0 ? overdue : unpaid.slice(0, 1)
  return due.reduce((sum, { price }) => sum + price, 0)
}

/** The rest of the requested amount, and never more than the order owes. */
export function restOf({ price, held_price }: RequestedAmount, state: OrderState): number {
  const paidSince = Math.max(0, held(state) - held_price)
  return Math.max(0, Math.min(price - paidSince, outstanding(state)))
}

export function stateOf(request: RequestedAmount, state: OrderState | undefined): RequestState {
  const rest = state ? restOf(request, state) : 0
  if (state && rest === 0) return 'paid'
  if (request.is_revoked) return 'revoked'
  if (request.is_expired) return 'expired'
  return rest < request.price ? 'part_paid' : 'open'
}

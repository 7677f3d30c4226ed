import type { OrganizationContext } from '../contract/endpoint.ts'
import { shareOut } from '../contract/rounding.ts'
import { DiscountBeyondLimit } from './draft-order.ts'
import { findRequestPage } from './limits/approval-request-store.ts'
import { requestApproval } from './limits/ask-second-person.ts'
import { makeOrder } from './make-orders.ts'
import type { OrderCreation } from './order-creation.ts'
import { planOf } from './rules/plan.ts'
import type { OrderUpdate } from './update-order.ts'

/**
 * Creates an order. If its manual discount is beyond the limit, the order is created without it, and the discount waits
 * for a second approver.
 */
export async function createOrAsk(context: OrganizationContext, input: OrderCreation) {
  try {
    const { isKnown, ...made } = await makeOrder(context, input)
    return answer(made, isKnown ? await findWaiting(context, made.order_id) : null)
  } catch (error) {
    if (!(error instanceof DiscountBeyondLimit)) throw error
    return createWithoutDiscount(context, input, error)
  }
}

function answer<Made extends object>(made: Made, request_id: string | null) {
  return { ...made, state: request_id === null ? ('done' as const) : ('waiting' as const), request_id }
}

/** The request for the discount of an order that a repeated call finds. */
async function findWaiting(
  { db, organization }: OrganizationContext,
  order_id: string,
): Promise<string | null> {
  const wanted = { order_id, kind: 'discount', state: 'waiting' } as const
  const { list } = await findRequestPage(db, organization.corp_id, wanted, { limit: 1, offset: 0 })
  return list[0]?.request_id ?? null
}

/** The order and the request are one transaction. A repetition is recognized by the input with the discount. */
function createWithoutDiscount(
  context: OrganizationContext,
  asked: OrderCreation,
  { wanted: { discount, currency, total_price, discounted_price, full_price } }: DiscountBeyondLimit,
) {
  const { manual_discount: _, discounted_price: __, sub_orders, ...kept } = asked
  const undiscounted = { ...kept, listed_price: full_price }
  const { corp_id, time_zone } = context.organization
  const totals = planOf(asked, total_price, time_zone).map((planned) => planned.total_price)
  const plan = sub_orders && { sub_orders: dearer(sub_orders, discount) }
  return context.db.transaction(async (tx) => {
    const inside = { ...context, db: tx }
    const { isKnown, ...made } = await makeOrder(inside, { ...undiscounted, ...plan }, asked)
    const { order_id, sub_order_ids } = made
    if (isKnown) return answer(made, await findWaiting(inside, order_id))
    const change: OrderUpdate = {
      ...{ corp_id, order_id, version: 1, discounted_price },
      sub_orders: sub_order_ids.map((sub_order_id, index) => ({ sub_order_id, total_price: totals[index]! })),
    }
    const needed = { kind: 'discount' as const, order_id, price: discount, currency }
    return answer(made, await requestApproval(inside, needed, change))
  })
}

/** The listed instalments with the discount added, in proportion to their prices. */
function dearer(subOrders: NonNullable<OrderCreation['sub_orders']>, discount: number) {
  const prices = subOrders.map((subOrder) => subOrder.total_price)
  const shares = shareOut(discount, prices.some((price) => price > 0) ? prices : prices.map(() => 1))
  return subOrders.map((subOrder, index) => ({
    ...subOrder,
    total_price: subOrder.total_price + shares[index]!,
  }))
}

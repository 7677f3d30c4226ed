import type { Queryable } from '../../database/database.ts'
import type { RefundInput } from './refund-input.ts'
import { findRefundedByOrder, findTransfers } from './refund-sum-store.ts'

/** By currency, in minor units. */
type Sums = Map<string, number>

/**
 * The refunds of orders, together with all orders that money moved to or from. A large refund cannot be split into small
 * ones, neither on one order nor over several.
 */
export interface RefundSums {
  sum(order_id: string, currency: string): number
  add(refund: ReturnedMoney): void
}

type ReturnedMoney = Pick<RefundInput, 'order_id' | 'price' | 'currency' | 'returned_price'> & {
  order_currency: string
}

/** The maximum number of transfers that are followed. With more, every refund waits. */
const mostMoves = 2000

export async function findRefundSums(
  tx: Queryable,
  corp_id: string,
  orderIds: string[],
  most = mostMoves,
): Promise<RefundSums> {
  const groupOf = await groupsOf(tx, corp_id, orderIds, most)
  if (!groupOf) return { sum: () => Number.POSITIVE_INFINITY, add: () => {} }
  const sums = new Map<Set<string>, Sums>()
  const add = (refund: ReturnedMoney) => {
    const group = groupOf.get(refund.order_id)!
    const all = sums.get(group) ?? new Map()
    sums.set(group, all)
    for (const [currency, price] of amountsOf(refund)) all.set(currency, (all.get(currency) ?? 0) + price)
  }
  const refunds = groupOf.size > 0 ? await findRefundedByOrder(tx, corp_id, [...groupOf.keys()]) : []
  for (const refund of refunds) add(refund)
  return {
    sum: (order_id, currency) => sums.get(groupOf.get(order_id)!)?.get(currency) ?? 0,
    add,
  }
}

/** A refund counts in the currency of the order and, if it is another, in the currency that it was returned in. */
export function amountsOf({
  order_currency,
  currency = order_currency,
  price,
  returned_price,
}: ReturnedMoney) {
  const amounts: [currency: string, price: number][] = [[order_currency, price]]
  if (currency !== order_currency) amounts.push([currency, returned_price ?? 0])
  return amounts
}

/** Groups of orders that transfers connect, directly or through others; undefined if there are too many transfers. */
async function groupsOf(
  tx: Queryable,
  corp_id: string,
  orderIds: string[],
  most: number,
): Promise<Map<string, Set<string>> | undefined> {
  const groupOf = new Map(orderIds.map((id) => [id, new Set([id])]))
  let found = [...groupOf.keys()]
  for (let moves = 0; found.length > 0; ) {
    const known = new Set(groupOf.keys())
    const transfers = await findTransfers(tx, corp_id, found, most)
    moves += transfers.length
    if (moves >= most) return undefined
    for (const [one, other] of transfers) {
      const groups = [one, other].map((id) => groupOf.get(id) ?? new Set([id]))
      const [small, large] = groups.sort((a, b) => a.size - b.size) as [Set<string>, Set<string>]
      for (const id of [...small, ...[one, other]]) groupOf.set(id, large.add(id))
    }
    found = [...groupOf.keys()].filter((id) => !known.has(id))
  }
  return groupOf
}

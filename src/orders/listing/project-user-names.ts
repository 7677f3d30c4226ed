import type { Queryable } from '../../database/database.ts'
import { changingEntriesAlone } from '../../search/facet-store.ts'
import { holdClock } from '../ledger/ledger-clock-store.ts'
import { renamedFacets } from './order-facets.ts'
import { facetChanges } from './project-orders.ts'
import { facetsOfOrders, holdUsersForOrders, storingFacets } from './read-model-store.ts'

/** However many orders somebody has, so many are in memory. */
const ordersAtATime = 500

/**
 * Lets orders be found by what their users are called now; nothing else of their rows follows a user. Whoever makes an
 * order for one of them meanwhile comes before or after: before, it is found here; after, it reads the new name.
 */
export async function projectUserNames(tx: Queryable, corp_id: string, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return
  const { users, orders } = await holdUsersForOrders(tx, corp_id, userIds)
  if (orders.length === 0) return
  const namesOf = new Map(users.map((user) => [user.user_id, user]))
  const userOf = new Map(orders.map(({ order_id, user_id }) => [order_id, namesOf.get(user_id)!]))
  await holdClock(tx, corp_id)
  const ids = [...userOf.keys()]
  for (let start = 0; start < ids.length; start += ordersAtATime) {
    const before = await facetsOfOrders(tx, corp_id, ids.slice(start, start + ordersAtATime))
    const after = before.map(({ order_id, facets, created_at }) => ({
      order_id,
      facets: JSON.stringify(renamedFacets(JSON.parse(facets), userOf.get(order_id)!)),
      createdAt: new Date(created_at),
    }))
    await tx.pipeline([
      storingFacets(corp_id, after),
      ...changingEntriesAlone(corp_id, facetChanges(before, after)),
    ])
  }
}

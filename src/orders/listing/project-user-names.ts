import type { Queryable } from '../../database/database.ts'
import { changingOwnEntries } from '../../search/facet-store.ts'
import { holdClock } from '../ledger/ledger-clock-store.ts'
import { renamedFacets } from './order-facets.ts'
import { facetChanges } from './project-orders.ts'
import { facetsOfOrders, holdUsersForOrders, storingFacets } from './read-model-store.ts'

/** Bounds the memory, since a person may have any number of orders. */
const ordersAtATime = 500

/**
 * Updates the facets of orders after their users were renamed; nothing else of their rows depends on the user. The lock
 * on the users orders this after every concurrent creation, or before it.
 */
export async function projectUserNames(tx: Queryable, corp_id: string, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return
  const { users, orders } = await holdUsersForOrders(tx, corp_id, userIds)
  if (orders.length === 0) return
  const namesOf = new Map(users.map((user) => [user.user_id, user]))
  const userOf = new Map(orders.map(({ order_id, user_id }) => [order_id, namesOf.get(user_id)]))
  await holdClock(tx, corp_id)
  const ids = [...userOf.keys()]
  for (let start = 0; start < ids.length; start += ordersAtATime) {
    const before = await facetsOfOrders(tx, corp_id, ids.slice(start, start + ordersAtATime))
    const after = before.map(({ order_id, facets, created_at }) => {
      const user = userOf.get(order_id)
      const renamed = user ? JSON.stringify(renamedFacets(JSON.parse(facets), user)) : facets
      return { order_id, facets: renamed, createdAt: new Date(created_at) }
    })
    await tx.pipeline([
      storingFacets(corp_id, after),
      ...changingOwnEntries(corp_id, facetChanges(before, after)),
    ])
  }
}

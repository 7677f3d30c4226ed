import type { Queryable } from '../../database/database.ts'
import { holdClock } from '../ledger-clock-store.ts'
import { projectOrders } from './project-orders.ts'
import { holdUsersForOrders } from './read-model-store.ts'

/** However many orders somebody has, so many are in memory. */
const ordersAtATime = 500

/**
 * Brings the read model of the orders of users up to date, who are called otherwise from now on. Whoever makes an order
 * for one of them meanwhile comes before or after: before, it is found here; after, it reads the new name.
 */
export async function projectOrdersOf(tx: Queryable, corp_id: string, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return
  const orders = await holdUsersForOrders(tx, corp_id, userIds)
  if (orders.length === 0) return
  await holdClock(tx, corp_id)
  for (let start = 0; start < orders.length; start += ordersAtATime)
    await projectOrders(tx, corp_id, orders.slice(start, start + ordersAtATime))
}

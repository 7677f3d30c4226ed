import { findUsersOfOrders, noteOrdersOfUsers } from '../people/users/user-order-facet-store.ts'
import { type Changer, changeOrders, type FindRule } from './change-orders.ts'

/** An order and its new user. */
export interface OrderMove {
  order_id: string
  user_id: string
}

/**
 * Moves orders to other users, in the caller's transaction. Deleted orders move too, since they refer to users. Orders
 * keep the copy of the user that was taken at their creation.
 */
export async function moveOrders(
  changer: Changer,
  moves: OrderMove[],
  cause: { change: 'merged' | 'unmerged'; reason: string | null },
): Promise<void> {
  if (moves.length === 0) return
  const giveTo: FindRule<OrderMove, void> =
    async () =>
    ({ user_id }, state) => ({
      state,
      fields: { user_id },
      cause: { ...cause, subject_id: null },
      result: () => undefined,
    })
  giveTo.includesDeleted = true
  const ids = moves.map(({ order_id }) => order_id)
  const { db, corp_id } = changer
  const before = await findUsersOfOrders(db, corp_id, ids)
  await changeOrders(changer, moves, giveTo)
  await noteOrdersOfUsers(db, corp_id, [...before, ...moves.map(({ user_id }) => user_id)])
}

import { findUsersOfOrders, noteOrdersOfUsers } from '../people/users/user-order-facet-store.ts'
import { type Changer, changeOrders, type FindRule, resultOf } from './change-orders.ts'

/** An order that is to belong to another user. */
export interface OrderMove {
  order_id: string
  user_id: string
}

/**
 * Gives orders to other users, in the transaction; deleted ones as well, since they refer to users. What they show of a
 * user stays the copy that was taken when they were made.
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
  const results = await changeOrders(changer, moves, giveTo)
  results.forEach(resultOf)
  await noteOrdersOfUsers(db, corp_id, [...before, ...moves.map(({ user_id }) => user_id)])
}

import type { Changer } from '../orders/change-orders.ts'
import { moveOrders } from '../orders/move-orders.ts'
import { lockUsersOfOrders } from '../orders/order-state-store.ts'
import type { Change } from './change-batch-store.ts'

/** Takes changes of orders back, through the one way to change orders: their history goes on. */
export async function revertOrders(changer: Changer, changes: Change[]): Promise<Change[]> {
  if (changes.length === 0) return []
  const ids = changes.map(({ record_id }) => record_id)
  const userOf = await lockUsersOfOrders(changer.db, changer.corp_id, ids)
  const isMine = ({ record_id, after }: Change) => after !== null && userOf.get(record_id) === after.user_id
  const moves = changes
    .filter(isMine)
    .map(({ record_id, before }) => ({ order_id: record_id, user_id: before!.user_id as string }))
  await moveOrders(changer, moves, 'Undo')
  return changes.map((change) =>
    isMine(change)
      ? { ...change, before: change.after, after: change.before }
      : {
          ...{ ...change, before: null, after: null },
          left_alone: { reason: 'was given to another user since', members: [] },
        },
  )
}

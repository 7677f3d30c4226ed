import type { Database } from '../database/database.ts'
import { changeOrder } from './change-orders.ts'
import { findOverdue } from './order-state-store.ts'
import { moveTo, type OrderState } from './rules/order-rules.ts'
import { expirableStatuses } from './rules/status.ts'

const batchSize = 100

/**
 * Expires the orders of an organization with an instalment whose deadline has passed unpaid; returns how many. Each is
 * planned again under its lock, so that servers may do this side by side and a payment in the last second counts.
 */
export async function expireOrders(db: Database, corp_id: string, now: Date): Promise<number> {
  const on = db.of(corp_id)
  let expired = 0
  for (;;) {
    const overdue = await findOverdue(on, corp_id, now, batchSize)
    let progress = 0
    for (const order_id of overdue) progress += await expireOne({ db: on, now, corp_id }, order_id)
    expired += progress
    // A batch in which nothing moved was another server's.
    if (overdue.length < batchSize || progress === 0) return expired
  }
}

async function expireOne(
  { db, now, corp_id }: { db: ReturnType<Database['of']>; now: Date; corp_id: string },
  order_id: string,
): Promise<number> {
  return changeOrder<{ order_id: string }, number>(
    { db, corp_id, executor_id: null },
    { order_id },
    async () => (_order, state, at) => {
      const subOrder = overdueSubOrder(state, now)
      if (!subOrder) return { unchanged: 0 }
      const reason = `The deadline of instalment ${subOrder.seq} passed unpaid`
      return {
        state: moveTo(state, 'expired', at),
        cause: { change: 'expired', reason, subject_id: null },
        result: () => 1,
      }
    },
  )
}

function overdueSubOrder(state: OrderState, now: Date) {
  if (!expirableStatuses.includes(state.status)) return undefined
  return state.subOrders.find(
    (subOrder) =>
      subOrder.status !== 'success' &&
      subOrder.payment_deadline !== null &&
      new Date(subOrder.payment_deadline) < now,
  )
}

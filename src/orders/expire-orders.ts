import type { Database, Queryable } from '../database/database.ts'
import { changeOrder } from './change-orders.ts'
import { findOverdue, lockOrderIfFree } from './ledger/order-state-store.ts'
import { moveTo, type OrderState, received } from './rules/order-rules.ts'
import { expirableStatuses } from './rules/status.ts'

const batchSize = 100

/**
 * Expires the orders of an organization that have received nothing and have an instalment past its deadline; returns how
 * many. An order that has received money is overdue instead. Each order is checked again under its lock, so servers may
 * do this concurrently. An order that another transaction holds waits for the next round.
 */
export async function expireOrders(db: Database, corp_id: string, now: Date): Promise<number> {
  const on = db.of(corp_id)
  let expired = 0
  for (let after = ''; ; ) {
    const overdue = await findOverdue(on, corp_id, now, { after, limit: batchSize })
    for (const order_id of overdue) if (await expireOne(on, corp_id, order_id, now)) expired++
    if (overdue.length < batchSize) return expired
    after = overdue.at(-1) ?? after
  }
}

async function expireOne(on: Queryable, corp_id: string, order_id: string, now: Date): Promise<boolean> {
  return on.transaction(async (tx) => {
    if (!(await lockOrderIfFree(tx, corp_id, order_id))) return false
    return changeOrder<{ order_id: string }, boolean>(
      { db: tx, corp_id, executor_id: null },
      { order_id },
      async () => (_order, state, at) => {
        const subOrder = overdueSubOrder(state, now)
        if (!subOrder) return { unchanged: false }
        const reason = `The deadline of instalment ${subOrder.seq} passed unpaid`
        return {
          state: moveTo(state, 'expired', at),
          cause: { change: 'expired', reason, subject_id: null },
          result: () => true,
        }
      },
    )
  })
}

function overdueSubOrder(state: OrderState, now: Date) {
  if (!expirableStatuses.includes(state.status) || received(state) > 0) return undefined
  return state.subOrders.find(
    (subOrder) =>
      subOrder.status !== 'success' &&
      subOrder.payment_deadline !== null &&
      new Date(subOrder.payment_deadline) < now,
  )
}

import type { Queryable } from '../src/database/database.ts'
import { refreshStatistics } from '../src/database/schema-store.ts'
import { type FactRow, type Facts, insertingFacts } from '../src/orders/ledger/fact-store.ts'
import { recordVersions } from '../src/orders/ledger/history-store.ts'
import { holdClock } from '../src/orders/ledger/ledger-clock-store.ts'
import {
  insertingSubOrders,
  insertOrders,
  type OrderRow,
  type SubOrderRow,
} from '../src/orders/ledger/order-write-store.ts'
import { insertingReceipts } from '../src/orders/ledger/receipt-store.ts'

/** Orders with their dependent records, as lists in the order of foreign keys. */
export interface SampleOrders {
  orders: (OrderRow & { order_id: string; mtime: Date })[]
  sub_orders: SubOrderRow[]
  payments: FactRow<'payments'>[]
  refunds: FactRow<'refunds'>[]
  order_remarks: FactRow<'order_remarks'>[]
}

/**
 * Inserts orders with one version each: their present state, since the last event. Earlier payments and refunds need
 * no versions. The ledger clock is later than all of them.
 */
export async function insertSampleOrders(
  tx: Queryable,
  { corp_id, time_zone }: { corp_id: string; time_zone: string },
  { orders, sub_orders, ...facts }: SampleOrders,
): Promise<void> {
  await insertOrders(tx, corp_id, orders)
  const cause = { change: 'created', from_status: null, reason: null, subject_id: null } as const
  const causes = orders.map(({ order_id, mtime: at, executor_id }) => ({
    ...cause,
    order_id,
    at,
    executor_id,
  }))
  await tx.pipeline([
    ...insertingSubOrders(corp_id, sub_orders),
    ...insertingFacts(corp_id, [facts, allocationsOf({ ...facts, sub_orders })]),
    // Not secret, so it is the same in every sample.
    ...insertingReceipts({ corp_id, time_zone }, facts.payments, (payment_id) => payment_id),
  ])
  await holdClock(tx, corp_id, new Date(Math.max(...orders.map(({ mtime }) => mtime.getTime()))))
  await refreshStatistics(tx)
  await recordVersions(tx, corp_id, causes)
}

/** Allocates every payment to its sub-order, and every refund to the payments of its sub-order, the oldest first. */
function allocationsOf({
  payments,
  refunds,
  sub_orders,
}: Omit<SampleOrders, 'orders' | 'order_remarks'>): Facts {
  const left = new Map(payments.map(({ payment_id, order_price }) => [payment_id, order_price ?? 0]))
  const ofSubOrder = Map.groupBy(payments, ({ sub_order_id }) => sub_order_id)
  const surplus = new Map(
    sub_orders.map(({ sub_order_id, total_price }) => {
      const paid = (ofSubOrder.get(sub_order_id) ?? []).reduce(
        (all, each) => all + (each.order_price ?? 0),
        0,
      )
      return [sub_order_id, Math.max(0, paid - (total_price ?? 0))]
    }),
  )
  return {
    payment_allocations: payments.map(({ payment_id, order_id, sub_order_id, order_price, ctime }) => ({
      payment_id,
      order_id,
      sub_order_id,
      line: 1,
      price: order_price,
      at: ctime,
      cause: 'payment',
    })),
    refund_allocations: refunds.flatMap(
      ({ refund_id, order_id, sub_order_id, payment_id: named, price, ctime }) => {
        let rest = price ?? 0
        const own = (ofSubOrder.get(sub_order_id) ?? []).filter(
          ({ payment_id }) => named === null || payment_id === named,
        )
        return own.flatMap(({ payment_id }) => {
          const amount = Math.min(rest, left.get(payment_id) ?? 0)
          if (amount === 0) return []
          rest -= amount
          left.set(payment_id, (left.get(payment_id) ?? 0) - amount)
          const surplus_price = Math.min(surplus.get(sub_order_id) ?? 0, amount)
          surplus.set(sub_order_id, (surplus.get(sub_order_id) ?? 0) - surplus_price)
          const line = { refund_id, payment_id, order_id, sub_order_id, line: 1, price: amount, at: ctime }
          return [{ ...line, surplus_price, credited_price: amount - surplus_price }]
        })
      },
    ),
  }
}

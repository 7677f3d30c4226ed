import type { Queryable } from '../database/database.ts'
import { recordVersions } from '../orders/history-store.ts'
import { holdClock } from '../orders/ledger-clock-store.ts'
import {
  insertOrders,
  insertSubOrders,
  type OrderRow,
  type SubOrderRow,
} from '../orders/order-write-store.ts'
import { insertPayments, type PaymentRow } from '../orders/payments/payment-store.ts'
import { insertRefunds, type RefundRow } from '../orders/payments/refund-store.ts'
import { insertRemarks, type RemarkRow } from '../orders/remark-store.ts'

/** Orders with all that hangs on them, in lists that follow each other's foreign keys. */
export interface SampleOrders {
  orders: (OrderRow & { order_id: string; mtime: Date })[]
  sub_orders: SubOrderRow[]
  payments: PaymentRow[]
  refunds: RefundRow[]
  order_remarks: RemarkRow[]
}

/**
 * Inserts orders that have a past, each with the one version of its past that is known: what it has been since its last
 * event. Payments and refunds before it need no versions of their own. The clock of the ledger stands behind them all.
 */
export async function insertSampleOrders(
  tx: Queryable,
  corp_id: string,
  sample: SampleOrders,
): Promise<void> {
  const { orders } = sample
  await insertOrders(tx, corp_id, orders)
  await insertSubOrders(tx, corp_id, sample.sub_orders)
  await insertPayments(tx, corp_id, sample.payments)
  await insertRefunds(tx, corp_id, sample.refunds)
  await insertRemarks(tx, corp_id, sample.order_remarks)
  const cause = { change: 'created', from_status: null, reason: null, subject_id: null } as const
  const causes = orders.map(({ order_id, mtime: at, executor_id }) => ({
    ...cause,
    order_id,
    at,
    executor_id,
  }))
  await holdClock(tx, corp_id, new Date(Math.max(...orders.map(({ mtime }) => mtime.getTime()))))
  await recordVersions(tx, corp_id, causes)
}

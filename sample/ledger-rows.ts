import type { OrderStatus } from '../src/contract/order-statuses.ts'
import type { SampleOrders } from './insert-orders.ts'
import type { OrderPlan } from './order-plans.ts'

/** The order of a ledger. */
export interface LedgerOrder {
  plan: OrderPlan
  order_id: string
  exchange_rate: number
  executor_id: string
  ctime: Date
}

export type PaymentRow = SampleOrders['payments'][number] & {
  payment_id: string
  sub_order_id: string
  order_price: number
  completed_time: Date
}
export type SubOrderRow = SampleOrders['sub_orders'][number] & {
  sub_order_id: string
  seq: number
  status: OrderStatus
  total_price: number
  ctime: Date
  mtime: Date
  version: number
}

export type RefundRow = SampleOrders['refunds'][number] & { price: number; completed_time: Date }

/** Counts an event of the row. */
export function touch(row: { mtime: Date; version: number }, moment: Date): void {
  row.mtime = moment
  row.version++
}

export function sum(amounts: number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}

import type { Queryable } from '../database/database.ts'
import { insertRows, type NewRow } from '../database/insert-rows.ts'
import { sql } from '../database/sql.ts'
import { versionRecord } from '../orders/order-state-store.ts'

const orderColumns = {
  order_id: 'text',
  user_id: 'text',
  leads_id: 'text',
  external_id: 'text',
  type: 'text',
  source: 'text',
  status: 'text',
  currency: 'text',
  exchange_rate: 'bigint',
  listed_price: 'bigint',
  discounted_price: 'bigint',
  total_price: 'bigint',
  service_charge: 'bigint',
  foreign_service_charge: 'bigint',
  application_fee_price: 'bigint',
  application_fee_currency: 'text',
  application_fee_status: 'text',
  application_fee_exchange_rate: 'bigint',
  course_id: 'text',
  course_code: 'text',
  contract_id: 'text',
  business_id: 'text',
  product_id: 'text',
  transferred_id: 'text',
  executor_id: 'text',
  receipt_url: 'text',
  user_underling_number: 'integer',
  is_deleted: 'boolean',
  is_locked: 'boolean',
  is_transferred: 'boolean',
  is_payment_changed: 'boolean',
  have_pre: 'boolean',
  is_company_transfer: 'boolean',
  invoice_ids: 'text[]',
  coupon_ids: 'text[]',
  pre_sub_order_ids: 'text[]',
  share_proportion: 'jsonb',
  user_copy: 'jsonb',
  course_copy: 'jsonb',
  course_start_time: 'timestamptz',
  course_end_time: 'timestamptz',
  completed_time: 'timestamptz',
  expired_time: 'timestamptz',
  ctime: 'timestamptz',
  mtime: 'timestamptz',
  version: 'integer',
} as const

const subOrderColumns = {
  sub_order_id: 'text',
  order_id: 'text',
  seq: 'integer',
  type: 'text',
  status: 'text',
  currency: 'text',
  exchange_rate: 'bigint',
  total_price: 'bigint',
  payment_deadline: 'timestamptz',
  completed_time: 'timestamptz',
  ctime: 'timestamptz',
  mtime: 'timestamptz',
  version: 'integer',
} as const

export const paymentColumns = {
  payment_id: 'text',
  order_id: 'text',
  sub_order_id: 'text',
  price: 'bigint',
  currency: 'text',
  exchange_rate: 'bigint',
  order_price: 'bigint',
  status: 'text',
  source: 'text',
  charge_id: 'text',
  receipt_num: 'bigint',
  comments: 'text',
  completed_time: 'timestamptz',
  executor_id: 'text',
  ctime: 'timestamptz',
} as const

const refundColumns = {
  refund_id: 'text',
  order_id: 'text',
  sub_order_id: 'text',
  payment_id: 'text',
  price: 'bigint',
  reason: 'text',
  charge_id: 'text',
  executor_id: 'text',
  completed_time: 'timestamptz',
  ctime: 'timestamptz',
} as const

const remarkColumns = {
  remark_id: 'text',
  order_id: 'text',
  content: 'text',
  executor_id: 'text',
  ctime: 'timestamptz',
} as const

/** Orders with all that hangs on them, in lists that follow each other's foreign keys. */
export interface OrderImport {
  orders: NewRow<typeof orderColumns>[]
  sub_orders: NewRow<typeof subOrderColumns>[]
  payments: NewRow<typeof paymentColumns>[]
  refunds: NewRow<typeof refundColumns>[]
  order_remarks: NewRow<typeof remarkColumns>[]
}

/** One statement per table; run it in a transaction, so that no order is ever seen without its ledger. */
export async function insertOrders(on: Queryable, corp_id: string, rows: OrderImport): Promise<void> {
  await insertRows(on, 'orders', orderColumns, corp_id, rows.orders)
  await insertRows(on, 'sub_orders', subOrderColumns, corp_id, rows.sub_orders)
  await insertRows(on, 'payments', paymentColumns, corp_id, rows.payments)
  await insertRows(on, 'refunds', refundColumns, corp_id, rows.refunds)
  await insertRows(on, 'order_remarks', remarkColumns, corp_id, rows.order_remarks)
}

/**
 * Gives orders that came in whole the one version of theirs that is known: what they have been since their last event.
 * Payments and refunds before it need no versions of their own. The clock of the ledger is set behind them all.
 */
export async function beginHistory(on: Queryable, corp_id: string): Promise<void> {
  await on.query(sql`
    insert into order_versions (corp_id, order_id, version, at, change, to_status, executor_id, record)
    select o.corp_id, o.order_id, o.version, o.mtime, 'created', o.status, o.executor_id, ${versionRecord}
      from orders o where o.corp_id = ${corp_id}`)
  await on.query(sql`
    insert into ledger_clocks as clock (corp_id, instant)
    select ${corp_id}, max(mtime) from orders where corp_id = ${corp_id}
    on conflict (corp_id) do update set instant = greatest(clock.instant, excluded.instant)`)
}

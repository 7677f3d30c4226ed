import { randomUUID } from 'node:crypto'
import type { Queryable } from '../../database/database.ts'
import { type InsertedRow, insertingRows, insertionOf } from '../../database/insert-rows.ts'
import { type Statement, sql } from '../../database/sql.ts'
import type { OrderState, SubOrder } from '../rules/order-rules.ts'
import type { LedgerInstant } from './ledger-clock-store.ts'

const orderColumns = {
  order_id: 'text',
  user_id: 'text',
  leads_id: 'text',
  external_id: 'text',
  /** The fingerprint of the creation: the same external_id with the same content is the same order. */
  creation_hash: 'text',
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
  coupon_lines: 'jsonb',
  pre_sub_order_ids: 'text[]',
  share_proportion: 'jsonb',
  user_copy: 'jsonb',
  /** Salt of the digest of the copy that versions hold. */
  user_copy_salt: 'text',
  course_copy: 'jsonb',
  course_start_time: 'timestamptz',
  course_end_time: 'timestamptz',
  completed_time: 'timestamptz',
  expired_time: 'timestamptz',
  ctime: 'timestamptz',
  mtime: 'timestamptz',
  version: 'integer',
} as const

/** The columns of an order, less the organization and the digests of the copy. */
export const orderColumnNames = Object.keys(orderColumns)

export type OrderRow = Omit<InsertedRow<typeof orderColumns>, 'user_copy_salt'>

/** Returns the ids of the stored orders. An order whose external_id another order has is not stored. */
export async function insertOrders(tx: Queryable, corp_id: string, orders: OrderRow[]): Promise<Set<string>> {
  const salted = orders.map((order) => ({ ...order, user_copy_salt: randomUUID() }))
  const rows = await tx.query<{ order_id: string }>(sql`
    ${insertionOf('orders', orderColumns, corp_id, salted)}
    on conflict (corp_id, external_id) do nothing
    returning order_id`)
  return new Set(rows.map(({ order_id }) => order_id))
}

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

export type SubOrderRow = InsertedRow<typeof subOrderColumns>

/** The first row of a sub-order. */
export function newSubOrder(
  { order_id, currency }: Pick<OrderState, 'order_id' | 'currency'>,
  { sub_order_id, seq, type, status, total_price, payment_deadline, completed_time }: SubOrder,
  at: LedgerInstant,
): SubOrderRow {
  return {
    sub_order_id,
    order_id,
    seq,
    type,
    status,
    currency,
    exchange_rate: 10_000,
    total_price,
    payment_deadline,
    completed_time,
    ctime: at,
    mtime: at,
    version: 1,
  }
}

export function insertingSubOrders(corp_id: string, subOrders: SubOrderRow[]): Statement[] {
  return insertingRows('sub_orders', subOrderColumns, corp_id, subOrders)
}

/** The order with an external_id, and the response to its creation, from its first version. */
export interface KnownCreation {
  external_id: string
  creation_hash: string | null
  order_id: string
  sub_order_ids: string[]
  total_price: number
  currency: string
}

export async function findByExternalIds(
  on: Queryable,
  corp_id: string,
  external_ids: string[],
): Promise<KnownCreation[]> {
  return on.query<KnownCreation>(sql`
    select o.external_id, o.creation_hash, o.order_id,
           (v.record->'order'->>'total_price')::bigint as total_price, v.record->'order'->>'currency' as currency,
           array(select s->>'sub_order_id' from jsonb_array_elements(v.record->'sub_orders') s) as sub_order_ids
      from orders o
      left join order_versions v on v.corp_id = ${corp_id} and v.order_id = o.order_id and v.version = 1
     where o.corp_id = ${corp_id} and o.external_id = any(${external_ids})`)
}

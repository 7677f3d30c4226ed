import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { LedgerInstant } from './order-state-store.ts'
import type { PlannedSubOrder } from './rules/plan.ts'
import type { Prices } from './rules/prices.ts'

/** What a creation answers; taken from the first version, so that a repetition is answered alike for ever. */
export interface CreatedOrder {
  order_id: string
  sub_order_ids: string[]
  total_price: number
  currency: string
}

export interface NewOrder extends Prices {
  order_id: string
  user_id: string
  leads_id: string | null
  external_id: string | null
  /** Of the input that made it: the same external_id with the same content is the same order. */
  creation_hash: string
  type: string
  source: string
  status: string
  currency: string
  exchange_rate: number
  course_id: string | null
  course_code: string | null
  contract_id: string | null
  business_id: string | null
  product_id: string | null
  application_fee_price: number | null
  application_fee_currency: string | null
  application_fee_status: string | null
  coupon_ids: string[]
  share_proportion: Record<string, number>
  user_copy: object
  course_copy: object
  course_start_time: Date | null
  course_end_time: Date | null
  completed_time: LedgerInstant | null
  executor_id: string | null
}

/** False where the external_id belongs to an order already. */
export async function insertOrder(
  tx: Queryable,
  corp_id: string,
  o: NewOrder,
  at: LedgerInstant,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into orders (
      corp_id, order_id, user_id, leads_id, external_id, creation_hash, type, source, status, currency, exchange_rate,
      listed_price, discounted_price, total_price, service_charge, foreign_service_charge, course_id, course_code,
      contract_id, business_id, product_id, application_fee_price, application_fee_currency, application_fee_status,
      coupon_ids, share_proportion, user_copy, course_copy, course_start_time, course_end_time, completed_time,
      executor_id, ctime, mtime)
    values (
      ${corp_id}, ${o.order_id}, ${o.user_id}, ${o.leads_id}, ${o.external_id}, ${o.creation_hash}, ${o.type},
      ${o.source}, ${o.status}, ${o.currency}, ${o.exchange_rate}, ${o.listed_price}, ${o.discounted_price},
      ${o.total_price}, ${o.service_charge}, ${o.foreign_service_charge}, ${o.course_id}, ${o.course_code},
      ${o.contract_id}, ${o.business_id}, ${o.product_id}, ${o.application_fee_price}, ${o.application_fee_currency},
      ${o.application_fee_status}, ${o.coupon_ids}, ${o.share_proportion}, ${o.user_copy}, ${o.course_copy},
      ${o.course_start_time}, ${o.course_end_time}, ${o.completed_time}::timestamptz, ${o.executor_id},
      ${at}::timestamptz, ${at}::timestamptz)
    on conflict (corp_id, external_id) do nothing
    returning order_id`)
  return rows.length === 1
}

export type StoredSubOrder = PlannedSubOrder & {
  sub_order_id: string
  status: string
  completed_time: LedgerInstant | null
}

export async function insertSubOrders(
  tx: Queryable,
  key: { corp_id: string; order_id: string; currency: string; firstSeq: number },
  subOrders: StoredSubOrder[],
  at: LedgerInstant,
): Promise<void> {
  await tx.query(sql`
    insert into sub_orders (corp_id, sub_order_id, order_id, seq, type, status, currency, total_price, payment_deadline,
                            completed_time, ctime, mtime)
    select ${key.corp_id}, subOrder.sub_order_id, ${key.order_id}, ${key.firstSeq}::integer + subOrder.ordinality - 1, subOrder.type,
           subOrder.status, ${key.currency}, subOrder.total_price, subOrder.payment_deadline, subOrder.completed_time,
           ${at}::timestamptz, ${at}::timestamptz
      from rows from (jsonb_to_recordset(${JSON.stringify(subOrders)}::jsonb)
             as (sub_order_id text, type text, status text, total_price bigint, payment_deadline timestamptz,
                 completed_time timestamptz)) with ordinality
             as subOrder(sub_order_id, type, status, total_price, payment_deadline, completed_time, ordinality)`)
}

/** The order that an external_id belongs to. */
export async function findByExternalId(
  on: Queryable,
  corp_id: string,
  external_id: string,
): Promise<{ order_id: string; creation_hash: string | null } | undefined> {
  const [row] = await on.query<{ order_id: string; creation_hash: string | null }>(sql`
    select order_id, creation_hash from orders where corp_id = ${corp_id} and external_id = ${external_id}`)
  return row
}

/** What the creation of an order answered: its first version tells for ever. */
export async function findCreated(
  on: Queryable,
  corp_id: string,
  order_id: string,
): Promise<CreatedOrder | undefined> {
  const [row] = await on.query<CreatedOrder>(sql`
    select order_id, (record->'order'->>'total_price')::bigint as total_price, record->'order'->>'currency' as currency,
           array(select subOrder->>'sub_order_id' from jsonb_array_elements(record->'sub_orders') subOrder) as sub_order_ids
      from order_versions where corp_id = ${corp_id} and order_id = ${order_id} and version = 1`)
  return row
}

import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { LedgerInstant } from './order-state-store.ts'
import type { SubOrder } from './rules/order-rules.ts'
import type { Prices } from './rules/prices.ts'

/** The members of an order that a change may set; undefined leaves one as it is. */
export interface OrderFields {
  contract_id?: string
  business_id?: string
  product_id?: string
  receipt_url?: string
  application_fee_status?: string
  invoice_ids?: string[]
  share_proportion?: Record<string, number>
  course_start_time?: Date
  course_end_time?: Date
}

/** Version and mtime follow with the state, in the same transaction. */
export async function storeOrderFields(
  tx: Queryable,
  corp_id: string,
  order_id: string,
  fields: OrderFields,
): Promise<void> {
  await tx.query(sql`
    update orders
       set contract_id = coalesce(${fields.contract_id}, contract_id),
           business_id = coalesce(${fields.business_id}, business_id),
           product_id = coalesce(${fields.product_id}, product_id),
           receipt_url = coalesce(${fields.receipt_url}, receipt_url),
           application_fee_status = coalesce(${fields.application_fee_status}, application_fee_status),
           invoice_ids = coalesce(${fields.invoice_ids}::text[], invoice_ids),
           share_proportion = coalesce(${fields.share_proportion}::jsonb, share_proportion),
           course_start_time = coalesce(${fields.course_start_time}::timestamptz, course_start_time),
           course_end_time = coalesce(${fields.course_end_time}::timestamptz, course_end_time)
     where corp_id = ${corp_id} and order_id = ${order_id}`)
}

export async function readPrices(
  tx: Queryable,
  corp_id: string,
  order_id: string,
): Promise<Prices & { coupon_ids: string[] }> {
  const [row] = await tx.query<Prices & { coupon_ids: string[] }>(sql`
    select listed_price, discounted_price, service_charge, foreign_service_charge, total_price, coupon_ids
      from orders where corp_id = ${corp_id} and order_id = ${order_id}`)
  return row!
}

/** New prices and the plan that goes with them. SubOrders that are left out go; they hold no money. */
export async function storePrices(
  tx: Queryable,
  corp_id: string,
  order_id: string,
  prices: Prices & { coupon_ids: string[]; currency: string; subOrders: SubOrder[] },
  at: LedgerInstant,
): Promise<void> {
  await tx.query(sql`
    update orders
       set listed_price = ${prices.listed_price}, discounted_price = ${prices.discounted_price},
           service_charge = ${prices.service_charge}, foreign_service_charge = ${prices.foreign_service_charge},
           total_price = ${prices.total_price}, coupon_ids = ${prices.coupon_ids}, is_payment_changed = true
     where corp_id = ${corp_id} and order_id = ${order_id}`)
  const ids = prices.subOrders.map(({ sub_order_id }) => sub_order_id)
  await tx.query(sql`
    delete from sub_orders where corp_id = ${corp_id} and order_id = ${order_id} and sub_order_id <> all(${ids})`)
  // Out of the way first: two sub-orders may change places, and seq is unique.
  await tx.query(sql`
    update sub_orders set seq = seq + 1000 where corp_id = ${corp_id} and order_id = ${order_id}`)
  await tx.query(sql`
    insert into sub_orders (corp_id, sub_order_id, order_id, seq, type, status, currency, total_price, payment_deadline, ctime, mtime)
    select ${corp_id}, subOrder.sub_order_id, ${order_id}, subOrder.seq, subOrder.type, subOrder.status, ${prices.currency},
           subOrder.total_price, subOrder.payment_deadline, ${at}::timestamptz, ${at}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(prices.subOrders)}::jsonb)
           as subOrder(sub_order_id text, seq integer, type text, status text, total_price bigint, payment_deadline timestamptz)
    on conflict (corp_id, sub_order_id) do update
       set seq = excluded.seq, type = excluded.type, total_price = excluded.total_price,
           payment_deadline = excluded.payment_deadline`)
}

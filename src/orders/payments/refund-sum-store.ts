import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** Refunds of orders by the currency in which they left, without reversed ones. */
export async function findRefundedByOrder(on: Queryable, corp_id: string, orderIds: string[]) {
  return on.query<{
    order_id: string
    order_currency: string
    currency: string
    price: number
    returned_price: number
  }>(sql`
    select r.order_id, o.currency as order_currency, r.currency, sum(r.price)::bigint as price,
           sum(r.returned_price)::bigint as returned_price
      from refunds r join orders o on o.corp_id = r.corp_id and o.order_id = r.order_id
     where r.corp_id = ${corp_id} and r.order_id = any(${orderIds}::text[])
       and not exists (select from refund_reversals v where v.corp_id = ${corp_id} and v.refund_id = r.refund_id)
     group by r.order_id, o.currency, r.currency`)
}

/** Pairs of orders with a transfer between them, of which one is among these. */
export async function findTransfers(
  on: Queryable,
  corp_id: string,
  orderIds: string[],
  most: number,
): Promise<[from: string, to: string][]> {
  const rows = await on.query<{ from_order_id: string; to_order_id: string }>(sql`
    select distinct from_order_id, to_order_id from order_transfers
     where corp_id = ${corp_id}
       and (from_order_id = any(${orderIds}::text[]) or to_order_id = any(${orderIds}::text[]))
     limit ${most}`)
  return rows.map(({ from_order_id, to_order_id }) => [from_order_id, to_order_id])
}

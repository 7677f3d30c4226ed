import type { Queryable } from '../../../database/database.ts'
import { raw, sql, timestamp } from '../../../database/sql.ts'
import { isTakenRefund } from '../matching/match-store.ts'

/** A refund without a match. */
export interface UnmatchedRefund {
  refund_id: string
  order_id: string
  user_id: string
  name: string | null
  first_name: string | null
  last_name: string | null
  price: number
  currency: string
  charge_id: string | null
  reason: string
  completed_time: string
}

export interface RefundQuery {
  corp_id: string
  timeZone: string
  currency?: string
  price?: number
  /** A part of the name of the user, the charge, or the id or external id of the order. */
  text?: string
}

/** Refunds that left the school and that no statement line confirms, oldest first. */
export async function findUnmatchedRefunds(
  on: Queryable,
  { corp_id, timeZone, currency, price, text }: RefundQuery,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; list: UnmatchedRefund[] }> {
  const names = sql`concat_ws(' ', u.name, u.first_name, u.last_name, r.charge_id, r.order_id, o.external_id)`
  const open = sql`
      from refunds r
      join orders o on o.corp_id = ${corp_id} and o.order_id = r.order_id
      left join users u on u.corp_id = ${corp_id} and u.user_id = o.user_id
     where r.corp_id = ${corp_id} and not ${isTakenRefund(corp_id)}
       ${currency === undefined ? raw('') : sql`and r.currency = ${currency}`}
       ${price === undefined ? raw('') : sql`and r.returned_price = ${price}`}
       ${text === undefined ? raw('') : sql`and strpos(lower(${names}), lower(${text}::text)) > 0`}`
  const [[counted], list] = await on.pipeline<[{ total: number }, UnmatchedRefund]>([
    sql`select count(*)::integer as total ${open}`,
    sql`
      select r.refund_id, r.order_id, coalesce(o.user_id, '') as user_id, u.name, u.first_name, u.last_name,
             r.returned_price as price, r.currency, r.charge_id, coalesce(r.reason, '') as reason,
             ${timestamp('r.completed_time', timeZone)} as completed_time
        ${open}
       order by r.completed_time, r.refund_id limit ${limit} offset ${offset}`,
  ])
  return { total: counted!.total, list }
}

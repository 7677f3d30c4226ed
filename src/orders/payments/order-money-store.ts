import type { OrderStatus } from '../../contract/order-statuses.ts'
import type { Queryable } from '../../database/database.ts'
import { microseconds, sql, timestamp } from '../../database/sql.ts'
import { receiptNumber } from '../ledger/receipt-store.ts'

/** A version of an order, as far as its money depends on it. */
export interface MoneyVersion {
  at: string
  time: string
  change: string
  status: OrderStatus
  total_price: number
  subject_id: string
  reason: string
  executor_id: string
}

/** An amount that an entry of the ledger moves on an order, at the instant of a version. */
export interface MoneyFact {
  at: string
  kind: 'line' | 'refund' | 'write_off'
  payment_id: string
  refund_id: string
  receipt_num: number | null
  price: number
  credited_price: number
}

/** Read in one round trip, for one order. */
export async function findMoneyOfOrder(
  on: Queryable,
  { corp_id, order_id }: { corp_id: string; order_id: string },
  timeZone: string,
): Promise<{ versions: MoneyVersion[]; facts: MoneyFact[] }> {
  const receipt = sql`
    coalesce(p.receipt_num, (select ${receiptNumber} from receipts r
                              where r.corp_id = ${corp_id} and r.payment_id = p.payment_id))`
  return on.pipeline<{ versions: MoneyVersion; facts: MoneyFact }>({
    versions: sql`
      select ${microseconds('v.at')} as at, ${timestamp('v.at', timeZone)} as time, v.change, v.to_status as status,
             (v.record->'order'->>'total_price')::bigint as total_price, coalesce(v.subject_id, '') as subject_id,
             coalesce(v.reason, '') as reason, coalesce(v.executor_id, '') as executor_id
        from order_versions v
       where v.corp_id = ${corp_id} and v.order_id = ${order_id}
       order by v.version`,
    facts: sql`
      select ${microseconds('fact.at')} as at, fact.kind, fact.payment_id, fact.refund_id, fact.price, fact.credited_price,
             ${receipt} as receipt_num
        from (select a.at, 'line' as kind, a.payment_id, '' as refund_id, sum(a.price)::bigint as price,
                     0::bigint as credited_price
                from payment_allocations a where a.corp_id = ${corp_id} and a.order_id = ${order_id}
               group by a.at, a.payment_id having sum(a.price) <> 0
              union all
              select b.at, 'refund', b.payment_id, b.refund_id, -sum(b.price)::bigint, sum(b.credited_price)::bigint
                from refund_allocations b
               where b.corp_id = ${corp_id} and b.order_id = ${order_id} and b.sub_order_id <> ''
               group by b.at, b.payment_id, b.refund_id
              union all
              select w.at, 'write_off', '', '', sum(w.price)::bigint, 0::bigint
                from order_write_offs w where w.corp_id = ${corp_id} and w.order_id = ${order_id}
               group by w.at having sum(w.price) <> 0) fact
        left join payments p on p.corp_id = ${corp_id} and p.payment_id = fact.payment_id
       order by fact.at, fact.kind, fact.payment_id`,
  })
}

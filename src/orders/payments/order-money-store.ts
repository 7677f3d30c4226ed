import type { OrderStatus } from '../../contract/order-statuses.ts'
import type { Queryable } from '../../database/database.ts'
import { microseconds, sql, timestamp } from '../../database/sql.ts'
import { receiptNumber, receiptPath } from '../ledger/receipt-store.ts'

/** A version of an order, as far as its money depends on it. */
export interface MoneyVersion {
  at: string
  time: string
  change: string
  status: OrderStatus
  total_price: number
  /** The price of each sub-order. */
  sub_order_prices: Record<string, number>
  subject_id: string
  /** The other order of a transfer or move; "" otherwise. */
  other_order_id: string
  reason: string
  executor_id: string
}

/** An amount that an entry of the ledger moves on a sub-order, at the instant of a version. */
export interface MoneyFact {
  at: string
  time: string
  kind: 'line' | 'refund' | 'write_off'
  sub_order_id: string
  payment_id: string
  price: number
  credited_price: number
}

/** The members of a payment or refund that a row shows. */
export interface MoneySource {
  id: string
  source: string
  method: string
  charge_id: string
  completed_time: string
  receipt_num: number | null
  receipt_url: string
}

export interface OrderMoney {
  versions: MoneyVersion[]
  facts: MoneyFact[]
  sources: MoneySource[]
}

/** Read in one round trip, for one order. */
export async function findMoneyOfOrder(
  on: Queryable,
  { corp_id, order_id }: { corp_id: string; order_id: string },
  timeZone: string,
): Promise<OrderMoney> {
  return on.pipeline<{ versions: MoneyVersion; facts: MoneyFact; sources: MoneySource }>({
    versions: sql`
      select ${microseconds('v.at')} as at, ${timestamp('v.at', timeZone)} as time, v.change, v.to_status as status,
             (v.record->'order'->>'total_price')::bigint as total_price,
             coalesce((select jsonb_object_agg(s->>'sub_order_id', s->'total_price')
                         from jsonb_array_elements(v.record->'sub_orders') s), '{}') as sub_order_prices,
             coalesce(v.subject_id, '') as subject_id,
             coalesce((select case when t.from_order_id = v.order_id then t.to_order_id else t.from_order_id end
                         from order_transfers t where t.corp_id = ${corp_id} and t.transfer_id = v.subject_id),
                      (select case when m.payment_id = v.subject_id then p.order_id else m.order_id end
                         from payment_moves m
                         join payments p on p.corp_id = ${corp_id} and p.payment_id = m.to_payment_id
                        where m.corp_id = ${corp_id} and v.change = 'move'
                          and (m.payment_id = v.subject_id or m.to_payment_id = v.subject_id)
                        limit 1), '') as other_order_id,
             coalesce(v.reason, '') as reason, coalesce(v.executor_id, '') as executor_id
        from order_versions v
       where v.corp_id = ${corp_id} and v.order_id = ${order_id}
       order by v.version`,
    facts: sql`
      select ${microseconds('fact.at')} as at, ${timestamp('fact.at', timeZone)} as time, fact.kind, fact.sub_order_id, fact.payment_id, fact.price, fact.credited_price
        from (select a.at, 'line' as kind, a.sub_order_id, a.payment_id, a.price, 0::bigint as credited_price
                from payment_allocations a where a.corp_id = ${corp_id} and a.order_id = ${order_id}
              union all
              select b.at, 'refund', b.sub_order_id, b.payment_id, -b.price, b.credited_price
                from refund_allocations b
               where b.corp_id = ${corp_id} and b.order_id = ${order_id} and b.sub_order_id <> ''
              union all
              select w.at, 'write_off', w.sub_order_id, '', w.price, 0::bigint
                from order_write_offs w where w.corp_id = ${corp_id} and w.order_id = ${order_id}) fact
       order by fact.at, fact.kind, fact.payment_id`,
    sources: sql`
      select p.payment_id as id, p.source, coalesce(p.method, '') as method, coalesce(p.charge_id, '') as charge_id,
             ${timestamp('p.completed_time', timeZone)} as completed_time,
             coalesce(p.receipt_num, ${receiptNumber}) as receipt_num,
             coalesce(${receiptPath(corp_id)}::text || r.token, '') as receipt_url
        from payments p
        left join receipts r on r.corp_id = ${corp_id} and r.payment_id = p.payment_id
       where p.corp_id = ${corp_id}
         and p.payment_id in (select o.payment_id from payments o
                               where o.corp_id = ${corp_id} and o.order_id = ${order_id}
                              union
                              select a.payment_id from payment_allocations a
                               where a.corp_id = ${corp_id} and a.order_id = ${order_id})
      union all
      select f.refund_id, '', coalesce(f.method, ''), coalesce(f.charge_id, ''),
             ${timestamp('f.completed_time', timeZone)}, null, ''
        from refunds f where f.corp_id = ${corp_id} and f.order_id = ${order_id}`,
  })
}

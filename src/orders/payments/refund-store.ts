import type { Queryable } from '../../database/database.ts'
import { eachFound } from '../../database/sent-rows.ts'
import { raw, sql } from '../../database/sql.ts'
import { microseconds } from '../../database/sql-time.ts'
import type { Taking } from '../rules/allocation.ts'
import { type Charge, chargeKey } from './payment-store.ts'

/** A refund as whoever repeats it would tell it, and where its money came from. */
export interface Refund {
  refund_id: string
  order_id: string
  sub_order_id: string | null
  payment_id: string | null
  price: number
  currency: string
  rate: string
  reason: string | null
  provider: string
  method: string | null
  charge_id: string | null
  completed_time: string
  allocations: Taking[]
}

const told = [
  ...['refund_id', 'order_id', 'sub_order_id', 'payment_id', 'price', 'currency', 'rate', 'reason'],
  ...['provider', 'method', 'charge_id'],
]

/** The refunds of these charges, by their keys. */
export async function findRefundsByCharge(
  on: Queryable,
  corp_id: string,
  charges: Charge[],
): Promise<Map<string, Refund>> {
  if (charges.length === 0) return new Map()
  const refunds = await on.query<Refund>(sql`
    select ${raw(told.map((column) => `found.${column}`).join(', '))},
           ${microseconds('found.completed_time')} as completed_time,
           coalesce((select json_agg(json_build_object('sub_order_id', b.sub_order_id, 'price', b.price,
                                                       'surplus_price', b.surplus_price) order by b.line)
                       from refund_allocations b
                      where b.corp_id = ${corp_id} and b.refund_id = found.refund_id), '[]') as allocations
      from unnest(${charges.map(({ provider }) => provider)}::text[], ${charges.map(({ charge_id }) => charge_id)}::text[])
             as charge(provider, charge_id)
      ${eachFound(sql`
        select ${raw(told.map((column) => `r.${column}`).join(', '))}, r.completed_time
          from refunds r
         where r.corp_id = ${corp_id} and r.provider = charge.provider and r.charge_id = charge.charge_id`)}`)
  return new Map(refunds.map((refund) => [chargeKey(refund), refund]))
}

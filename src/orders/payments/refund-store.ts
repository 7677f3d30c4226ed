import type { Queryable } from '../../database/database.ts'
import { eachFound } from '../../database/insert-rows.ts'
import { microseconds, raw, type Statement, sql } from '../../database/sql.ts'
import { type Charge, chargeKey } from './payment-store.ts'

/** The part of a refund that came from one payment on one sub-order; '' for unapplied money. */
export interface RefundAllocationRow {
  payment_id: string
  sub_order_id: string
  price: number
  surplus_price: number
  credited_price: number
}

/** A refund as reported, with its allocations. */
export interface Refund {
  refund_id: string
  order_id: string
  sub_order_id: string | null
  payment_id: string | null
  kind: string
  price: number
  returned_price: number
  currency: string
  rate: string
  reason: string | null
  provider: string
  method: string | null
  charge_id: string | null
  completed_time: string
  allocations: RefundAllocationRow[]
}

const reported: (keyof Refund)[] = [
  'refund_id',
  'order_id',
  'sub_order_id',
  'payment_id',
  'kind',
  'price',
  'returned_price',
  'currency',
  'rate',
  'reason',
  'provider',
  'method',
  'charge_id',
]
const columnsOf = (alias: string) => raw(reported.map((column) => `${alias}.${column}`).join(', '))

/** The allocations of a refund as JSON, without those of its reversal. */
export function refundLinesOf(corp_id: string, refund: string): Statement {
  return sql`
    coalesce((select json_agg(json_build_object('payment_id', b.payment_id, 'sub_order_id', b.sub_order_id,
                                                'price', b.price, 'surplus_price', b.surplus_price,
                                                'credited_price', b.credited_price)
                              order by b.line, b.payment_id)
                from refund_allocations b
               where b.corp_id = ${corp_id} and b.refund_id = ${raw(refund)}.refund_id and b.price > 0), '[]')`
}

/** A refund, and whether it was reversed. */
export async function findRefund(
  on: Queryable,
  corp_id: string,
  refund_id: string,
): Promise<(Refund & { is_reversed: boolean }) | undefined> {
  const [refund] = await on.query<Refund & { is_reversed: boolean }>(sql`
    select ${columnsOf('r')}, ${microseconds('r.completed_time')} as completed_time,
           ${refundLinesOf(corp_id, 'r')} as allocations,
           exists (select from refund_reversals v where v.corp_id = ${corp_id} and v.refund_id = r.refund_id) as is_reversed
      from refunds r where r.corp_id = ${corp_id} and r.refund_id = ${refund_id}`)
  return refund
}

/** The refunds of these charges, by their keys. */
export async function findRefundsByCharge(
  on: Queryable,
  corp_id: string,
  charges: Charge[],
): Promise<Map<string, Refund>> {
  if (charges.length === 0) return new Map()
  const refunds = await on.query<Refund>(sql`
    select ${columnsOf('found')}, ${microseconds('found.completed_time')} as completed_time,
           ${refundLinesOf(corp_id, 'found')} as allocations
      from unnest(${charges.map(({ provider }) => provider)}::text[], ${charges.map(({ charge_id }) => charge_id)}::text[])
             as charge(provider, charge_id)
      ${eachFound(sql`
        select ${columnsOf('r')}, r.completed_time
          from refunds r
         where r.corp_id = ${corp_id} and r.provider = charge.provider and r.charge_id = charge.charge_id`)}`)
  return new Map(refunds.map((refund) => [chargeKey(refund), refund]))
}

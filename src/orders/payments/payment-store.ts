import type { Queryable } from '../../database/database.ts'
import { eachFound } from '../../database/sent-rows.ts'
import { raw, sql } from '../../database/sql.ts'
import { microseconds } from '../../database/sql-time.ts'
import { type Allocation, sum } from '../rules/allocation.ts'

/** A payment as whoever repeats it would tell it, and where its money went when it came. */
export interface Payment {
  payment_id: string
  order_id: string
  sub_order_id: string | null
  price: number
  currency: string
  exchange_rate: number
  rate: string
  settled_price: number | null
  order_price: number
  source: string
  provider: string
  method: string | null
  charge_id: string | null
  receipt_num: number | null
  comments: string | null
  unapplied_reason: string | null
  completed_time: string
  allocations: Omit<Allocation, 'payment_id'>[]
}

export interface Charge {
  provider: string
  charge_id: string
}

/** What a payment or a refund is told by, where it came of a charge. */
export function chargeOf({ provider = '', charge_id }: Partial<Charge>): Charge | undefined {
  return charge_id === undefined ? undefined : { provider, charge_id }
}

/** A charge of a provider is one payment, or one refund, whatever brought it. */
export function chargeKey({ provider, charge_id }: { provider: string; charge_id: string | null }): string {
  return `${provider} ${charge_id}`
}

const told = [
  ...[
    'payment_id',
    'order_id',
    'sub_order_id',
    'price',
    'currency',
    'exchange_rate',
    'rate',
    'settled_price',
  ],
  ...[
    'order_price',
    'source',
    'provider',
    'method',
    'charge_id',
    'receipt_num',
    'comments',
    'unapplied_reason',
  ],
]

/** The payments of these charges, by their keys. */
export async function findPaymentsByCharge(
  on: Queryable,
  corp_id: string,
  charges: Charge[],
): Promise<Map<string, Payment>> {
  if (charges.length === 0) return new Map()
  const payments = await on.query<Payment>(sql`
    select ${raw(told.map((column) => `found.${column}`).join(', '))},
           ${microseconds('found.completed_time')} as completed_time,
           coalesce((select json_agg(json_build_object('sub_order_id', a.sub_order_id, 'price', a.price) order by a.line)
                       from payment_allocations a
                      where a.corp_id = ${corp_id} and a.payment_id = found.payment_id and a.at = found.ctime), '[]') as allocations
      from unnest(${charges.map(({ provider }) => provider)}::text[], ${charges.map(({ charge_id }) => charge_id)}::text[])
             as charge(provider, charge_id)
      ${eachFound(sql`
        select ${raw(told.map((column) => `p.${column}`).join(', '))}, p.completed_time, p.ctime
          from payments p
         where p.corp_id = ${corp_id} and p.provider = charge.provider and p.charge_id = charge.charge_id`)}`)
  return new Map(payments.map((payment) => [chargeKey(payment), payment]))
}

/** A payment, where its money lies now, and what of it went back by name. */
export interface CurrentPayment {
  payment_id: string
  order_id: string
  /** Of the order it was told for, which its price is in. */
  currency: string
  order_price: number
  completed_time: string
  is_void: boolean
  lines: { order_id: string; sub_order_id: string; price: number }[]
  /** Of all refunds that name it, and of those that came from money that no order had taken. */
  refunded: number
  unappliedRefunded: number
}

/** What of a payment no order has taken, and has not gone back either. */
export function unappliedOf(payment: CurrentPayment): number {
  if (payment.is_void) return 0
  return payment.order_price - sum(payment.lines) - payment.unappliedRefunded
}

export async function findPayments(
  on: Queryable,
  named: { corp_id: string; payment_id?: string }[],
): Promise<Map<string, CurrentPayment>> {
  const [first] = named
  const payment_ids = named.flatMap(({ payment_id }) => payment_id ?? [])
  if (!first || payment_ids.length === 0) return new Map()
  const { corp_id } = first
  const payments = await on.query<CurrentPayment>(sql`
    select p.payment_id, p.order_id, o.currency, p.order_price, ${microseconds('p.completed_time')} as completed_time,
           exists (select from payment_voids v where v.corp_id = ${corp_id} and v.payment_id = p.payment_id) as is_void,
           coalesce((select json_agg(json_build_object('order_id', line.order_id, 'sub_order_id', line.sub_order_id, 'price', line.price))
                       from (select a.order_id, a.sub_order_id, sum(a.price) as price
                               from payment_allocations a
                              where a.corp_id = ${corp_id} and a.payment_id = p.payment_id
                              group by a.order_id, a.sub_order_id having sum(a.price) <> 0) line), '[]') as lines,
           back.price as refunded, back.price - back.applied as "unappliedRefunded"
      from payments p
      join orders o on o.corp_id = ${corp_id} and o.order_id = p.order_id
      cross join lateral (
        select coalesce(sum(r.price), 0)::bigint as price,
               coalesce(sum((select sum(b.price) from refund_allocations b
                              where b.corp_id = ${corp_id} and b.refund_id = r.refund_id)), 0)::bigint as applied
          from refunds r where r.corp_id = ${corp_id} and r.payment_id = p.payment_id) back
     where p.corp_id = ${corp_id} and p.payment_id = any(${payment_ids})`)
  return new Map(payments.map((payment) => [payment.payment_id, payment]))
}

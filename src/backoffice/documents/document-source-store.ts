import type { Queryable } from '../../database/database.ts'
import { raw, type Statement, sql, timestampOrEmpty as timestamp } from '../../database/sql.ts'

/** A payment as a receipt describes it. */
export interface PaymentSource {
  year: number
  number: number
  order_id: string | null
  /** In the currency of the payment. */
  price: number
  currency: string
  refunded_price: number
  order_price: number
  order_currency: string
  paid_on: string
  method: string
  charge_id: string
  /** The number that the school gave the receipt itself. */
  own_number: string
  /** The time of the void; "" for a valid payment. */
  voided: string
  payer_id: string | null
  payer: string
  payer_address: string
  payer_tax_number: string
  student: string
  /** The orders that have the money now, each with its person. */
  orders: { order_id: string; name: string; student: string; price: number }[]
  /** Whether it was recorded for the account of its payer. */
  is_of_account: boolean
}

/** The name of the user of an order `o`, joined as `u`. */
const studentName = raw(`
  coalesce(nullif(o.user_copy->>'account_name', ''), nullif(o.user_copy->>'name', ''), nullif(u.name, ''),
           trim(concat(u.first_name, ' ', u.last_name)), '')`)
const courseName = raw(`coalesce(o.course_copy->>'course_name', '')`)

/** The refunded part of a payment `p`, in its own currency. */
function refundedOf(corp_id: string): Statement {
  return sql`
    coalesce((select sum(round(b.price::numeric * p.price / nullif(p.order_price, 0))) from refund_allocations b
               where b.corp_id = ${corp_id} and b.payment_id = p.payment_id), 0)::bigint`
}

/** The time of the void of a payment `p`; "" for a valid one. */
function voidedOf(corp_id: string, timeZone: string): Statement {
  return sql`
    coalesce((select case when sum(v.price) > 0 then ${timestamp('max(v.at)', timeZone)} end from payment_voids v
               where v.corp_id = ${corp_id} and v.payment_id = p.payment_id), '')`
}

export async function findPaymentSource(
  on: Queryable,
  corp_id: string,
  payment_id: string,
  timeZone: string,
): Promise<PaymentSource | undefined> {
  const [payment] = await on.query<PaymentSource>(sql`
    select r.year, r.number, p.order_id, p.price, p.currency, ${refundedOf(corp_id)} as refunded_price,
           p.order_price, o.currency as order_currency, ${timestamp('p.completed_time', timeZone)} as paid_on,
           coalesce(p.method, '') as method, coalesce(p.charge_id, '') as charge_id,
           coalesce(p.receipt_num::text, '') as own_number, ${voidedOf(corp_id, timeZone)} as voided,
           p.payer_id, coalesce(nullif(payer.name, ''), ${studentName}) as payer, coalesce(payer.address, '') as payer_address,
           coalesce(payer.tax_number, '') as payer_tax_number, ${studentName} as student,
           coalesce((select json_agg(json_build_object('order_id', line.order_id, 'name', line.name,
                                                       'student', line.student, 'price', line.price)
                                     order by line.order_id)
                       from (select a.order_id, max(${courseName}) as name, max(${studentName}) as student,
                                    sum(a.price) as price
                               from payment_allocations a
                               join orders o on o.corp_id = ${corp_id} and o.order_id = a.order_id
                               left join users u on u.corp_id = ${corp_id} and u.user_id = o.user_id
                              where a.corp_id = ${corp_id} and a.payment_id = p.payment_id
                              group by a.order_id having sum(a.price) <> 0) line), '[]') as orders, o.type = 'account' as is_of_account
      from payments p
      join receipts r on r.corp_id = ${corp_id} and r.payment_id = p.payment_id
      join orders o on o.corp_id = ${corp_id} and o.order_id = p.order_id
      left join users u on u.corp_id = ${corp_id} and u.user_id = o.user_id
      left join payers payer on payer.corp_id = ${corp_id} and payer.payer_id = p.payer_id
     where p.corp_id = ${corp_id} and p.payment_id = ${payment_id}`)
  return payment
}

/** An order as an invoice describes it, besides its prices. */
export interface OrderSource {
  name: string
  contract_id: string
  payer: string
  student: string
  plan: { due: string; price: number }[]
}

export async function findOrderSource(
  on: Queryable,
  corp_id: string,
  order_id: string,
  timeZone: string,
): Promise<OrderSource | undefined> {
  const [order] = await on.query<OrderSource>(sql`
    select ${courseName} as name, coalesce(o.contract_id, '') as contract_id, ${studentName} as payer,
           ${studentName} as student,
           coalesce((select json_agg(json_build_object('due', left(${timestamp('s.payment_deadline', timeZone)}, 10),
                                                       'price', s.total_price) order by s.seq)
                       from sub_orders s where s.corp_id = ${corp_id} and s.order_id = o.order_id), '[]') as plan
      from orders o
      join users u on u.corp_id = ${corp_id} and u.user_id = o.user_id
     where o.corp_id = ${corp_id} and o.order_id = ${order_id} and not o.is_deleted`)
  return order
}

/** A refund as a credit note describes it. */
export interface RefundSource {
  order_id: string
  order_currency: string
  name: string
  /** The part of the price that the refund cancels, before a reversal. */
  credited_price: number
  is_reversed: boolean
  refunded_on: string
  method: string
  charge_id: string
  reason: string
  /** The number of the latest invoice of the order; "" without one. */
  invoice: string
  payer: string
  student: string
}

export async function findRefundSource(
  on: Queryable,
  corp_id: string,
  refund_id: string,
  timeZone: string,
): Promise<Omit<RefundSource, 'invoice'> | undefined> {
  const [refund] = await on.query<Omit<RefundSource, 'invoice'>>(sql`
    select r.order_id, o.currency as order_currency, ${courseName} as name,
           coalesce((select sum(b.credited_price) from refund_allocations b
                      where b.corp_id = ${corp_id} and b.refund_id = r.refund_id and b.price > 0), 0)::bigint as credited_price,
           exists (select from refund_reversals v where v.corp_id = ${corp_id} and v.refund_id = r.refund_id) as is_reversed,
           ${timestamp('r.completed_time', timeZone)} as refunded_on, coalesce(r.method, '') as method,
           coalesce(r.charge_id, '') as charge_id, coalesce(r.reason, '') as reason,
           ${studentName} as payer, ${studentName} as student
      from refunds r
      join orders o on o.corp_id = ${corp_id} and o.order_id = r.order_id
      left join users u on u.corp_id = ${corp_id} and u.user_id = o.user_id
     where r.corp_id = ${corp_id} and r.refund_id = ${refund_id}`)
  return refund
}

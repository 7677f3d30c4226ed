import type { Queryable } from '../../database/database.ts'
import { type InsertedRow, insertRows } from '../../database/insert-rows.ts'
import { eachFound } from '../../database/sent-rows.ts'
import { sql } from '../../database/sql.ts'
import { microseconds } from '../../database/sql-time.ts'

/** Payments are added and read, never changed. */

const paymentColumns = {
  payment_id: 'text',
  order_id: 'text',
  sub_order_id: 'text',
  price: 'bigint',
  currency: 'text',
  exchange_rate: 'bigint',
  /** In the order's currency, rounded once. */
  order_price: 'bigint',
  status: 'text',
  source: 'text',
  charge_id: 'text',
  receipt_num: 'bigint',
  comments: 'text',
  completed_time: 'timestamptz',
  executor_id: 'text',
  ctime: 'timestamptz',
} as const

export type PaymentRow = InsertedRow<typeof paymentColumns>

export async function insertPayments(tx: Queryable, corp_id: string, payments: PaymentRow[]): Promise<void> {
  await insertRows(tx, 'payments', paymentColumns, corp_id, payments)
}

/** A payment as whoever repeats it would tell it. */
export interface Payment {
  payment_id: string
  order_id: string
  sub_order_id: string
  price: number
  currency: string
  exchange_rate: number
  order_price: number
  source: string
  charge_id: string | null
  receipt_num: number | null
  comments: string | null
  completed_time: string
}

export interface Charge {
  source: string
  charge_id: string
}

/** A charge of a source is one payment. */
export function chargeKey({ source, charge_id }: { source: string; charge_id: string | null }): string {
  return `${source} ${charge_id}`
}

/** The payments of these charges, by their keys. */
export async function findPaymentsByCharge(
  on: Queryable,
  corp_id: string,
  charges: Charge[],
): Promise<Map<string, Payment>> {
  if (charges.length === 0) return new Map()
  const payments = await on.query<Payment>(sql`
    select payment_id, order_id, sub_order_id, price, currency, exchange_rate, order_price, found.source, found.charge_id,
           receipt_num, comments, ${microseconds('completed_time')} as completed_time
      from unnest(${charges.map(({ source }) => source)}::text[], ${charges.map(({ charge_id }) => charge_id)}::text[])
             as charge(source, charge_id)
      ${eachFound(sql`
        select p.payment_id, p.order_id, p.sub_order_id, p.price, p.currency, p.exchange_rate, p.order_price, p.source,
               p.charge_id, p.receipt_num, p.comments, p.completed_time
          from payments p
         where p.corp_id = ${corp_id} and p.source = charge.source and p.charge_id = charge.charge_id`)}`)
  return new Map(payments.map((payment) => [chargeKey(payment), payment]))
}

/** A payment of an order, and what of it has gone back. */
export interface RefundablePayment {
  payment_id: string
  order_id: string
  sub_order_id: string
  order_price: number
  refunded: number
}

export async function findRefundablePayments(
  on: Queryable,
  corp_id: string,
  payment_ids: string[],
): Promise<RefundablePayment[]> {
  if (payment_ids.length === 0) return []
  return on.query<RefundablePayment>(sql`
    select p.payment_id, p.order_id, p.sub_order_id, p.order_price,
           coalesce((select sum(r.price) from refunds r
                      where r.corp_id = ${corp_id} and r.order_id = p.order_id and r.payment_id = p.payment_id), 0)::bigint
             as refunded
      from payments p
     where p.corp_id = ${corp_id} and p.payment_id = any(${payment_ids})`)
}

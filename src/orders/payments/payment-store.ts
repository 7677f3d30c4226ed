import type { Queryable } from '../../database/database.ts'
import { raw, sql } from '../../database/sql.ts'
import type { LedgerInstant } from '../order-state-store.ts'

/** Payments and refunds are facts: they are added and read, never changed. */

export interface Payment {
  payment_id: string
  order_id: string
  sub_order_id: string
  price: number
  currency: string
  exchange_rate: number
  /** In the order's currency, rounded once. */
  order_price: number
  source: string
  charge_id: string | null
  receipt_num: number | null
  comments: string | null
  completed_time: string
}

const paymentColumns = raw(`
  payment_id, order_id, sub_order_id, price, currency, exchange_rate, order_price, source, charge_id, receipt_num,
  comments, to_char(completed_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as completed_time`)

export async function findPaymentByCharge(
  on: Queryable,
  corp_id: string,
  charge: { source: string; charge_id: string },
): Promise<Payment | undefined> {
  const [row] = await on.query<Payment>(sql`
    select ${paymentColumns} from payments
     where corp_id = ${corp_id} and source = ${charge.source} and charge_id = ${charge.charge_id}`)
  return row
}

/** The payments of these charges, of whatever source. */
export async function findPaymentsByCharge(
  on: Queryable,
  corp_id: string,
  charge_ids: string[],
): Promise<Payment[]> {
  return on.query<Payment>(sql`
    select ${paymentColumns} from payments where corp_id = ${corp_id} and charge_id = any(${charge_ids})`)
}

/** False where another order has taken the charge meanwhile. */
export async function insertPayment(
  tx: Queryable,
  corp_id: string,
  fact: Payment & { executor_id: string | null },
  at: LedgerInstant,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into payments (corp_id, payment_id, order_id, sub_order_id, price, currency, exchange_rate, order_price, status,
                          source, charge_id, receipt_num, comments, completed_time, executor_id, ctime)
    values (${corp_id}, ${fact.payment_id}, ${fact.order_id}, ${fact.sub_order_id}, ${fact.price}, ${fact.currency},
            ${fact.exchange_rate}, ${fact.order_price}, 'success', ${fact.source}, ${fact.charge_id}, ${fact.receipt_num},
            ${fact.comments}, ${fact.completed_time}::timestamptz, ${fact.executor_id}, ${at}::timestamptz)
    on conflict (corp_id, source, charge_id) do nothing
    returning payment_id`)
  return rows.length === 1
}

/** A payment of an order, and what of it has gone back. */
export async function findPayment(
  on: Queryable,
  key: { corp_id: string; order_id: string; payment_id: string },
): Promise<{ sub_order_id: string; order_price: number; refunded: number } | undefined> {
  const [row] = await on.query<{ sub_order_id: string; order_price: number; refunded: number }>(sql`
    select p.sub_order_id, p.order_price,
           coalesce((select sum(r.price) from refunds r
                      where r.corp_id = ${key.corp_id} and r.payment_id = p.payment_id), 0)::bigint as refunded
      from payments p
     where p.corp_id = ${key.corp_id} and p.order_id = ${key.order_id} and p.payment_id = ${key.payment_id}`)
  return row
}

export interface Refund {
  refund_id: string
  order_id: string
  sub_order_id: string
  payment_id: string | null
  /** In the order's currency. */
  price: number
  reason: string | null
  charge_id: string | null
}

export async function findRefundByCharge(
  on: Queryable,
  corp_id: string,
  charge_id: string,
): Promise<Refund | undefined> {
  const [row] = await on.query<Refund>(sql`
    select refund_id, order_id, sub_order_id, payment_id, price, reason, charge_id
      from refunds where corp_id = ${corp_id} and charge_id = ${charge_id}`)
  return row
}

export async function insertRefund(
  tx: Queryable,
  corp_id: string,
  fact: Refund & { executor_id: string | null },
  at: LedgerInstant,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into refunds (corp_id, refund_id, order_id, sub_order_id, payment_id, price, reason, charge_id, executor_id,
                         completed_time, ctime)
    values (${corp_id}, ${fact.refund_id}, ${fact.order_id}, ${fact.sub_order_id}, ${fact.payment_id}, ${fact.price},
            ${fact.reason}, ${fact.charge_id}, ${fact.executor_id}, ${at}::timestamptz, ${at}::timestamptz)
    on conflict (corp_id, charge_id) do nothing
    returning refund_id`)
  return rows.length === 1
}

export async function insertRemark(
  tx: Queryable,
  corp_id: string,
  remark: { remark_id: string; order_id: string; content: string; executor_id: string | null },
  at: LedgerInstant,
): Promise<void> {
  await tx.query(sql`
    insert into order_remarks (corp_id, remark_id, order_id, content, executor_id, ctime)
    values (${corp_id}, ${remark.remark_id}, ${remark.order_id}, ${remark.content}, ${remark.executor_id}, ${at}::timestamptz)`)
}

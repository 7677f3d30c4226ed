import type { Queryable } from '../../database/database.ts'
import { type InsertedRow, insertRows } from '../../database/insert-rows.ts'
import { sql } from '../../database/sql.ts'

/** Refunds are added and read, never changed. */

const refundColumns = {
  refund_id: 'text',
  order_id: 'text',
  sub_order_id: 'text',
  payment_id: 'text',
  /** In the order's currency. */
  price: 'bigint',
  reason: 'text',
  charge_id: 'text',
  executor_id: 'text',
  completed_time: 'timestamptz',
  ctime: 'timestamptz',
} as const

export type RefundRow = InsertedRow<typeof refundColumns>

export async function insertRefunds(tx: Queryable, corp_id: string, refunds: RefundRow[]): Promise<void> {
  await insertRows(tx, 'refunds', refundColumns, corp_id, refunds)
}

/** A refund as whoever repeats it would tell it. */
export interface Refund {
  refund_id: string
  order_id: string
  sub_order_id: string
  payment_id: string | null
  price: number
  reason: string | null
  charge_id: string | null
}

/** The refunds of these charges, by their charges. */
export async function findRefundsByCharge(
  on: Queryable,
  corp_id: string,
  charge_ids: string[],
): Promise<Map<string, Refund>> {
  if (charge_ids.length === 0) return new Map()
  const refunds = await on.query<Refund & { charge_id: string }>(sql`
    select refund_id, order_id, sub_order_id, payment_id, price, reason, charge_id
      from refunds where corp_id = ${corp_id} and charge_id = any(${charge_ids})`)
  return new Map(refunds.map((refund) => [refund.charge_id, refund]))
}

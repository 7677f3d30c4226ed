import type { Queryable } from '../database/database.ts'
import { raw, type Statement, sql } from '../database/sql.ts'
import { timestampOrEmpty as timestamp } from '../database/sql-time.ts'
import { financialCourseAttributes, financialUserAttributes, type LedgerSubOrder } from './financial-row.ts'
import { ledgerOf, paymentsOf, unpaid } from './order-store.ts'

const copiedColumns = raw(
  [
    ...financialUserAttributes.map((name) => `coalesce(o.user_copy->>'${name}', '') as ${name}`),
    ...financialCourseAttributes.map((name) => `coalesce(o.course_copy->>'${name}', '') as ${name}`),
  ].join(', '),
)

/** The sub-orders of orders, with their payments and what their orders copied. */
export async function ledgerSubOrdersOf(
  on: Queryable,
  corp_id: string,
  orderIds: string[],
  timeZone: string,
): Promise<LedgerSubOrder[]> {
  return on.query<LedgerSubOrder>(selectLedgerSubOrders(corp_id, orderIds, timeZone))
}

export function selectLedgerSubOrders(corp_id: string, orderIds: string[], timeZone: string): Statement {
  return sql`
    select ${financialColumns(timeZone)}
      from sub_orders s
      join orders o on o.corp_id = s.corp_id and o.order_id = s.order_id
      ${ledgerOf('s', 'sub_order_id')}
     where s.corp_id = ${corp_id} and s.order_id = any(${orderIds})`
}

/** What a financial row shows of a sub-order `s` and its order `o`, beside the sums of `ledgerOf`. */
export function financialColumns(timeZone: string, of: { asOf?: string; corp_id?: string } = {}): Statement {
  return sql`
    s.sub_order_id, s.corp_id, ${timestamp('s.ctime', timeZone)} as ctime, ${timestamp('s.mtime', timeZone)} as mtime,
    o.user_id, s.order_id, ${copiedColumns}, o.currency as order_currency, s.status, s.type, s.currency,
    ${timestamp('s.completed_time', timeZone)} as completed_time,
    ${timestamp('s.payment_deadline', timeZone)} as payment_deadline,
    s.total_price, paid.paid_price, paid.paid_price - refunded.refund_price as post_refund_price,
    ${unpaid('s')} as unpaid_price, s.exchange_rate, ${paymentsOf('s', timeZone, of)} as payments`
}

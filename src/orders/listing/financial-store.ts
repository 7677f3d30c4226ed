import { raw, type Statement, sql } from '../../database/sql.ts'
import { timestampOrEmpty } from '../../database/sql-time.ts'
import { financialCourseAttributes, financialUserAttributes } from './financial-row.ts'
import { moneyOf, oneByOne, paymentsOf } from './order-store.ts'

/** What a financial row shows of the copies that its order `o` took. */
export const copiedColumns = raw(
  [
    ...financialUserAttributes.map((name) => `coalesce(o.user_copy->>'${name}', '') as ${name}`),
    ...financialCourseAttributes.map((name) => `coalesce(o.course_copy->>'${name}', '') as ${name}`),
  ].join(', '),
)

/**
 * The sub-orders of orders in their order, with their payments. What their orders copied is read with the orders: each
 * member that is taken out of a stored copy unpacks the whole of it.
 */
export function selectLedgerSubOrders(corp_id: string, orderIds: string[], timeZone: string): Statement {
  return sql`
    select ${financialColumns(timeZone, { corp_id })}, s.seq, s.version, money.refund_price, money.over_payment_price
      from orders o
     cross join lateral (
            select s.* from sub_orders s where s.corp_id = ${corp_id} and s.order_id = o.order_id ${oneByOne}) s
      ${moneyOf({ corp_id })}
     where o.corp_id = ${corp_id} and o.order_id = any(${orderIds})
     order by s.order_id, s.seq`
}

/** What a financial row shows of a sub-order `s` and its order `o`, beside copies, from the sums of `moneyOf`. */
export function financialColumns(timeZone: string, of: { asOf?: string; corp_id: string }): Statement {
  return sql`
    s.sub_order_id, s.corp_id, ${timestampOrEmpty('s.ctime', timeZone)} as ctime, ${timestampOrEmpty('s.mtime', timeZone)} as mtime,
    o.user_id, s.order_id, o.currency as order_currency, s.status, s.type, s.currency,
    ${timestampOrEmpty('s.completed_time', timeZone)} as completed_time,
    ${timestampOrEmpty('s.payment_deadline', timeZone)} as payment_deadline,
    s.total_price, money.paid_price, money.paid_price - money.refund_price as post_refund_price,
    money.unpaid_price, o.exchange_rate, ${paymentsOf(timeZone, of)} as payments`
}

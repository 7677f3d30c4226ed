import { raw, type Statement, sql, timestampOrEmpty } from '../../database/sql.ts'
import { financialCourseAttributes, financialUserAttributes } from './financial-row.ts'
import { moneyOf, oneByOne, paymentsOf } from './order-store.ts'

/** The columns of a financial row from the copies of its order `o`. */
export const copiedColumns = raw(
  [
    ...financialUserAttributes.map((name) => `coalesce(o.user_copy->>'${name}', '') as ${name}`),
    ...financialCourseAttributes.map((name) => `coalesce(o.course_copy->>'${name}', '') as ${name}`),
  ].join(', '),
)

/**
 * The sub-orders of orders with their payments. The copies are read with the orders, since each access to a member of a
 * stored copy unpacks all of it.
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

/** The columns of a financial row from a sub-order `s`, its order `o` and the sums of `moneyOf`, without copies. */
export function financialColumns(timeZone: string, of: { asOf?: string; corp_id: string }): Statement {
  return sql`
    s.sub_order_id, s.corp_id, ${timestampOrEmpty('s.ctime', timeZone)} as ctime, ${timestampOrEmpty('s.mtime', timeZone)} as mtime,
    o.user_id, s.order_id, o.currency as order_currency, s.status, s.type, s.currency,
    ${timestampOrEmpty('s.completed_time', timeZone)} as completed_time,
    ${timestampOrEmpty('s.payment_deadline', timeZone)} as payment_deadline,
    s.total_price, money.paid_price, money.paid_price - money.refund_price as post_refund_price,
    money.unpaid_price, o.exchange_rate, ${paymentsOf(timeZone, of)} as payments`
}

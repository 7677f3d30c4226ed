import { raw, type Statement, sql } from '../../database/sql.ts'

interface Known {
  corp_id: string
  /** Only facts up to this instant; default: all. */
  asOf?: string
}

/** The sums of rules/payment-balance.ts for a payment `f`, as the relation `balance`. */
export function joinBalance({ corp_id, asOf }: Known): Statement {
  const sumOf = (table: string, condition = '') => sql`
    coalesce((select sum(x.price) from ${raw(table)} x
               where x.corp_id = ${corp_id} and x.payment_id = f.payment_id ${raw(condition)}
                     ${asOf === undefined ? raw('') : sql`and x.at <= ${asOf}::timestamptz`}), 0)::bigint`
  return sql`
    cross join lateral (
      select sums.voided, sums.moved, sums.refunded, sums.lines - sums.refunded_lines as applied,
             f.order_price - sums.voided - sums.moved - sums.refunded as held
        from (select ${sumOf('payment_voids')} as voided, ${sumOf('payment_moves')} as moved,
                     ${sumOf('refund_allocations')} as refunded,
                     ${sumOf('refund_allocations', "and x.sub_order_id <> ''")} as refunded_lines,
                     ${sumOf('payment_allocations')} as lines) sums) balance`
}

/** The state of a payment `f` with its balance, as `stateOfPayment` of rules/payment-balance.ts computes it. */
export const paymentState = raw(`
  case when balance.applied > 0 then 'applied' when balance.held > 0 or f.order_price = 0 then 'unapplied'
       when balance.moved > 0 then 'moved' when balance.voided > 0 then 'void' else 'refunded' end`)

/** Whether a payment is void or was moved to another payment, so that it does not count as received. */
export function isVoided({ corp_id, asOf }: Known, payment: string): Statement {
  const known = asOf === undefined ? raw('') : sql`and x.at <= ${asOf}::timestamptz`
  return sql`
    (coalesce((select sum(x.price) from payment_voids x
                where x.corp_id = ${corp_id} and x.payment_id = ${raw(payment)}.payment_id ${known}), 0) > 0
     or exists (select from payment_moves x
                 where x.corp_id = ${corp_id} and x.payment_id = ${raw(payment)}.payment_id ${known}))`
}

import { type Statement, sql } from '../../database/sql.ts'
import type { LedgerInstant } from '../../orders/ledger/ledger-clock-store.ts'

/** A source of sub-orders `s`, their orders `o`, and the versions `v` of the orders. */
export interface Source {
  from: Statement
  where: Statement
  /** Limits the facts of money to an instant. Without one, all facts count. */
  known: { corp_id: string; asOf?: LedgerInstant }
}

/**
 * Sub-orders as of an instant. Orders without a later change are read from the current tables, with all their facts.
 * Other orders are read from the version of that instant.
 */
export function sourcesAsOf(corp_id: string, asOf: LedgerInstant): [unchanged: Source, changed: Source] {
  return [
    {
      from: sql`
        from orders o
        join sub_orders s on s.corp_id = ${corp_id} and s.order_id = o.order_id
        cross join lateral (select o.version, o.mtime as at, o.status as to_status) v`,
      where: sql`o.corp_id = ${corp_id} and o.mtime <= ${asOf}::timestamptz`,
      known: { corp_id },
    },
    {
      from: sql`
        from orders later
        cross join lateral (
          select v.version, v.at, v.to_status, v.record
            from order_versions v
           where v.corp_id = ${corp_id} and v.order_id = later.order_id and v.at <= ${asOf}::timestamptz
           order by v.version desc limit 1) v
        cross join lateral jsonb_to_record(v.record->'order')
          as o(order_id text, course_code text, share_proportion jsonb, course_copy jsonb, listed_price bigint,
               discounted_price bigint, service_charge bigint, foreign_service_charge bigint, coupon_lines jsonb)
        cross join lateral jsonb_to_recordset(v.record->'sub_orders')
          as s(sub_order_id text, seq integer, status text, currency text, total_price bigint, payment_deadline timestamptz,
               ctime timestamptz, mtime timestamptz)`,
      where: sql`later.corp_id = ${corp_id} and later.mtime > ${asOf}::timestamptz`,
      known: { corp_id, asOf },
    },
  ]
}

export function unionOf(selects: Statement[]): Statement {
  return selects.reduce((all, one) => sql`${all} union all ${one}`)
}

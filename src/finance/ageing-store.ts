import type { Queryable } from '../database/database.ts'
import { raw, sql } from '../database/sql.ts'
import type { LedgerInstant } from '../orders/ledger-clock-store.ts'
import { moneyOf } from '../orders/order-store.ts'
import { sourcesAsOf, unionOf } from './as-of-store.ts'

/** How long a debt is overdue, in days; the last has no end. */
export const spans = ['not_due', 'days_0_30', 'days_31_60', 'days_61_90', 'days_over_90'] as const
export type Span = (typeof spans)[number]

/** What is owed for a course in a currency, by those who share the orders. */
export interface OwedGroup extends Record<Span, number> {
  course_code: string
  currency: string
  /** Owner to basis points; empty where an order has no shares. */
  share_proportion: Record<string, number>
  managers: string
  orders: number
}

const spanOf = raw(`
  case when owed.days is null then 'not_due'
       when owed.days <= 30 then 'days_0_30' when owed.days <= 60 then 'days_31_60'
       when owed.days <= 90 then 'days_61_90' else 'days_over_90' end`)

const sums = raw(
  spans
    .map((span) => `coalesce(sum(owed.price) filter (where owed.span = '${span}'), 0)::bigint as ${span}`)
    .join(', '),
)

/** A success is paid, and nothing is owed of what ended. Most orders are among them, and need not be looked into. */
const owesNothing = raw(`('success', 'canceled', 'expired')`)

/** What was unpaid at an instant. */
export async function readOwedGroups(
  on: Queryable,
  corp_id: string,
  asOf: LedgerInstant,
  timeZone: string,
): Promise<OwedGroup[]> {
  const owed = sourcesAsOf(corp_id, asOf).map(
    ({ from, where, known }) => sql`
      select o.order_id, coalesce(o.course_code, '') as course_code, s.currency, o.share_proportion,
             coalesce(o.course_copy->>'owner_relationship_managers', '') as managers, money.unpaid_price as price,
             case when s.payment_deadline < ${asOf}::timestamptz
                  then (${asOf}::timestamptz at time zone ${timeZone}::text)::date
                       - (s.payment_deadline at time zone ${timeZone}::text)::date end as days
        ${from} ${moneyOf(known)}
       where ${where} and v.to_status not in ${owesNothing} and s.status not in ${owesNothing}`,
  )
  return on.query<OwedGroup>(sql`
    select owed.course_code, owed.currency, owed.share_proportion, owed.managers,
           count(distinct owed.order_id)::integer as orders, ${sums}
      from (select owed.order_id, owed.course_code, owed.currency, owed.share_proportion, owed.managers, owed.price,
                   ${spanOf} as span
              from (${unionOf(owed)}) owed
             where owed.price > 0) owed
     group by owed.course_code, owed.currency, owed.share_proportion, owed.managers`)
}

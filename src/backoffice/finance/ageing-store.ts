import type { Queryable } from '../../database/database.ts'
import { raw, type Statement, sql, timestampOrEmpty } from '../../database/sql.ts'
import type { LedgerInstant } from '../../orders/ledger/ledger-clock-store.ts'
import { moneyOf } from '../../orders/listing/order-store.ts'
import { sourcesAsOf } from './as-of-store.ts'

/** Age groups of debts, in days overdue. The last group is open-ended. */
export const spans = ['not_due', 'days_0_30', 'days_31_60', 'days_61_90', 'days_over_90'] as const
export type Span = (typeof spans)[number]

/** Debts of a course in a currency, for one combination of owners. */
export interface OwedGroup extends Record<Span, number> {
  course_code: string
  currency: string
  /** Owner to basis points; empty if the order has no shares. */
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

/** Statuses of orders and sub-orders that owe nothing. */
const owesNothing = raw(`('success', 'canceled', 'expired', 'tbd', 'unconfirmed')`)

const shownOfOrder = sql`
  o.order_id, coalesce(o.course_code, '') as course_code, o.share_proportion,
  coalesce(o.course_copy->>'owner_relationship_managers', '') as managers`

/** Days that a sub-order `s` is overdue, on the calendar of the organization; null if it is not due. */
function daysOverdue(asOf: LedgerInstant, timeZone: string): Statement {
  return sql`
    case when s.payment_deadline < ${asOf}::timestamptz
         then (${asOf}::timestamptz at time zone ${timeZone}::text)::date
              - (s.payment_deadline at time zone ${timeZone}::text)::date end`
}

/** Sub-orders with an unpaid amount as of an instant, with the days overdue. */
function owedAt(corp_id: string, asOf: LedgerInstant, timeZone: string): Statement {
  const days = sql`${daysOverdue(asOf, timeZone)} as days`
  const [, changed] = sourcesAsOf(corp_id, asOf)
  return sql`
    select ${shownOfOrder}, s.sub_order_id, s.currency, s.payment_deadline, owed.unpaid_price as price, ${days}
      from financial_read_model owed
      join sub_orders s on s.corp_id = ${corp_id} and s.sub_order_id = owed.sub_order_id
      join orders o on o.corp_id = ${corp_id} and o.order_id = owed.order_id
     where owed.corp_id = ${corp_id} and owed.unpaid_price > 0 and o.mtime <= ${asOf}::timestamptz
    union all
    select ${shownOfOrder}, s.sub_order_id, s.currency, s.payment_deadline, money.unpaid_price as price, ${days}
      ${changed.from} ${moneyOf(changed.known)}
     where ${changed.where} and v.to_status not in ${owesNothing} and s.status not in ${owesNothing}
       and money.unpaid_price > 0`
}

/** Unpaid amounts as of an instant. Grouped by order first, so that an order counts once. Keys compare by bytes. */
export async function readOwedGroups(
  on: Queryable,
  corp_id: string,
  asOf: LedgerInstant,
  timeZone: string,
): Promise<OwedGroup[]> {
  const [, changed] = sourcesAsOf(corp_id, asOf)
  const keys = raw(`
    coalesce(o.course_code, '') collate "C" as course_code, o.share_proportion::text collate "C" as share_proportion,
    coalesce(o.course_copy->>'owner_relationship_managers', '') collate "C" as managers`)
  const byOrder = (debts: Statement) => sql`
    select owed.order_id, owed.currency, ${sums}
      from (select owed.order_id, owed.currency, owed.price, ${spanOf} as span from (${debts}) owed) owed
     group by owed.order_id, owed.currency`
  const unchanged = sql`
    select owed.order_id, s.currency, owed.unpaid_price as price, ${daysOverdue(asOf, timeZone)} as days
      from financial_read_model owed
      join sub_orders s on s.corp_id = ${corp_id} and s.sub_order_id = owed.sub_order_id
     where owed.corp_id = ${corp_id} and owed.unpaid_price > 0`
  const figures = raw(spans.map((span) => `owed.${span}`).join(', '))
  const groups = await on.query<OwedGroup & { share_proportion: string }>(sql`
    select owed.course_code, owed.currency, owed.share_proportion, owed.managers, count(*)::integer as orders,
           ${raw(spans.map((span) => `sum(owed.${span})::bigint as ${span}`).join(', '))}
      from (select ${keys}, owed.currency, ${figures}
              from (${byOrder(unchanged)}) owed
              join orders o on o.corp_id = ${corp_id} and o.order_id = owed.order_id
             where o.mtime <= ${asOf}::timestamptz
            union all
            select owed.course_code, owed.share_proportion, owed.managers, owed.currency, ${sums}
              from (select ${keys}, o.order_id, s.currency, owed.price, ${spanOf} as span
                      ${changed.from} ${moneyOf(changed.known)}
                      cross join lateral (
                        select money.unpaid_price as price, ${daysOverdue(asOf, timeZone)} as days) owed
                     where ${changed.where} and v.to_status not in ${owesNothing} and s.status not in ${owesNothing}
                       and money.unpaid_price > 0) owed
             group by owed.order_id, owed.course_code, owed.share_proportion, owed.managers, owed.currency) owed
     group by owed.course_code, owed.currency, owed.share_proportion, owed.managers`)
  return groups.map((group) => ({ ...group, share_proportion: JSON.parse(group.share_proportion) }))
}

/** A debt: the unpaid amount of one instalment. */
export interface OwedRow {
  order_id: string
  sub_order_id: string
  user_id: string
  course_code: string
  currency: string
  share_proportion: Record<string, number>
  managers: string
  span: Span
  days: number | null
  price: number
  payment_deadline: string
}

/** Single debts, the longest overdue first. */
export async function readOwedRows(
  on: Queryable,
  query: { corp_id: string; currency: string; course_code?: string; span?: Span; owner?: string },
  asOf: LedgerInstant,
  timeZone: string,
  most: number,
): Promise<OwedRow[]> {
  const { corp_id, currency, course_code, span, owner } = query
  const only = (condition: Statement | undefined) => (condition ? sql`and ${condition}` : raw(''))
  return on.query<OwedRow>(sql`
    select owed.order_id, owed.sub_order_id, o.user_id, owed.course_code, owed.currency, owed.share_proportion,
           owed.managers, owed.span, owed.days, owed.price, ${timestampOrEmpty('owed.payment_deadline', timeZone)} as payment_deadline
      from (select owed.order_id, owed.sub_order_id, owed.course_code, owed.currency, owed.share_proportion, owed.managers,
                   owed.days, owed.price, owed.payment_deadline, ${spanOf} as span
              from (${owedAt(corp_id, asOf, timeZone)}) owed) owed
      join orders o on o.corp_id = ${corp_id} and o.order_id = owed.order_id
     where owed.currency = ${currency}
           ${only(course_code === undefined ? undefined : sql`owed.course_code = ${course_code}`)}
           ${only(span === undefined ? undefined : sql`owed.span = ${span}`)}
           ${only(owner === undefined ? undefined : sql`(owed.share_proportion ? ${owner} or (owed.share_proportion = '{}' and owed.managers = ${owner}))`)}
     order by owed.payment_deadline, owed.order_id, owed.sub_order_id
     limit ${most}`)
}

/** Debts of a payer, or of a person without one, in a currency. */
export interface OwedByPayer extends Record<Span, number> {
  payer_id: string
  payer_name: string
  user_id: string
  user_name: string
  currency: string
  orders: number
  outstanding: number
}

/** Unpaid amounts by payer: that of the last payment for the order that names one, otherwise the person of the order. */
export async function readOwedByPayer(
  on: Queryable,
  corp_id: string,
  asOf: LedgerInstant,
  timeZone: string,
): Promise<OwedByPayer[]> {
  return on.query<OwedByPayer>(sql`
    select coalesce(owed.payer_id, '') as payer_id, coalesce(payer.name, '') as payer_name,
           coalesce(owed.user_id, '') as user_id,
           coalesce(nullif(u.name, ''), trim(concat_ws(' ', u.first_name, u.last_name)), '') as user_name,
           owed.currency, owed.orders, owed.outstanding, ${raw(spans.map((span) => `owed.${span}`).join(', '))}
      from (select owed.payer_id, case when owed.payer_id is null then owed.user_id end as user_id, owed.currency,
                   count(distinct owed.order_id)::integer as orders, sum(owed.price)::bigint as outstanding, ${sums}
              from (select owed.order_id, owed.currency, owed.price, ${spanOf} as span, o.user_id,
                           (select p.payer_id from payment_allocations a
                              join payments p on p.corp_id = ${corp_id} and p.payment_id = a.payment_id
                             where a.corp_id = ${corp_id} and a.order_id = owed.order_id and a.at <= ${asOf}::timestamptz
                               and p.payer_id is not null
                             order by a.at desc, a.payment_id limit 1) as payer_id
                      from (${owedAt(corp_id, asOf, timeZone)}) owed
                      join orders o on o.corp_id = ${corp_id} and o.order_id = owed.order_id) owed
             group by owed.payer_id, case when owed.payer_id is null then owed.user_id end, owed.currency) owed
      left join payers payer on payer.corp_id = ${corp_id} and payer.payer_id = owed.payer_id
      left join users u on u.corp_id = ${corp_id} and u.user_id = owed.user_id
     order by owed.currency, owed.outstanding desc, owed.payer_id, owed.user_id`)
}

import type { Queryable } from '../../database/database.ts'
import { microseconds, raw, type Statement, sql } from '../../database/sql.ts'
import type { LedgerInstant } from '../../orders/ledger/ledger-clock-store.ts'
import type { OrderFilter } from '../../orders/listing/order-filter.ts'
import { moneyOf, paymentsOf } from '../../orders/listing/order-store.ts'
import { paymentSlots } from '../../orders/rules/payment-slots.ts'
import { owingStatuses } from '../../orders/rules/status.ts'
import { type Source, sourcesAsOf, unionOf } from './as-of-store.ts'

/** Owner of a figure: an order, a sub-order, or all sub-orders in a currency that match a filter. */
export interface Whose {
  corp_id: string
  order_id?: string
  sub_order_id?: string
  currency?: string
  filter?: Pick<OrderFilter, 'timeColumn' | 'status' | 'from' | 'until'>
  /** Only debts with a deadline before this instant. */
  dueBy?: LedgerInstant
}

/** A positive or negative part of a figure. */
export interface FigureLine {
  kind: string
  /** Id of the payment, refund, coupon or sub-order. */
  id: string
  order_id: string
  sub_order_id: string
  at: string
  price: number
  currency: string
  note: string
}

export interface FigureLines {
  total: number
  value: number
  lines: FigureLine[]
}

/** A kind of line as SQL: its source, and the price that counts. */
export interface Part {
  kind: string
  id: string
  at: string
  price: string
  note: string
  /** Further tables of the line, joined to the sub-order `s`, its order `o` and the version `v`. */
  from: (known: Source['known']) => Statement
  /** The currency, where it is not the sub-order's. */
  currency?: string
  /** Whether the line belongs to the order, not to a sub-order. */
  isOfOrder?: true
}

const nothing = () => raw('')
const version = `'version ' || v.version`

export const plan: Part = {
  kind: 'planned',
  id: 's.sub_order_id',
  at: 'v.at',
  price: 's.total_price',
  note: `'as of ' || ${version}`,
  from: nothing,
}

const fact = (alias: string, table: string): Part['from'] =>
  function ofSubOrder({ corp_id, asOf }) {
    return sql`
      join ${raw(table)} ${raw(alias)} on ${raw(alias)}.corp_id = ${corp_id} and ${raw(alias)}.sub_order_id = s.sub_order_id
           ${asOf === undefined ? raw('') : sql`and ${raw(alias)}.at <= ${asOf}::timestamptz`}`
  }

export const paid: Part = {
  kind: 'payment',
  id: 'a.payment_id',
  at: 'a.at',
  price: 'a.price',
  note: `case a.cause when 'payment' then '' else a.cause end`,
  from: fact('a', 'payment_allocations'),
}
export const refunded: Part = {
  kind: 'refund',
  id: 'b.refund_id',
  at: 'b.at',
  price: 'b.price',
  note: `''`,
  from: fact('b', 'refund_allocations'),
}
export const credited: Part = {
  ...refunded,
  kind: 'credit',
  price: 'b.credited_price',
  note: `'credit note'`,
}
export const writtenOff: Part = {
  kind: 'write_off',
  id: 's.sub_order_id',
  at: 'w.at',
  price: 'w.price',
  note: `coalesce(w.reason, '')`,
  from: fact('w', 'order_write_offs'),
}

/** Whether a sub-order `s` owes its unpaid amount. */
export const owes = `s.status in ('${owingStatuses.join("', '")}')`

/** The part that a figure excludes, since it is never below 0, and only some statuses owe anything. */
export function leftOut(price: string): Part {
  return {
    kind: 'left_out',
    id: 's.sub_order_id',
    at: 'v.at',
    price,
    note: `case when ${owes} then 'not below 0' else 'the sub-order is ' || s.status end`,
    from: moneyOf,
  }
}

export const negative = (part: Part): Part => ({ ...part, price: `-(${part.price})` })

const ofOrder = (kind: string, price: string, note = `'as of ' || ${version}`): Part => ({
  ...{ kind, id: 'o.order_id', at: 'v.at', price, note, isOfOrder: true },
  from: nothing,
})
const coupons: Part = {
  ...ofOrder('coupon', `-(line->>'price')::bigint`),
  id: `line->>'coupon_id'`,
  note: `case when line->>'basis_points' is null then 'an amount' else (line->>'basis_points') || ' basis points' end`,
  from: () => raw(`cross join lateral jsonb_array_elements(coalesce(o.coupon_lines, '[]')) line`),
}
const couponSum = `(select coalesce(sum((line->>'price')::bigint), 0)::bigint from jsonb_array_elements(coalesce(o.coupon_lines, '[]')) line)`
const discounted = [
  ofOrder('listed', 'o.listed_price'),
  coupons,
  ofOrder('manual_discount', `o.discounted_price - o.listed_price + ${couponSum}`),
]

const claim = [plan, negative(credited), negative(writtenOff)]
const held = [paid, negative(refunded)]

/** The lines of every figure; those of an order as a whole, where they are others. */
const partsOf: Record<string, { parts: Part[]; ofOrder?: Part[] }> = {
  listed_price: { parts: [], ofOrder: [ofOrder('listed', 'o.listed_price')] },
  discounted_price: { parts: [], ofOrder: discounted },
  total_price: {
    parts: [plan],
    ofOrder: [
      ...discounted,
      ofOrder('service_charge', 'o.service_charge'),
      ofOrder('foreign_service_charge', 'o.foreign_service_charge'),
    ],
  },
  paid_price: { parts: [paid] },
  refund_price: { parts: [refunded] },
  post_refund_price: { parts: held },
  unpaid_price: {
    parts: [
      ...claim,
      ...held.map(negative),
      leftOut('money.unpaid_price - (money.claim_price - money.held_price)'),
    ],
  },
  over_payment_price: {
    parts: [
      ...claim.map(negative),
      ...held,
      leftOut('money.over_payment_price - (money.held_price - money.claim_price)'),
    ],
  },
  ...Object.fromEntries(
    Array.from({ length: paymentSlots }, (_, index) => [
      `payment${index + 1}_price`,
      { parts: [slot(index + 1)] },
    ]),
  ),
}

/** Figures by their names in lists and control sheets. */
export const figures = Object.keys(partsOf)

/** Figures of orders only. */
export const orderFigures = figures.filter((figure) => partsOf[figure]!.parts.length === 0)

function slot(place: number): Part {
  return {
    kind: 'payment',
    id: `payment.line->>'payment_id'`,
    at: 'v.at',
    price: `(payment.line->>'price')::bigint`,
    currency: `payment.line->>'currency'`,
    note: `'slot ' || payment.place`,
    from: (known) => sql`
      cross join lateral jsonb_array_elements(${paymentsOf('UTC', known)}::jsonb)
        with ordinality as payment(line, place)
      join lateral (select) as here on payment.place = ${raw(String(place))}`,
  }
}

/** Whether the order has this sub-order, or had it before the instalments were replaced. */
export async function hasHadSubOrder(
  on: Queryable,
  { corp_id, order_id, sub_order_id }: { corp_id: string; order_id: string; sub_order_id: string },
): Promise<boolean> {
  const rows = await on.query(sql`
    select 1 from order_versions
     where corp_id = ${corp_id} and order_id = ${order_id}
       and record->'sub_orders' @> ${JSON.stringify([{ sub_order_id }])}::jsonb
     limit 1`)
  return rows.length > 0
}

/** The lines of a list figure as of an instant. */
export function figureLines(figure: string, whose: Whose, asOf: LedgerInstant): Statement[] {
  const { parts, ofOrder } = partsOf[figure]!
  const isWholeOrder = whose.order_id !== undefined && whose.sub_order_id === undefined
  return linesOfAll((isWholeOrder && ofOrder) || parts, whose, asOf)
}

export function linesOfAll(parts: Part[], whose: Whose, asOf: LedgerInstant): Statement[] {
  const sources = sourcesAsOf(whose.corp_id, asOf)
  return parts.flatMap((part) => sources.map((source) => linesOf(part, whose, source)))
}

/** Lines that sum to a figure: the sum and count of all, and one page of them. */
export async function readLines(
  on: Queryable,
  lines: Statement[],
  page: { limit: number; offset: number },
): Promise<FigureLines> {
  const [row] = await on.query<FigureLines>(sql`
    with line as (${unionOf(lines)}), counted as (select count(*)::integer as total, coalesce(sum(price), 0)::bigint as value from line)
    select counted.total, counted.value,
           coalesce((select json_agg(to_json(shown) order by shown.at, shown.order_id, shown.kind, shown.id, shown.sub_order_id)
                       from (select kind, id, order_id, sub_order_id, ${microseconds('at')} as at, price, currency, note
                               from line
                              order by line.at, line.order_id, line.kind, line.id, line.sub_order_id
                              limit ${page.limit} offset ${page.offset}) shown), '[]') as lines
      from counted`)
  return row!
}

function linesOf(part: Part, whose: Whose, { from, where, known }: Source): Statement {
  const currency = part.currency ?? 's.currency'
  const { order_id, sub_order_id, filter } = whose
  const time = filter && raw(`s.${filter.timeColumn}`)
  const only = (isAsked: boolean, condition: () => Statement) => (isAsked ? sql`and ${condition()}` : raw(''))
  return sql`
    select ${raw(`'${part.kind}'`)}::text as kind, ${raw(part.id)} as id, o.order_id,
           ${part.isOfOrder ? raw(`''`) : raw('s.sub_order_id')} as sub_order_id, ${raw(part.at)} as at,
           (${raw(part.price)})::bigint as price, ${raw(currency)} as currency, ${raw(part.note)} as note
      ${from} ${part.from(known)}
     where ${where} and (${raw(part.price)}) <> 0
           ${only(order_id !== undefined, () => sql`o.order_id = ${order_id}`)}
           ${only(sub_order_id !== undefined, () => sql`s.sub_order_id = ${sub_order_id}`)}
           ${only(part.isOfOrder === true, () => raw('s.seq = 1'))}
           ${only(whose.currency !== undefined, () => sql`${raw(currency)} = ${whose.currency}`)}
           ${only(whose.dueBy !== undefined, () => sql`s.payment_deadline <= ${whose.dueBy}::timestamptz`)}
           ${only(filter?.status !== undefined, () => sql`s.status = ${filter!.status}`)}
           ${only(filter?.from !== undefined, () => sql`${time!} >= ${filter!.from}`)}
           ${only(filter?.until !== undefined, () => sql`${time!} < ${filter!.until}`)}`
}

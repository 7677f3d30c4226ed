import { randomBytes } from 'node:crypto'
import { yearOf } from '../../contract/days.ts'
import type { Queryable } from '../../database/database.ts'
import { sentRows } from '../../database/insert-rows.ts'
import { raw, type Statement, sql, timestampOrEmpty as timestamp } from '../../database/sql.ts'
import type { FactRow } from './fact-store.ts'

/** The limit of receipt numbers per year. */
const numbersPerYear = 100_000_000

/** The displayed number of a receipt `r`: the year and eight digits that count from 1. */
export const receiptNumber = raw(`r.year * ${numbersPerYear}::bigint + r.number`)

/** The path of the page of an order's receipts. An unguessable token follows it. */
export function receiptPath(corp_id: string): string {
  return `/receipts/${encodeURIComponent(corp_id)}/`
}

const receiptColumns = {
  payment_id: 'text',
  order_id: 'text',
  year: 'integer',
  /** The position among the new receipts of its year, from 1. */
  place: 'integer',
  token: 'text',
  at: 'timestamptz',
} as const

/**
 * Numbers new payments in the order of their instants. The caller holds the ledger's clock, so no other transaction takes
 * a number at the same time, and a rollback leaves no gap.
 */
export function insertingReceipts(
  { corp_id, time_zone }: { corp_id: string; time_zone: string },
  payments: FactRow<'payments'>[],
  tokenOf: (payment_id: string) => string = newTokens(payments.length),
): Statement[] {
  if (payments.length === 0) return []
  const places = new Map<number, number>()
  const rows = inOrderOfInstants(payments).map(({ payment_id, order_id, ctime: at }) => {
    const year = yearOf(new Date(at!), time_zone)
    const place = (places.get(year) ?? 0) + 1
    places.set(year, place)
    return { payment_id, order_id, year, place, token: tokenOf(payment_id!), at: at as Date }
  })
  return [
    sql`
    insert into receipts (corp_id, payment_id, order_id, year, number, token, at)
    select ${corp_id}, p.payment_id, p.order_id, p.year, p.place + coalesce(last.number, 0), p.token, p.at
      from ${sentRows('p', receiptColumns, rows)}
      left join (select y.year, (select max(r.number) from receipts r where r.corp_id = ${corp_id} and r.year = y.year) as number
                   from unnest(${[...places.keys()]}::integer[]) y (year)) last on last.year = p.year
    returning 1`,
  ]
}

/** Instants are text with microseconds, or all of them Dates. The sort is stable. */
function inOrderOfInstants(payments: FactRow<'payments'>[]): FactRow<'payments'>[] {
  const instantOf = ({ ctime }: FactRow<'payments'>) =>
    typeof ctime === 'string' ? ctime : ctime!.toISOString()
  return payments.toSorted((a, b) => (instantOf(a) < instantOf(b) ? -1 : instantOf(a) > instantOf(b) ? 1 : 0))
}

/** Random bytes are fetched once for all tokens. */
function newTokens(count: number): () => string {
  const length = 24
  const bytes = randomBytes(count * length)
  let taken = 0
  return () => {
    const start = taken++ * length
    return bytes.subarray(start, start + length).toString('base64url')
  }
}

/** A receipt as printed. */
export interface PrintedReceipt {
  receipt_num: number
  order_id: string
  payment_id: string
  issued: string
  paid: string
  price: number
  currency: string
  payer: string
  course_name: string
  method: string
  charge_id: string
  comments: string
  /** The time of the void; "" for a valid payment. */
  voided: string
  /** The refunded part of the price, in the currency of the payment. */
  refunded: number
}

/** The receipts of the order that has the receipt with this token. */
export async function findReceipts(
  on: Queryable,
  corp_id: string,
  token: string,
  timeZone: string,
): Promise<PrintedReceipt[]> {
  return on.query<PrintedReceipt>(sql`
    select coalesce(p.receipt_num, ${receiptNumber}) as receipt_num, o.order_id, r.payment_id, ${timestamp('r.at', timeZone)} as issued,
           ${timestamp('p.completed_time', timeZone)} as paid, p.price, p.currency,
           coalesce(nullif(payer.name, ''), nullif(o.user_copy->>'account_name', ''), nullif(o.user_copy->>'name', ''), nullif(u.name, ''),
                    trim(concat(u.first_name, ' ', u.last_name)), '') as payer,
           coalesce(o.course_copy->>'course_name', '') as course_name, coalesce(p.method, '') as method,
           coalesce(p.charge_id, '') as charge_id, coalesce(p.comments, '') as comments,
           case when voids.price > 0 then ${timestamp('voids.at', timeZone)} else '' end as voided,
           coalesce((select round(sum(b.price)::numeric * p.price / nullif(p.order_price, 0)) from refund_allocations b
                      where b.corp_id = ${corp_id} and b.payment_id = p.payment_id), 0)::bigint as refunded
      from receipts found
      join lateral (
        select r.payment_id from receipts r where r.corp_id = ${corp_id} and r.order_id = found.order_id
        union
        select a.payment_id from payment_allocations a
         where a.corp_id = ${corp_id} and a.order_id = found.order_id
         group by a.payment_id having sum(a.price) <> 0) shown on true
      join receipts r on r.corp_id = ${corp_id} and r.payment_id = shown.payment_id
      join payments p on p.corp_id = ${corp_id} and p.payment_id = r.payment_id
      join orders o on o.corp_id = ${corp_id} and o.order_id = found.order_id
      left join users u on u.corp_id = ${corp_id} and u.user_id = o.user_id
      left join payers payer on payer.corp_id = ${corp_id} and payer.payer_id = p.payer_id
      cross join lateral (
        select sum(v.price) as price, max(v.at) as at from payment_voids v
         where v.corp_id = ${corp_id} and v.payment_id = r.payment_id) voids
     where found.corp_id = ${corp_id} and found.token = ${token}
     order by r.year, r.number
     limit 1000`)
}

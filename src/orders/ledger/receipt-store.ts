import { randomBytes } from 'node:crypto'
import { yearOf } from '../../contract/days.ts'
import type { Queryable } from '../../database/database.ts'
import { sentRows } from '../../database/sent-rows.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'
import { timestampOrEmpty as timestamp } from '../../database/sql-time.ts'
import type { FactRow } from './fact-store.ts'

/** Receipts of a year have numbers below this. */
const numbersPerYear = 100_000_000

/** The number of a receipt `r` as it is shown: the year, and eight digits that count from 1. */
export const receiptNumber = raw(`r.year * ${numbersPerYear}::bigint + r.number`)

/** Where the page of an order's receipts is found; nobody guesses it. */
export function receiptPath(corp_id: string): string {
  return `/receipts/${encodeURIComponent(corp_id)}/`
}

const receiptColumns = {
  payment_id: 'text',
  order_id: 'text',
  year: 'integer',
  /** Among those of its year that come along, from 1. */
  place: 'integer',
  token: 'text',
  at: 'timestamptz',
} as const

/**
 * Numbers payments that enter the ledger, in the order of their instants. Whoever runs this holds the ledger's clock, so
 * that nobody else takes a number meanwhile; and whatever is not committed has taken none.
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

/** They are to the microsecond, which a Date would lose, or Dates all of them; of several at one instant the first stays so. */
function inOrderOfInstants(payments: FactRow<'payments'>[]): FactRow<'payments'>[] {
  const instantOf = ({ ctime }: FactRow<'payments'>) =>
    typeof ctime === 'string' ? ctime : ctime!.toISOString()
  return payments.toSorted((a, b) => (instantOf(a) < instantOf(b) ? -1 : instantOf(a) > instantOf(b) ? 1 : 0))
}

/** Randomness is fetched once for all. */
function newTokens(count: number): () => string {
  const length = 24
  const bytes = randomBytes(count * length)
  let taken = 0
  return () => {
    const start = taken++ * length
    return bytes.subarray(start, start + length).toString('base64url')
  }
}

/** A receipt as it is printed. */
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
  /** When it turned out that the payment never stood; "" where it stands. */
  voided: string
}

/** The receipts of the order that one of them was found by. */
export async function findReceipts(
  on: Queryable,
  corp_id: string,
  token: string,
  timeZone: string,
): Promise<PrintedReceipt[]> {
  return on.query<PrintedReceipt>(sql`
    select ${receiptNumber} as receipt_num, r.order_id, r.payment_id, ${timestamp('r.at', timeZone)} as issued,
           ${timestamp('p.completed_time', timeZone)} as paid, p.price, p.currency,
           coalesce(o.user_copy->>'account_name', o.user_copy->>'name', '') as payer,
           coalesce(o.course_copy->>'course_name', '') as course_name, coalesce(p.method, '') as method,
           coalesce(p.charge_id, '') as charge_id, coalesce(p.comments, '') as comments,
           ${timestamp('v.at', timeZone)} as voided
      from receipts found
      join receipts r on r.corp_id = ${corp_id} and r.order_id = found.order_id
      join payments p on p.corp_id = ${corp_id} and p.payment_id = r.payment_id
      join orders o on o.corp_id = ${corp_id} and o.order_id = r.order_id
      left join payment_voids v on v.corp_id = ${corp_id} and v.payment_id = r.payment_id
     where found.corp_id = ${corp_id} and found.token = ${token}
     order by r.year, r.number
     limit 1000`)
}

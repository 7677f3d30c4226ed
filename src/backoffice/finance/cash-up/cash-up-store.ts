import type { Queryable } from '../../../database/database.ts'
import { insertRows } from '../../../database/insert-rows.ts'
import { raw, type Statement, sql, timestamp } from '../../../database/sql.ts'
import { isVoided } from '../../../orders/ledger/balance-store.ts'

/** The money that a clerk took and returned on a day, by method and currency. */
export interface Taking {
  method: string
  currency: string
  payments: number
  taken_price: number
  returned_price: number
}

/**
 * Payments that the clerk recorded within these instants, less their voids, and refunds that the clerk made. A payment
 * that only moved to another order was not taken again. Money that the clerk booked from a statement line is not counted:
 * the bank has it, and the statement proves it. Such a payment or refund was recorded after the instant of its match.
 */
export async function findTakings(
  on: Queryable,
  corp_id: string,
  clerk_id: string,
  { from, until }: { from: Date; until: Date },
): Promise<Taking[]> {
  const mine = sql`f.corp_id = ${corp_id} and f.executor_id = ${clerk_id} and f.ctime >= ${from} and f.ctime < ${until}`
  const isBooked = (id: string) => sql`
    exists (select from statement_matches m
             where m.corp_id = ${corp_id} and m.${raw(id)} = f.${raw(id)} and m.rule = 'booked' and m.at < f.ctime)`
  return on.query<Taking>(sql`
    select t.method, t.currency, sum(t.payments)::integer as payments, sum(t.taken)::bigint as taken_price,
           sum(t.returned)::bigint as returned_price
      from (select coalesce(f.method, '') as method, f.currency, 1 as payments, f.price as taken, 0 as returned
              from payments f
             where ${mine} and not ${isVoided({ corp_id }, 'f')} and not ${isBooked('payment_id')}
               and not exists (select from payment_moves m where m.corp_id = ${corp_id} and m.to_payment_id = f.payment_id)
            union all
            select coalesce(f.method, ''), f.currency, 0, 0, f.returned_price
              from refunds f
             where ${mine} and not ${isBooked('refund_id')}
               and not exists (select from refund_reversals v where v.corp_id = ${corp_id} and v.refund_id = f.refund_id)) t
     group by t.method, t.currency
     order by t.method, t.currency`)
}

const cashUpColumns = {
  cash_up_id: 'text',
  clerk_id: 'text',
  day: 'date',
  entry: 'integer',
  corrects: 'text',
  reason: 'text',
  executor_id: 'text',
  at: 'timestamptz',
} as const

const lineColumns = {
  cash_up_id: 'text',
  method: 'text',
  currency: 'text',
  payments: 'integer',
  taken_price: 'bigint',
  returned_price: 'bigint',
  counted_price: 'bigint',
  reason: 'text',
} as const

/** A counted line of a cash-up. */
export interface CountedLine extends Taking {
  counted_price: number
  reason: string | null
}

export interface CashUp {
  cash_up_id: string
  clerk_id: string
  day: string
  entry: number
  corrects: string | null
  reason: string | null
  executor_id: string
  at: Date
  lines: CountedLine[]
}

/** Stores a cash-up. A unique index refuses a second entry of the same number. */
export async function insertCashUp(
  tx: Queryable,
  corp_id: string,
  { lines, ...cashUp }: CashUp,
): Promise<void> {
  const { cash_up_id } = cashUp
  await insertRows(tx, 'cash_ups', cashUpColumns, corp_id, [cashUp])
  await insertRows(
    tx,
    'cash_up_lines',
    lineColumns,
    corp_id,
    lines.map((line) => ({ ...line, cash_up_id })),
  )
  tx.note({ record_type: 'cash_ups', record_id: cash_up_id, after: { ...cashUp, lines } })
}

/** The number of the last entry of a clerk and day, and its id. */
export async function findLastEntry(
  on: Queryable,
  corp_id: string,
  clerk_id: string,
  day: string,
): Promise<{ cash_up_id: string; entry: number } | undefined> {
  const [last] = await on.query<{ cash_up_id: string; entry: number }>(sql`
    select cash_up_id, entry from cash_ups
     where corp_id = ${corp_id} and clerk_id = ${clerk_id} and day = ${day}::date order by entry desc limit 1`)
  return last
}

/** The newest day first. The name of the clerk is that of a member of staff. */
export async function findCashUps<Row extends object>(
  on: Queryable,
  filter: { corp_id: string; clerk_id?: string; cash_up_id?: string; start_date?: string; end_date?: string },
  { limit, offset }: { limit: number; offset: number },
  timeZone: string,
): Promise<{ total: number; list: Row[] }> {
  const { corp_id, clerk_id, cash_up_id, start_date, end_date } = filter
  const only = (condition: Statement | undefined) => (condition ? sql`and ${condition}` : raw(''))
  const found = sql`
    from cash_ups c
   where c.corp_id = ${corp_id}
         ${only(clerk_id === undefined ? undefined : sql`c.clerk_id = ${clerk_id}`)}
         ${only(cash_up_id === undefined ? undefined : sql`c.cash_up_id = ${cash_up_id}`)}
         ${only(start_date === undefined ? undefined : sql`c.day >= ${start_date}::date`)}
         ${only(end_date === undefined ? undefined : sql`c.day <= ${end_date}::date`)}`
  const [[counted], list] = await on.pipeline<[{ total: number }, Row]>([
    sql`select count(*)::integer as total ${found}`,
    sql`
      select c.cash_up_id, c.clerk_id, c.day::text as day, c.entry, coalesce(c.corrects, '') as corrects,
             coalesce(c.reason, '') as reason, coalesce(c.executor_id, '') as executor_id,
             ${timestamp('c.at', timeZone)} as at,
             coalesce((select s.name from staff s where s.corp_id = ${corp_id} and s.staff_id = c.clerk_id), '') as clerk_name,
             not exists (select from cash_ups later
                          where later.corp_id = ${corp_id} and later.clerk_id = c.clerk_id and later.day = c.day
                            and later.entry > c.entry) as is_current,
             (select json_agg(json_build_object(
                       'method', l.method, 'currency', l.currency, 'payments', l.payments, 'taken_price', l.taken_price,
                       'returned_price', l.returned_price, 'expected_price', l.taken_price - l.returned_price,
                       'counted_price', l.counted_price,
                       'difference', l.counted_price - (l.taken_price - l.returned_price),
                       'reason', coalesce(l.reason, '')) order by l.method, l.currency)
                from cash_up_lines l where l.corp_id = ${corp_id} and l.cash_up_id = c.cash_up_id) as lines
        ${found} order by c.day desc, c.clerk_id, c.entry desc limit ${limit} offset ${offset}`,
  ])
  return { total: counted!.total, list }
}

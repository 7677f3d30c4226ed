import type { Queryable } from '../../../database/database.ts'
import { raw, type Statement, sql } from '../../../database/sql.ts'
import { openLines, openPayments, type Scope } from './pairing-store.ts'

/** A line, and a payment of the same amount within some days. */
export interface Candidate {
  line_id: string
  payment_id: string
  days: number
  /** Whether the bank names the person or the payer of the payment. */
  is_named: boolean
}

/** Largest distance in days between a payment and a line. */
const mostDays = 3
const nearestTaken = 5

/** Whether the texts of a line `l` contain the name of the user `u`. */
const isNamed = raw(`
  strpos(lower(concat_ws(' ', l.payer, l.reference, l.description)),
         lower(coalesce(nullif(u.name, ''), nullif(trim(concat_ws(' ', u.first_name, u.last_name)), ''), chr(1)))) > 0`)

/** For each line, the payments of the same amount that are nearest in time, before and after it. */
export function candidatesByAmount(scope: Scope): Statement {
  const { corp_id, time_zone } = scope
  const nearest = (comparison: '<' | '>=', direction: 'asc' | 'desc') => sql`
    (select p.payment_id, p.order_id, (p.completed_time at time zone ${time_zone})::date as day
       from payments p
      where p.corp_id = ${corp_id} and p.currency = l.currency and p.price = l.price
        and p.completed_time ${raw(comparison)} (l.value_date::timestamp at time zone ${time_zone})
        and p.completed_time between ((l.value_date - ${mostDays}::integer)::timestamp at time zone ${time_zone})
                                 and ((l.value_date + ${mostDays + 1}::integer)::timestamp at time zone ${time_zone})
        and p.is_open
      order by p.completed_time ${raw(direction)} limit ${nearestTaken})`
  return sql`
    select l.line_id, near.payment_id, abs(near.day - l.value_date) as days,
           exists (select from orders o join users u on u.corp_id = ${corp_id} and u.user_id = o.user_id
                    where o.corp_id = ${corp_id} and o.order_id = near.order_id and ${isNamed}) as is_named
      from (${openLines(scope)}) l
      cross join lateral (${nearest('<', 'desc')} union all ${nearest('>=', 'asc')}) near
     where abs(near.day - l.value_date) <= ${mostDays}
     order by l.value_date, l.line_id, is_named desc, days, near.payment_id`
}

const mostOfADay = 500

/** Payments near the days of the lines. */
function aroundLines(scope: Scope): Statement {
  const { time_zone } = scope
  const day = (which: Statement) =>
    sql`((select ${which} from (${openLines(scope)}) l)::timestamp at time zone ${time_zone})`
  return sql`
    and p.completed_time >= ${day(sql`min(l.value_date) - ${mostDays}::integer`)}
    and p.completed_time < ${day(sql`max(l.value_date) + 1`)}`
}

/** Payments near the lines that are compared by day while a person waits. */
const mostWaitedFor = 5000

/** Whether there are too many payments near the lines to compare their days while a person waits. */
export async function isCrowded(on: Queryable, scope: Scope): Promise<boolean> {
  const [row] = await on.query<{ payments: number }>(sql`
    select count(*)::integer as payments
      from (select from payments p where p.corp_id = ${scope.corp_id} ${aroundLines(scope)} limit ${mostWaitedFor + 1}) near`)
  return (row?.payments ?? 0) > mostWaitedFor
}

/** A line, and all open payments of a provider on one day, which it equals. */
export interface PaymentsOfDay {
  line_id: string
  payment_ids: string[]
  provider: string
  day: string
}

const mostFound = 1000

export async function findPaymentsOfDays(on: Queryable, scope: Scope): Promise<PaymentsOfDay[]> {
  return on.query<PaymentsOfDay>(sql`
    select distinct on (l.line_id) l.line_id, p.payment_ids, p.provider, p.day::text as day
      from (${openLines(scope)}) l
      join (select p.provider, p.currency, p.day, array_agg(p.payment_id order by p.payment_id) as payment_ids,
                   sum(p.price) as price
              from (${openPayments(scope)} ${aroundLines(scope)}) p
             group by p.provider, p.currency, p.day having count(*) between 2 and ${mostOfADay}) p
        on p.currency = l.currency and p.price = l.price and l.value_date - p.day between 0 and ${mostDays}
       and (l.provider = '' or l.provider = p.provider)
     order by l.line_id, l.value_date - p.day, p.provider limit ${mostFound}`)
}

const candidatesRead = 2000

/** Streams candidates, line by line. */
export async function readCandidates(
  on: Queryable,
  candidates: Statement,
  each: (ofLine: Candidate[]) => void,
): Promise<void> {
  await on.snapshot(async (tx) => {
    await tx.query(sql`declare candidates no scroll cursor for ${candidates}`)
    let ofLine: Candidate[] = []
    for (;;) {
      const rows = await tx.query<Candidate>(
        sql`fetch forward ${raw(String(candidatesRead))} from candidates`,
      )
      for (const row of rows) {
        if (ofLine.length > 0 && ofLine[0]!.line_id !== row.line_id) {
          each(ofLine)
          ofLine = []
        }
        ofLine.push(row)
      }
      if (rows.length < candidatesRead) break
    }
    if (ofLine.length > 0) each(ofLine)
    await tx.query(sql`close candidates`)
  })
}

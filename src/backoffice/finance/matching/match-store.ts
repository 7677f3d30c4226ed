import type { Queryable } from '../../../database/database.ts'
import { type InsertedRow, insertRows } from '../../../database/insert-rows.ts'
import { raw, type Statement, sql, timestamp } from '../../../database/sql.ts'
import { isVoided } from '../../../orders/ledger/balance-store.ts'

/** Lines and payments with the same sum in one currency, and the reason for the match. */
export interface Pairing {
  line_ids: string[]
  payment_ids: string[]
  reason: string
  /** 1 is certain. A lower score is a proposal. */
  score: number
  /** Of a refund, for an outgoing line. */
  refund_id?: string | null
  /** Whether the payment is in another currency than the line. */
  is_foreign?: boolean
}

/** Lines to consider: the given ones, or all open lines. */
export interface Scope {
  corp_id: string
  time_zone: string
  lineIds?: string[]
  statement_id?: string
  account_id?: string
}

/** Whether a payment `p` or a refund `r` has a match that is not undone. */
export const isMatched = (
  corp_id: string,
  column: 'payment_id' | 'refund_id',
  alias: 'p' | 'r',
): Statement => sql`
  exists (select from statement_matches m
           where m.corp_id = ${corp_id} and m.${raw(column)} = ${raw(alias)}.${raw(column)}
             and not exists (select from statement_match_undos u where u.corp_id = ${corp_id} and u.match_id = m.match_id))`

/** Whether a refund `r` is reversed. */
export const isReversed = (corp_id: string): Statement => sql`
  exists (select from refund_reversals x where x.corp_id = ${corp_id} and x.refund_id = r.refund_id)`

/** Whether a payment `p` is not void and has no match. */
export const isOpen = (corp_id: string): Statement => sql`
  not ${isMatched(corp_id, 'payment_id', 'p')}
    and not ${isVoided({ corp_id }, 'p')}`

/** Of rules that find neither refunds nor other currencies. */
const noMore = raw('null::text as refund_id, false as is_foreign')

const lineMembers = raw(`
  l.line_id, l.account_id, l.statement_id, l.provider, l.charge_id, l.reference, l.payer, l.description, l.price, l.net_price,
  l.currency, l.value_date`)

/** The reference of a payment request in the texts of a line `l`; payers write it in groups, and in any width. */
const paymentReference = raw(`
  substring(regexp_replace(upper(normalize(concat_ws(' ', l.reference, l.description), nfkc)), '[\\s.-]', '', 'g')
            from 'RF[0-9]{11}')`)

/** Incoming lines without a match, with their gross price. */
function openLines(scope: Scope, isIncoming = true): Statement {
  const { corp_id, lineIds, statement_id, account_id } = scope
  return sql`
    select l.line_id, s.account_id, s.statement_id, l.provider, l.charge_id,
           coalesce(${paymentReference}, l.reference) as reference, l.payer, l.description,
           l.price + l.fee_price as price, l.price as net_price, l.currency, l.value_date
      from statement_line_states s
      join statement_lines l on l.corp_id = ${corp_id} and l.line_id = s.line_id
     where s.corp_id = ${corp_id} and s.state = 'open' and l.price + l.fee_price ${raw(isIncoming ? '>' : '<')} 0
       ${statement_id === undefined ? raw('') : sql`and s.statement_id = ${statement_id}`}
       ${account_id === undefined ? raw('') : sql`and s.account_id = ${account_id}`}
       ${lineIds ? sql`and l.line_id = any(${lineIds})` : raw('')}`
}

/** Open lines that never had a match. A match that a person undid is not made again automatically. */
function freshLines(scope: Scope, isIncoming = true): Statement {
  return sql`
    select ${lineMembers}
      from (${openLines(scope, isIncoming)}) l
     where not exists (select from statement_matches m where m.corp_id = ${scope.corp_id} and m.line_id = l.line_id)`
}

/** Payments without a match. */
function openPayments({ corp_id, time_zone }: Scope): Statement {
  return sql`
    select p.payment_id, p.order_id, p.provider, p.charge_id, p.price, p.currency,
           (p.completed_time at time zone ${time_zone})::date as day
      from payments p
     where p.corp_id = ${corp_id} and ${isOpen(corp_id)}`
}

/** One or more lines that name the charge of a payment and sum to its price. */
export function pairByCharge(scope: Scope): Statement {
  return sql`
    select array_agg(pair.line_id order by pair.line_id) as line_ids, array[pair.payment_id] as payment_ids,
           'the same charge' as reason, 1 as score, ${noMore}
      from (select l.line_id, l.price as line_price, p.payment_id, p.price,
                   count(*) over (partition by l.line_id) as candidates
              from (${freshLines(scope)}) l
              join (${openPayments(scope)}) p
                on p.charge_id = l.charge_id and p.currency = l.currency and (l.provider = '' or p.provider in ('', l.provider))) pair
     where pair.candidates = 1
     group by pair.payment_id, pair.price
    having sum(pair.line_price) = pair.price`
}

/** A line of a gateway that settled the charge of a payment in another currency. */
export function pairForeignCharge(scope: Scope): Statement {
  return sql`
    select array[pair.line_id] as line_ids, array[pair.payment_id] as payment_ids,
           'the same charge, settled in another currency' as reason, 1 as score, null::text as refund_id,
           true as is_foreign
      from (select l.line_id, p.payment_id, count(*) over (partition by l.line_id) as payments,
                   count(*) over (partition by p.payment_id) as lines
              from (${freshLines(scope)}) l
              join (${openPayments(scope)}) p
                on p.charge_id = l.charge_id and p.provider = l.provider and p.currency <> l.currency
             where l.provider <> '') pair
     where pair.payments = 1 and pair.lines = 1`
}

/** An outgoing line with the charge and the amount of a refund. */
export function pairRefunds(scope: Scope): Statement {
  const { corp_id } = scope
  return sql`
    select array[pair.line_id] as line_ids, '{}'::text[] as payment_ids, 'the same refund' as reason, 1 as score,
           pair.refund_id, false as is_foreign
      from (select l.line_id, r.refund_id, count(*) over (partition by l.line_id) as refunds,
                   count(*) over (partition by r.refund_id) as lines
              from (${freshLines(scope, false)}) l
              join refunds r
                on r.corp_id = ${corp_id} and r.charge_id = l.charge_id and r.currency = l.currency
               and r.returned_price = -l.price and (l.provider = '' or r.provider in ('', l.provider))
             where not ${isMatched(corp_id, 'refund_id', 'r')} and not ${isReversed(corp_id)}) pair
     where pair.refunds = 1 and pair.lines = 1`
}

/** A payout: an outgoing line of one account, and an incoming line of another account that names it. */
export function pairPayouts({ statement_id, account_id, ...scope }: Scope): Statement {
  const { lineIds: _, ...all } = scope
  const isOf = (line: string) => sql`
    (${statement_id ?? null}::text is null or ${raw(line)}.statement_id = ${statement_id ?? null})
      and (${account_id ?? null}::text is null or ${raw(line)}.account_id = ${account_id ?? null})`
  return sql`
    select array[pair.from_line, pair.to_line] as line_ids, '{}'::text[] as payment_ids, 'the payout of the gateway' as reason,
           1 as score, ${noMore}
      from (select f.line_id as from_line, t.line_id as to_line, count(*) over (partition by f.line_id) as receivers,
                   count(*) over (partition by t.line_id) as senders
              from (${freshLines(all, false)}) f
              join (${freshLines(all)}) t
                on t.currency = f.currency and t.net_price = -f.net_price and t.account_id <> f.account_id
             where f.provider <> '' and f.charge_id is not null
               and strpos(lower(concat_ws(' ', t.charge_id, t.reference, t.description)), lower(f.charge_id)) > 0
               and (${isOf('f')} or ${isOf('t')})) pair
     where pair.receivers = 1 and pair.senders = 1`
}

/** Lines that are only a fee of the gateway. */
export function pairFees(scope: Scope): Statement {
  const { corp_id, statement_id, account_id, lineIds } = scope
  return sql`
    select array[l.line_id] as line_ids, '{}'::text[] as payment_ids, 'a fee of the gateway' as reason, 1 as score,
           ${noMore}
      from statement_line_states s
      join statement_lines l on l.corp_id = ${corp_id} and l.line_id = s.line_id
     where s.corp_id = ${corp_id} and s.state = 'open' and l.fee_price <> 0 and l.price + l.fee_price = 0
       ${statement_id === undefined ? raw('') : sql`and s.statement_id = ${statement_id}`}
       ${account_id === undefined ? raw('') : sql`and s.account_id = ${account_id}`}
       ${lineIds ? sql`and l.line_id = any(${lineIds})` : raw('')}
       and not exists (select from statement_matches m where m.corp_id = ${corp_id} and m.line_id = l.line_id)`
}

/** Open payments whose charge or order is named by `l.reference`. */
function namedPayments({ corp_id }: Scope): Statement {
  const open = sql`p.corp_id = ${corp_id} and p.currency = l.currency and ${isOpen(corp_id)}`
  const ofOrder = (column: 'order_id' | 'external_id') => sql`
    select p.payment_id, p.price
      from orders o join payments p on p.corp_id = ${corp_id} and p.order_id = o.order_id
     where o.corp_id = ${corp_id} and o.${raw(column)} = l.reference and ${open}`
  return sql`
    select p.payment_id, p.price from payments p where p.charge_id = l.reference and ${open}
    union ${ofOrder('order_id')} union ${ofOrder('external_id')}
    union
    select p.payment_id, p.price
      from payment_references f join payments p on p.corp_id = ${corp_id} and p.order_id = f.order_id
     where f.corp_id = ${corp_id} and f.reference = l.reference and ${open}`
}

/** All fresh lines with a reference, where they come to all open payments that it names. */
export function pairByReference(scope: Scope): Statement {
  return sql`
    select l.line_ids, p.payment_ids, 'the same reference' as reason, 1 as score, ${noMore}
      from (select l.reference, l.currency, array_agg(l.line_id order by l.line_id) as line_ids, sum(l.price) as price
              from (${freshLines(scope)}) l where l.reference is not null group by l.reference, l.currency) l
      cross join lateral (
        select array_agg(p.payment_id order by p.payment_id) as payment_ids, sum(p.price) as price
          from (${namedPayments(scope)}) p) p
     where p.price = l.price`
}

/** A line and a payment that its reference names, of the same amount, where no other is. */
export function pairByReferenceAndAmount(scope: Scope): Statement {
  return sql`
    select array[pair.line_id] as line_ids, array[pair.payment_id] as payment_ids, 'the same reference and amount' as reason,
           1 as score, ${noMore}
      from (select l.line_id, p.payment_id, count(*) over (partition by l.line_id) as payments,
                   count(*) over (partition by p.payment_id) as lines
              from (${freshLines(scope)}) l
              cross join lateral (${namedPayments(scope)}) p
             where l.reference is not null and p.price = l.price) pair
     where pair.payments = 1 and pair.lines = 1`
}

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
        and ${isOpen(corp_id)}
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

/** Whether so many payments are near the lines that comparing their days takes longer than a person waits. */
export async function isCrowded(on: Queryable, scope: Scope): Promise<boolean> {
  const [row] = await on.query<{ payments: number }>(sql`
    select count(*)::integer as payments
      from (select from payments p where p.corp_id = ${scope.corp_id} ${aroundLines(scope)} limit ${mostWaitedFor + 1}) near`)
  return (row?.payments ?? 0) > mostWaitedFor
}

/** A payout: a line that equals the sum of all open payments of a provider on one day. */
export function pairByDay(scope: Scope): Statement {
  return sql`
    select array[pair.line_id] as line_ids, pair.payment_ids, concat_ws(' ', 'all payments', 'of ' || nullif(pair.provider, ''), 'on', pair.day) as reason,
           0.7::double precision as score, ${noMore}
      from (select distinct on (l.line_id) l.line_id, p.payment_ids, p.provider, p.day
              from (${openLines(scope)}) l
              join (select p.provider, p.currency, p.day, array_agg(p.payment_id order by p.payment_id) as payment_ids,
                           sum(p.price) as price
                      from (${openPayments(scope)} ${aroundLines(scope)}) p
                     group by p.provider, p.currency, p.day having count(*) between 2 and ${mostOfADay}) p
                on p.currency = l.currency and p.price = l.price and l.value_date - p.day between 0 and ${mostDays}
               and (l.provider = '' or l.provider = p.provider)
             order by l.line_id, l.value_date - p.day, p.provider) pair`
}

/** The first pairings of one rule. */
export async function findPairings(on: Queryable, found: Statement, limit: number): Promise<Pairing[]> {
  return on.query<Pairing>(sql`
    select found.line_ids, found.payment_ids, found.reason, found.score, found.refund_id, found.is_foreign
      from (${found}) found
     order by found.line_ids limit ${limit}`)
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

/** A payment with the names that people recognize it by. */
export interface NamedPayment {
  payment_id: string
  order_id: string
  user_id: string
  name: string | null
  first_name: string | null
  last_name: string | null
  price: number
  currency: string
  completed_time: string
}

export async function findNamedPayments(
  on: Queryable,
  { corp_id, time_zone }: Scope,
  paymentIds: string[],
): Promise<NamedPayment[]> {
  if (paymentIds.length === 0) return []
  return on.query<NamedPayment>(sql`
    select p.payment_id, p.order_id, o.user_id, u.name, u.first_name, u.last_name, p.price, p.currency,
           ${timestamp('p.completed_time', time_zone)} as completed_time
      from payments p
      join orders o on o.corp_id = ${corp_id} and o.order_id = p.order_id
      join users u on u.corp_id = ${corp_id} and u.user_id = o.user_id
     where p.corp_id = ${corp_id} and p.payment_id = any(${paymentIds})
     order by p.completed_time, p.payment_id`)
}

/** Properties of a line or payment that matching checks. */
export interface Amount {
  id: string
  /** Gross. */
  price: number
  fee_price: number
  currency: string
  /** The amount in another currency that the ledger counts: that of the order. */
  order_price: number
  order_currency: string
  is_matched: boolean
}

export interface FoundAmounts {
  lines: Map<string, Amount>
  payments: Map<string, Amount>
  /** Refunds that are matched or reversed. */
  takenRefunds: Set<string>
}

export async function findAmounts(
  tx: Queryable,
  corp_id: string,
  lineIds: string[],
  paymentIds: string[],
  refundIds: string[] = [],
): Promise<FoundAmounts> {
  const [lines, payments, refunds] = await tx.pipeline<[Amount, Amount, { refund_id: string }]>([
    sql`
      select l.line_id as id, l.price + l.fee_price as price, l.fee_price, l.currency, l.price as order_price,
             l.currency as order_currency, s.state <> 'open' as is_matched
        from statement_lines l
        join statement_line_states s on s.corp_id = ${corp_id} and s.line_id = l.line_id
       where l.corp_id = ${corp_id} and l.line_id = any(${lineIds})`,
    sql`
      select p.payment_id as id, p.price, 0 as fee_price, p.currency, p.order_price,
             (select o.currency from orders o where o.corp_id = ${corp_id} and o.order_id = p.order_id) as order_currency,
             not (${isOpen(corp_id)}) as is_matched
        from payments p where p.corp_id = ${corp_id} and p.payment_id = any(${paymentIds})`,
    sql`
      select r.refund_id from refunds r
       where r.corp_id = ${corp_id} and r.refund_id = any(${refundIds}::text[])
         and (${isMatched(corp_id, 'refund_id', 'r')} or ${isReversed(corp_id)})`,
  ])
  const byId = (amounts: Amount[]) => new Map(amounts.map((amount) => [amount.id, amount]))
  const takenRefunds = new Set(refunds.map(({ refund_id }) => refund_id))
  return { lines: byId(lines), payments: byId(payments), takenRefunds }
}

const matchColumns = {
  match_id: 'text',
  line_id: 'text',
  seq: 'integer',
  kind: 'text',
  payment_id: 'text',
  refund_id: 'text',
  transfer_line_id: 'text',
  price: 'bigint',
  reason: 'text',
  executor_id: 'text',
  at: 'timestamptz',
} as const

export type MatchRow = InsertedRow<typeof matchColumns>

export async function insertMatches(tx: Queryable, corp_id: string, matches: MatchRow[]): Promise<void> {
  await insertRows(tx, 'statement_matches', matchColumns, corp_id, matches)
  tx.note(
    ...matches.map((after) => ({ record_type: 'statement_matches', record_id: after.match_id!, after })),
  )
}

/** Undoes the current matches of lines, opens all lines of these matches, and returns the ids of the matches. */
export async function undoMatches(
  tx: Queryable,
  corp_id: string,
  lineIds: string[],
  { executor_id, at }: { executor_id: string | null; at: string },
): Promise<string[]> {
  const undone = await tx.query<{ match_id: string }>(sql`
    insert into statement_match_undos as undone (corp_id, match_id, executor_id, at)
    select distinct m.corp_id, m.match_id, ${executor_id}::text, ${at}::timestamptz
      from statement_matches m
     where m.corp_id = ${corp_id} and m.line_id = any(${lineIds})
    on conflict (corp_id, match_id) do nothing
    returning undone.match_id`)
  const ids = undone.map(({ match_id }) => match_id)
  await tx.query(sql`
    update statement_line_states s set state = 'open'
     where s.corp_id = ${corp_id}
       and s.line_id in (select m.line_id from statement_matches m
                          where m.corp_id = ${corp_id} and m.match_id = any(${ids}::text[]))`)
  tx.note(...ids.map((id) => ({ record_type: 'statement_matches', record_id: id, before: { match_id: id } })))
  return ids
}

import type { Queryable } from '../../../database/database.ts'
import { raw, type Statement, sql } from '../../../database/sql.ts'
import type { MatchRule } from './match-rules.ts'
import { isTakenRefund } from './match-store.ts'

/** Lines and payments with the same sum in one currency, and the rule that found them. */
export interface Pairing {
  line_ids: string[]
  payment_ids: string[]
  rule: MatchRule
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
export function openLines(scope: Scope, isIncoming = true): Statement {
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

/** Open lines that never had a match. A match that a person undid is not repeated automatically. */
function freshLines(scope: Scope, isIncoming = true): Statement {
  return sql`
    select ${lineMembers}
      from (${openLines(scope, isIncoming)}) l
     where not exists (select from statement_matches m where m.corp_id = ${scope.corp_id} and m.line_id = l.line_id)`
}

/** Payments without a match. */
export function openPayments({ corp_id, time_zone }: Scope): Statement {
  return sql`
    select p.payment_id, p.order_id, p.provider, p.charge_id, p.price, p.currency,
           (p.completed_time at time zone ${time_zone})::date as day
      from payments p
     where p.corp_id = ${corp_id} and p.is_open`
}

/** One or more lines that name the charge of a payment and sum to its price. */
export function pairByCharge(scope: Scope): Statement {
  return sql`
    select array_agg(pair.line_id order by pair.line_id) as line_ids, array[pair.payment_id] as payment_ids,
           'charge' as rule, ${noMore}
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
           'foreign_charge' as rule, null::text as refund_id,
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
    select array[pair.line_id] as line_ids, '{}'::text[] as payment_ids, 'refund' as rule,
           pair.refund_id, false as is_foreign
      from (select l.line_id, r.refund_id, count(*) over (partition by l.line_id) as refunds,
                   count(*) over (partition by r.refund_id) as lines
              from (${freshLines(scope, false)}) l
              join refunds r
                on r.corp_id = ${corp_id} and r.charge_id = l.charge_id and r.currency = l.currency
               and r.returned_price = -l.price and (l.provider = '' or r.provider in ('', l.provider))
             where not ${isTakenRefund(corp_id)}) pair
     where pair.refunds = 1 and pair.lines = 1`
}

/**
 * A payout: an outgoing line of one account, and an incoming line of another account that names it. Lines of all statements
 * are compared: a payout that two of them name is not certain in either.
 */
export function pairPayouts({ statement_id, account_id, ...scope }: Scope): Statement {
  const { lineIds: _, ...all } = scope
  const isOf = (side: 'from' | 'to') => sql`
    (${statement_id ?? null}::text is null or pair.${raw(side)}_statement = ${statement_id ?? null})
      and (${account_id ?? null}::text is null or pair.${raw(side)}_account = ${account_id ?? null})`
  return sql`
    select array[pair.from_line, pair.to_line] as line_ids, '{}'::text[] as payment_ids, 'payout' as rule, ${noMore}
      from (select f.line_id as from_line, f.statement_id as from_statement, f.account_id as from_account,
                   t.line_id as to_line, t.statement_id as to_statement, t.account_id as to_account,
                   count(*) over (partition by f.line_id) as receivers, count(*) over (partition by t.line_id) as senders
              from (${freshLines(all, false)}) f
              join (${freshLines(all)}) t
                on t.currency = f.currency and t.net_price = -f.net_price and t.account_id <> f.account_id
             where f.provider <> '' and f.charge_id is not null
               and strpos(lower(concat_ws(' ', t.charge_id, t.reference, t.description)), lower(f.charge_id)) > 0) pair
     where pair.receivers = 1 and pair.senders = 1 and (${isOf('from')} or ${isOf('to')})`
}

/** Lines that are only a fee of the gateway. */
export function pairFees(scope: Scope): Statement {
  const { corp_id, statement_id, account_id, lineIds } = scope
  return sql`
    select array[l.line_id] as line_ids, '{}'::text[] as payment_ids, 'gateway_fee' as rule,
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
  const open = sql`p.corp_id = ${corp_id} and p.currency = l.currency and p.is_open`
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
    select l.line_ids, p.payment_ids, 'reference' as rule, ${noMore}
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
    select array[pair.line_id] as line_ids, array[pair.payment_id] as payment_ids, 'reference_and_amount' as rule, ${noMore}
      from (select l.line_id, p.payment_id, count(*) over (partition by l.line_id) as payments,
                   count(*) over (partition by p.payment_id) as lines
              from (${freshLines(scope)}) l
              cross join lateral (${namedPayments(scope)}) p
             where l.reference is not null and p.price = l.price) pair
     where pair.payments = 1 and pair.lines = 1`
}

/** The first pairings of one rule. */
export async function findPairings(on: Queryable, found: Statement, limit: number): Promise<Pairing[]> {
  return on.query<Pairing>(sql`
    select found.line_ids, found.payment_ids, found.rule, found.refund_id, found.is_foreign
      from (${found}) found
     order by found.line_ids limit ${limit}`)
}

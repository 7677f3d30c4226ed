import type { Queryable } from '../../../database/database.ts'
import { raw, type Statement, sql, timestamp } from '../../../database/sql.ts'
import type { LineState } from '../../../orders/ledger/line-state-store.ts'
import type { MatchRule } from '../matching/match-rules.ts'
import { isTakenRefund } from '../matching/match-store.ts'
import type { entryKinds } from './bank-line-row.ts'

/** A part of a line, and its counterpart. */
export interface MatchEntry {
  kind: (typeof entryKinds)[number]
  payment_id: string | null
  refund_id: string | null
  transfer_line_id: string | null
  price: number
}

/** An entry with the person of its payment or refund or the payer of an account, and the other line of a transfer. */
interface NamedEntry extends MatchEntry {
  transfer_price: number | null
  transfer_currency: string | null
  order_id: string | null
  user_name: string | null
}

/** A line with its state and its current match. */
export interface BankLine {
  line_id: string
  account_id: string
  statement_id: string
  number: number
  value_date: string
  price: number
  currency: string
  provider: string
  charge_id: string | null
  reference: string | null
  payer: string | null
  description: string | null
  fee_price: number
  payout_id: string | null
  /** Days since the value date. */
  age: number
  state: LineState
  match_id: string | null
  rule: MatchRule | null
  reason: string | null
  entries: NamedEntry[]
}

export interface LineQuery {
  corp_id: string
  today: string
  account_id?: string
  statement_id?: string
  state?: LineState
  /** Incoming or outgoing. */
  amount?: number
  /** A part of the payer, the charge, the reference or the description. */
  text?: string
  lineIds?: string[]
}

/** Lines, oldest first. */
export async function findBankLines(
  on: Queryable,
  query: LineQuery,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; price: number; list: BankLine[] }> {
  const { corp_id, today } = query
  const chosen = conditionsOf(query)
  const joined =
    query.text === undefined
      ? raw('')
      : sql`join statement_lines l on l.corp_id = ${corp_id} and l.line_id = s.line_id`
  const counted =
    query.amount === undefined && query.text === undefined && query.lineIds === undefined
      ? sql`coalesce(sum(s.lines), 0)::integer as total, coalesce(sum(s.price), 0)::bigint as price from statement_sums s`
      : sql`count(*)::integer as total, coalesce(sum(s.price), 0)::bigint as price from statement_line_states s ${joined}`
  const { sums, list } = await on.pipeline<{ sums: { total: number; price: number }; list: BankLine }>({
    sums: sql`select ${counted} where ${chosen}`,
    list: sql`
      select l.line_id, s.account_id, l.statement_id, l.number, l.value_date::text as value_date, l.price, l.currency,
             l.provider, l.charge_id, l.reference, l.payer, l.description, l.fee_price, l.payout_id,
             greatest(0, ${today}::date - s.value_date) as age, s.state, current.match_id, current.rule, current.reason,
             coalesce(current.entries, '[]') as entries
        from (select s.line_id, s.account_id, s.state, s.value_date
                from statement_line_states s ${joined}
               where ${chosen}
               order by s.value_date, s.line_id limit ${limit} offset ${offset}) s
        join statement_lines l on l.corp_id = ${corp_id} and l.line_id = s.line_id
        left join lateral (
          select m.match_id, max(m.rule) as rule, max(m.reason) as reason,
                 json_agg(json_build_object('kind', m.kind, 'payment_id', m.payment_id, 'refund_id', m.refund_id,
                                            'transfer_line_id', m.transfer_line_id, 'price', m.price,
                                            'transfer_price', t.price, 'transfer_currency', t.currency,
                                            'order_id', coalesce(p.order_id, r.order_id),
                                            'user_name', case when o.user_id is null then nullif(payer.name, '')
                                              else nullif(coalesce(u.name, concat_ws(' ', u.first_name, u.last_name)), '') end)
                          order by m.seq) as entries
            from statement_matches m
            left join payments p on p.corp_id = ${corp_id} and p.payment_id = m.payment_id
            left join refunds r on r.corp_id = ${corp_id} and r.refund_id = m.refund_id
            left join statement_lines t on t.corp_id = ${corp_id} and t.line_id = m.transfer_line_id
            left join orders o on o.corp_id = ${corp_id} and o.order_id = coalesce(p.order_id, r.order_id)
            left join users u on u.corp_id = ${corp_id} and u.user_id = o.user_id
            left join payers payer on payer.corp_id = ${corp_id} and payer.payer_id = p.payer_id
           where m.corp_id = ${corp_id} and m.line_id = s.line_id
             and not exists (select from statement_match_undos u where u.corp_id = ${corp_id} and u.match_id = m.match_id)
           group by m.match_id) current on true
       order by s.value_date, s.line_id`,
  })
  return { total: sums[0]?.total ?? 0, price: sums[0]?.price ?? 0, list }
}

function conditionsOf({ corp_id, account_id, statement_id, state, amount, text, lineIds }: LineQuery) {
  const conditions: [unknown, Statement][] = [
    [account_id, sql`s.account_id = ${account_id}`],
    [statement_id, sql`s.statement_id = ${statement_id}`],
    [state, sql`s.state = ${state}`],
    [amount, sql`abs(s.price) = ${amount}::bigint`],
    [lineIds, sql`s.line_id = any(${lineIds ?? []}::text[])`],
    [
      text,
      sql`strpos(lower(concat_ws(' ', l.payer, l.charge_id, l.reference, l.description)), lower(${text ?? ''}::text)) > 0`,
    ],
  ]
  return conditions.reduce(
    (all, [value, condition]) => (value === undefined ? all : sql`${all} and ${condition}`),
    sql`s.corp_id = ${corp_id}`,
  )
}

/** A payment without a match. The account of a payer has no user: its payments have the name of the payer. */
export interface UnmatchedPayment {
  payment_id: string
  order_id: string
  user_id: string
  name: string | null
  first_name: string | null
  last_name: string | null
  price: number
  currency: string
  provider: string
  charge_id: string | null
  completed_time: string
  /** Days since the payment. */
  age: number
}

/** Payments of one currency. */
export interface CurrencyTotal {
  currency: string
  payments: number
  price: number
}

export interface PaymentQuery {
  corp_id: string
  timeZone: string
  from: Date
  until: Date
  currency?: string
  price?: number
  /** A part of the payer's name, the charge, or the id or external id of the order. */
  text?: string
}

/** Payments without a match, oldest first. */
export async function findUnmatchedPayments(
  on: Queryable,
  { corp_id, timeZone, from, until, currency, price, text }: PaymentQuery,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ totals: CurrencyTotal[]; list: UnmatchedPayment[] }> {
  const names = sql`
    concat_ws(' ', u.name, u.first_name, u.last_name, y.name, p.charge_id, p.order_id, o.external_id)`
  const joined = sql`
    join orders o on o.corp_id = ${corp_id} and o.order_id = p.order_id
    left join users u on u.corp_id = ${corp_id} and u.user_id = o.user_id
    left join payers y on y.corp_id = ${corp_id} and y.payer_id = p.payer_id`
  const chosen = sql`
    p.corp_id = ${corp_id} and p.is_open and p.completed_time >= ${from} and p.completed_time < ${until}
      ${currency === undefined ? raw('') : sql`and p.currency = ${currency}`}
      ${price === undefined ? raw('') : sql`and p.price = ${price}`}
      ${text === undefined ? raw('') : sql`and strpos(lower(${names}), lower(${text}::text)) > 0`}`
  const searched = text === undefined ? raw('') : joined
  const { totals, list } = await on.pipeline<{ totals: CurrencyTotal; list: UnmatchedPayment }>({
    totals: sql`
      select p.currency, count(*)::integer as payments, sum(p.price)::bigint as price
        from payments p ${searched}
       where ${chosen}
       group by p.currency order by p.currency`,
    list: sql`
      select p.payment_id, p.order_id, coalesce(o.user_id, '') as user_id,
             case when o.user_id is null then y.name else u.name end as name, u.first_name, u.last_name, p.price, p.currency,
             p.provider, p.charge_id, ${timestamp('p.completed_time', timeZone)} as completed_time,
             greatest(0, (${until}::timestamptz at time zone ${timeZone})::date
                         - (p.completed_time at time zone ${timeZone})::date) as age
        from (select p.payment_id, p.order_id, p.payer_id, p.price, p.currency, p.provider, p.charge_id, p.completed_time
                from payments p ${searched}
               where ${chosen}
               order by p.completed_time, p.payment_id limit ${limit} offset ${offset}) p
        ${joined}
       order by p.completed_time, p.payment_id`,
  })
  return { totals, list }
}

/** A refund with the amount that left. It can be matched if it is neither matched nor reversed. */
interface ReturnedMoney {
  refund_id: string
  price: number
  currency: string
  /** Matched or reversed. */
  is_taken: boolean
  is_reversed: boolean
}

export async function findReturnedMoney(
  on: Queryable,
  corp_id: string,
  refundIds: string[],
): Promise<ReturnedMoney[]> {
  return on.query<ReturnedMoney>(sql`
    select r.refund_id, r.returned_price as price, r.currency, ${isTakenRefund(corp_id)} as is_taken,
           exists (select from refund_reversals x
                    where x.corp_id = ${corp_id} and x.refund_id = r.refund_id) as is_reversed
      from refunds r where r.corp_id = ${corp_id} and r.refund_id = any(${refundIds}::text[])`)
}

/** The orders of references of payment requests, with the current names of their users. */
export async function findReferencedOrders(
  on: Queryable,
  corp_id: string,
  references: string[],
): Promise<{ reference: string; order_id: string; user_name: string | null }[]> {
  if (references.length === 0) return []
  return on.query(sql`
    select n.reference, n.order_id, nullif(coalesce(u.name, concat_ws(' ', u.first_name, u.last_name)), '') as user_name
      from payment_references n
      join orders o on o.corp_id = ${corp_id} and o.order_id = n.order_id
      join users u on u.corp_id = ${corp_id} and u.user_id = o.user_id
     where n.corp_id = ${corp_id} and n.reference = any(${references}::text[])`)
}

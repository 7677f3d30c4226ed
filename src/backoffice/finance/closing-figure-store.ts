import type { Queryable } from '../../database/database.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'
import type { ChainEnd } from '../../orders/ledger/chain/chain-store.ts'
import { moneyOf } from '../../orders/listing/order-store.ts'
import { owingStatuses } from '../../orders/rules/status.ts'
import { type AccountMovement, accountMovements } from './receipt-account-store.ts'

/** The period of a closing: facts posted after `after`, up to `asOf`. */
export interface Period {
  after: string | undefined
  asOf: string
}

/** Sums of one movement in a currency. */
export interface Moved {
  movement: Movement
  currency: string
  in_period: number
  /** The part of `in_period` with a value date before the period. */
  of_earlier_periods: number
  /** From the first fact to the end of the period. */
  in_all: number
}

/**
 * Facts that move money, in the currency of their order, with price, posting time and value date. A void has the value
 * date of its payment. So does a refund that names its payment.
 */
export const movements = {
  received: movedBy('payments', {
    ...{ id: 'f.payment_id', price: 'f.order_price', at: 'f.ctime', value: 'f.completed_time' },
  }),
  voided: movedBy('payment_voids', { id: 'f.payment_id', value: 'p.completed_time' }),
  /** Moved to an order in another currency, where it is received as another payment. */
  moved: movedBy('payment_moves', { id: 'f.payment_id', value: 'p.completed_time' }),
  refunded: (corp_id: string) => sql`
    ${movedBy('refunds', {
      id: 'f.refund_id',
      at: 'f.ctime',
      value: 'least(f.completed_time, p.completed_time)',
    })(corp_id)}
    union all
    ${movedBy('refund_reversals', { id: 'f.refund_id', price: '-f.price' })(corp_id)}`,
  transferred: movedBy('order_transfers', { id: 'f.transfer_id', order: 'f.from_order_id' }),
  retained: movedBy('order_retentions'),
  written_off: movedBy('order_write_offs', { id: 'f.sub_order_id' }),
  /** Allocated to orders, less reversed allocations. */
  applied: movedBy('payment_allocations', { id: 'f.payment_id' }),
  /** The part of refunds that was allocated to orders. */
  returned: movedBy('refund_allocations', { id: 'f.refund_id', only: "and f.sub_order_id <> ''" }),
}

function movedBy(
  table: string,
  {
    id = 'f.order_id',
    order = 'f.order_id',
    price = 'f.price',
    at = 'f.at',
    value = at,
    only = '',
  }: Partial<Record<'id' | 'order' | 'price' | 'at' | 'value' | 'only', string>> = {},
) {
  return (corp_id: string): Statement => sql`
    select ${raw(id)} as id, o.order_id, o.currency, ${raw(price)} as price, ${raw(at)} as at, ${raw(value)} as value_at
      from ${raw(table)} f
      join orders o on o.corp_id = ${corp_id} and o.order_id = ${raw(order)}
      ${/\bp\./.test(`${price} ${value}`) ? sql`left join payments p on p.corp_id = ${corp_id} and p.payment_id = f.payment_id` : raw('')}
     where f.corp_id = ${corp_id} ${raw(only)}`
}

export type Movement = keyof typeof movements
export const movementNames = Object.keys(movements) as Movement[]

/** Claims at the end of the period, in a currency. */
export interface Owed {
  currency: string
  /** Total of orders that are neither canceled nor expired. */
  claims: number
  covered: number
  outstanding: number
  overdue: number
}

/** Sums of one movement on an account, in the currency of receipt and in the currency of the orders. */
export interface AccountSum {
  movement: AccountMovement
  account: string
  currency: string
  order_currency: string
  in_period: number
  in_all: number
  order_in_period: number
  order_in_all: number
}

export interface PeriodFigures {
  moved: Moved[]
  accounts: AccountSum[]
  owed: Owed[]
  chain: ChainEnd
}

/** The figures of a period. They derive only from facts and versions, so they never change. */
export async function readFigures(tx: Queryable, corp_id: string, period: Period): Promise<PeriodFigures> {
  const [moved, accounts, owed, [chain]] = await tx.pipeline<[Moved, AccountSum, Owed, ChainEnd]>([
    movedIn(corp_id, period),
    accountsIn(corp_id, period),
    owedAt(corp_id, period.asOf),
    sql`
      select hash as head, seq as length from ledger_chain
       where corp_id = ${corp_id} and at <= ${period.asOf}::timestamptz order by seq desc limit 1`,
  ])
  return { moved, accounts, owed, chain: chain ?? { head: '', length: 0 } }
}

const allMoved = (corp_id: string) => together(movements, 'currency, price, at, value_at', corp_id)
const allOnAccounts = (corp_id: string) =>
  together(accountMovements, 'account, currency, order_currency, price, order_price, at', corp_id)

/** Facts of all movements, with the name of theirs. */
function together(
  selects: Record<string, (corp_id: string) => Statement>,
  columns: string,
  corp_id: string,
): Statement {
  const facts = Object.entries(selects).map(
    ([movement, select]) =>
      sql`select ${movement}::text as movement, ${raw(columns)} from (${select(corp_id)}) fact`,
  )
  return facts.reduce((all, fact) => sql`${all} union all ${fact}`)
}

function movedIn(corp_id: string, { after = '-infinity', asOf }: Period): Statement {
  const inPeriod = sql`fact.at > ${after}::timestamptz`
  return sql`
    select fact.movement, fact.currency, coalesce(sum(fact.price) filter (where ${inPeriod}), 0)::bigint as in_period,
           coalesce(sum(fact.price) filter (where ${inPeriod} and fact.value_at <= ${after}::timestamptz), 0)::bigint
             as of_earlier_periods,
           sum(fact.price)::bigint as in_all
      from (${allMoved(corp_id)}) fact
     where fact.at <= ${asOf}::timestamptz
     group by fact.movement, fact.currency`
}

function accountsIn(corp_id: string, { after = '-infinity', asOf }: Period): Statement {
  const inPeriod = sql`filter (where fact.at > ${after}::timestamptz)`
  return sql`
    select fact.movement, fact.account, fact.currency, fact.order_currency,
           coalesce(sum(fact.price) ${inPeriod}, 0)::bigint as in_period, sum(fact.price)::bigint as in_all,
           coalesce(sum(fact.order_price) ${inPeriod}, 0)::bigint as order_in_period,
           sum(fact.order_price)::bigint as order_in_all
      from (${allOnAccounts(corp_id)}) fact
     where fact.at <= ${asOf}::timestamptz
     group by fact.movement, fact.account, fact.currency, fact.order_currency`
}

/** Sums of several periods, each numbered from 0. */
export interface PeriodSums {
  moved: (Omit<Moved, 'in_all'> & { period: number })[]
  accounts: (Omit<AccountSum, 'in_all' | 'order_in_all'> & { period: number })[]
}

/** The sums of consecutive periods, which end at these instants, in one pass over the facts. */
export async function readPeriods(tx: Queryable, corp_id: string, asOfs: string[]): Promise<PeriodSums> {
  // A fact at the last instant of a period belongs to it.
  const period = sql`width_bucket(fact.at - interval '1 microsecond', ${asOfs}::timestamptz[])`
  const upToLast = sql`where fact.at <= ${asOfs.at(-1)!}::timestamptz`
  const [moved, accounts] = await tx.pipeline<[PeriodSums['moved'][number], PeriodSums['accounts'][number]]>([
    sql`
      select fact.period, fact.movement, fact.currency, sum(fact.price)::bigint as in_period,
             coalesce(sum(fact.price) filter (where fact.value_at <= (${asOfs}::timestamptz[])[fact.period]), 0)::bigint
               as of_earlier_periods
        from (select fact.movement, fact.currency, fact.price, fact.value_at, ${period} as period
                from (${allMoved(corp_id)}) fact ${upToLast}) fact
       group by fact.period, fact.movement, fact.currency`,
    sql`
      select fact.period, fact.movement, fact.account, fact.currency, fact.order_currency,
             sum(fact.price)::bigint as in_period, sum(fact.order_price)::bigint as order_in_period
        from (select fact.movement, fact.account, fact.currency, fact.order_currency, fact.price, fact.order_price,
                     ${period} as period
                from (${allOnAccounts(corp_id)}) fact ${upToLast}) fact
       group by fact.period, fact.movement, fact.account, fact.currency, fact.order_currency`,
  ])
  return { moved, accounts }
}

/** The debts at an instant. */
export function readOwed(tx: Queryable, corp_id: string, asOf: string): Promise<Owed[]> {
  return tx.query<Owed>(owedAt(corp_id, asOf))
}

/** Reads the version of each order as of the instant, and applies the rules of `unpaid_price` in lists. */
function owedAt(corp_id: string, asOf: string): Statement {
  return sql`
    select s.currency, sum(s.claim)::bigint as claims, sum(s.claim - s.unpaid)::bigint as covered,
           sum(s.unpaid)::bigint as outstanding,
           coalesce(sum(s.unpaid) filter (where s.payment_deadline <= ${asOf}::timestamptz), 0)::bigint as overdue
      from (
        select s.currency, s.payment_deadline, money.unpaid_price as unpaid,
               case when s.status = any(${owingStatuses}) then money.claim_price else 0 end as claim
          from orders o
          cross join lateral (
            select v.record from order_versions v
             where v.corp_id = ${corp_id} and v.order_id = o.order_id and v.at <= ${asOf}::timestamptz
             order by v.version desc limit 1) v
          cross join lateral jsonb_to_recordset(v.record->'sub_orders')
            as s(sub_order_id text, status text, currency text, total_price bigint, payment_deadline timestamptz)
          ${moneyOf({ asOf, corp_id })}
         where o.corp_id = ${corp_id}) s
     group by s.currency`
}

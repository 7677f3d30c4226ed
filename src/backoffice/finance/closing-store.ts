import type { Queryable } from '../../database/database.ts'
import { microseconds, raw, type Statement, sql } from '../../database/sql.ts'
import type { ChainEnd } from '../../orders/ledger/chain/chain-store.ts'
import { moneyOf } from '../../orders/listing/order-store.ts'
import { owingStatuses } from '../../orders/rules/status.ts'

export interface StoredClosing {
  until: string
  as_of: string
  document: string
}

const columns = sql`until::text as until, ${microseconds('as_of')} as as_of, document`

export async function findClosing(
  on: Queryable,
  corp_id: string,
  until: string,
): Promise<StoredClosing | undefined> {
  const [closing] = await on.query<StoredClosing>(sql`
    select ${columns} from closings where corp_id = ${corp_id} and until = ${until}::date`)
  return closing
}

export async function findLastClosing(on: Queryable, corp_id: string): Promise<StoredClosing | undefined> {
  const [closing] = await on.query<StoredClosing>(sql`
    select ${columns} from closings where corp_id = ${corp_id} order by closings.until desc limit 1`)
  return closing
}

/** The last day of the period whose closing has this instant. */
export async function findClosingAt(on: Queryable, corp_id: string, as_of: string): Promise<string | null> {
  const [closing] = await on.query<{ until: string }>(sql`
    select until::text as until from closings where corp_id = ${corp_id} and as_of = ${as_of}::timestamptz`)
  return closing?.until ?? null
}

/** Newest first. */
export async function findClosings(
  on: Queryable,
  corp_id: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; closings: StoredClosing[] }> {
  const [[counted], closings] = await on.pipeline<[{ total: number }, StoredClosing]>([
    sql`select count(*)::integer as total from closings where corp_id = ${corp_id}`,
    sql`
      select ${columns} from closings where corp_id = ${corp_id}
       order by closings.until desc limit ${limit} offset ${offset}`,
  ])
  return { total: counted!.total, closings }
}

export async function insertClosing(
  tx: Queryable,
  corp_id: string,
  { until, as_of, document, executor_id, at }: StoredClosing & { executor_id: string | null; at: string },
): Promise<void> {
  await tx.query(sql`
    insert into closings (corp_id, until, as_of, document, executor_id, at)
    values (${corp_id}, ${until}::date, ${as_of}::timestamptz, ${document}, ${executor_id}, ${at}::timestamptz)`)
  tx.note({ record_type: 'closings', record_id: until, after: { as_of } })
}

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

export interface PeriodFigures {
  moved: Moved[]
  owed: Owed[]
  chain: ChainEnd
}

/** The figures of a period. They derive only from facts and versions, so they never change. */
export async function readFigures(tx: Queryable, corp_id: string, period: Period): Promise<PeriodFigures> {
  const [moved, owed, [chain]] = await tx.pipeline<[Moved, Owed, ChainEnd]>([
    movedIn(corp_id, period),
    owedAt(corp_id, period),
    sql`
      select hash as head, seq as length from ledger_chain
       where corp_id = ${corp_id} and at <= ${period.asOf}::timestamptz order by seq desc limit 1`,
  ])
  return { moved, owed, chain: chain ?? { head: '', length: 0 } }
}

function movedIn(corp_id: string, { after = '-infinity', asOf }: Period): Statement {
  const facts = Object.entries(movements).map(
    ([movement, select]) => sql`
      select ${movement}::text as movement, fact.currency, fact.price, fact.at, fact.value_at from (${select(corp_id)}) fact`,
  )
  const inPeriod = sql`fact.at > ${after}::timestamptz`
  return sql`
    select fact.movement, fact.currency, coalesce(sum(fact.price) filter (where ${inPeriod}), 0)::bigint as in_period,
           coalesce(sum(fact.price) filter (where ${inPeriod} and fact.value_at <= ${after}::timestamptz), 0)::bigint
             as of_earlier_periods,
           sum(fact.price)::bigint as in_all
      from (${facts.reduce((all, fact) => sql`${all} union all ${fact}`)}) fact
     where fact.at <= ${asOf}::timestamptz
     group by fact.movement, fact.currency`
}

/** Reads the version of each order as of the instant, and applies the rules of `unpaid_price` in lists. */
function owedAt(corp_id: string, { asOf }: Period): Statement {
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

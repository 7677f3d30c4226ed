import type { Queryable } from '../../database/database.ts'
import { raw, type Statement, sql, timestamp } from '../../database/sql.ts'
import type { LedgerInstant } from '../../orders/ledger/ledger-clock-store.ts'

/** A range of value dates, and the instant of the report. */
export interface ReceiptsQuery {
  corp_id: string
  from: Date
  until: Date
  asOf: LedgerInstant
  timeZone: string
  currency?: string
  course_code?: string
  month?: string
}

export interface ReceiptsGroup {
  month: string
  currency: string
  course_code: string
  payments: number
  received: number
  refunds: number
  refunded: number
}

/** Parts of payments, and refunds, in their own currency, with the course of the order that has the money. */
function movements({
  corp_id,
  from,
  until,
  asOf,
  timeZone,
  currency,
  course_code,
  month,
}: ReceiptsQuery): Statement {
  const monthOf = sql`to_char(f.completed_time at time zone ${timeZone}::text, 'YYYY-MM')`
  const facts = (table: string, columns: string, holder: Statement) => sql`
    select ${raw(columns)}, o.order_id, f.currency, f.completed_time, f.ctime, ${monthOf} as month,
           coalesce(o.course_code, '') as course_code, coalesce(o.user_id, '') as user_id
      from ${raw(table)} f
      ${holder}
     where f.corp_id = ${corp_id} and f.completed_time >= ${from} and f.completed_time < ${until}
       and f.ctime <= ${asOf}::timestamptz
           ${currency === undefined ? raw('') : sql`and f.currency = ${currency}`}
           ${course_code === undefined ? raw('') : sql`and coalesce(o.course_code, '') = ${course_code}`}
           ${month === undefined ? raw('') : sql`and ${monthOf} = ${month}`}`
  const paid = sql`
      cross join lateral (${partsByOrder({ corp_id, asOf })}) part
      join orders o on o.corp_id = ${corp_id} and o.order_id = part.order_id`
  const refunded = sql`join orders o on o.corp_id = ${corp_id} and o.order_id = f.order_id`
  return sql`
    ${facts('payments', `'payment' as kind, f.payment_id as id, part.price`, paid)}
    union all
    ${facts('refunds', `'refund' as kind, f.refund_id as id, -f.returned_price as price`, refunded)}
      and not exists (select from refund_reversals v
                       where v.corp_id = ${corp_id} and v.refund_id = f.refund_id and v.at <= ${asOf}::timestamptz)`
}

/**
 * The parts of a payment `f` by order: the allocations of each order, and the rest on the order that it was recorded for.
 * A void or moved part is on no order. In the currency of the payment, the differences of rounded running sums: they sum
 * to the payment.
 */
function partsByOrder({ corp_id, asOf }: Pick<ReceiptsQuery, 'corp_id' | 'asOf'>): Statement {
  const ofPayment = (table: string) => sql`
    from ${raw(table)} x
   where x.corp_id = ${corp_id} and x.payment_id = f.payment_id and x.at <= ${asOf}::timestamptz`
  const sumOf = (table: string) => sql`coalesce((select sum(x.price) ${ofPayment(table)}), 0)`
  const inOwnCurrency = (sum: string) => `round(f.price::numeric * (${sum}) / f.order_price)`
  return sql`
    select running.order_id,
           case when f.order_price = 0 then f.price
                else ${raw(`${inOwnCurrency('running.sum')} - ${inOwnCurrency('running.sum - running.price')}`)}
            end::bigint as price
      from (select held.order_id, held.price, sum(held.price) over (order by held.order_id) as sum
              from (select line.order_id, sum(line.price) as price
                      from (select x.order_id, x.price ${ofPayment('payment_allocations')}
                            union all
                            select f.order_id, f.order_price - ${sumOf('payment_voids')} - ${sumOf('payment_moves')}
                                               - ${sumOf('payment_allocations')}) line
                     group by line.order_id
                    having sum(line.price) > 0 or f.order_price = 0) held) running`
}

export async function readReceipts(on: Queryable, query: ReceiptsQuery): Promise<ReceiptsGroup[]> {
  return on.query<ReceiptsGroup>(sql`
    select moved.month, moved.currency, moved.course_code, count(*) filter (where moved.kind = 'payment')::integer as payments,
           coalesce(sum(moved.price) filter (where moved.kind = 'payment'), 0)::bigint as received,
           count(*) filter (where moved.kind = 'refund')::integer as refunds,
           coalesce(-sum(moved.price) filter (where moved.kind = 'refund'), 0)::bigint as refunded
      from (${movements(query)}) moved
     group by moved.month, moved.currency, moved.course_code
     order by moved.month, moved.currency, moved.course_code`)
}

export interface ReceiptsRow {
  kind: 'payment' | 'refund'
  id: string
  order_id: string
  user_id: string
  course_code: string
  month: string
  price: number
  currency: string
  completed_time: string
  ctime: string
}

/** The facts behind a figure: the count and sum of all, and one page of them. */
export async function readReceiptsRows(
  on: Queryable,
  query: ReceiptsQuery,
  kind: ReceiptsRow['kind'] | undefined,
  page: { limit: number; offset: number },
): Promise<{ total: number; value: number; rows: ReceiptsRow[] }> {
  const { timeZone } = query
  const moved = sql`from (${movements(query)}) moved ${kind === undefined ? raw('') : sql`where moved.kind = ${kind}`}`
  return on.snapshot(async (tx) => {
    const [sum] = await tx.query<{ total: number; value: number }>(sql`
      select count(*)::integer as total, coalesce(sum(moved.price), 0)::bigint as value ${moved}`)
    const rows = await tx.query<ReceiptsRow>(sql`
      select moved.kind, moved.id, moved.order_id, moved.user_id, moved.course_code, moved.month, moved.price,
             moved.currency, ${timestamp('moved.completed_time', timeZone)} as completed_time,
             ${timestamp('moved.ctime', timeZone)} as ctime
        ${moved}
       order by moved.completed_time, moved.kind, moved.id, moved.order_id limit ${page.limit} offset ${page.offset}`)
    return { ...sum!, rows }
  })
}

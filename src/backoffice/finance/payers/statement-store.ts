import type { Queryable } from '../../../database/database.ts'
import { raw, type Statement, sql, timestamp } from '../../../database/sql.ts'
import { joinBalance } from '../../../orders/ledger/balance-store.ts'
import { receiptNumber } from '../../../orders/ledger/receipt-store.ts'

export const entryKinds = [
  'received',
  'voided',
  'void_reversed',
  'moved',
  'refunded',
  'refund_reversed',
] as const

/** The sums of a payer in a currency. */
export interface PayerBalance {
  currency: string
  opening_price: number
  received_price: number
  voided_price: number
  moved_price: number
  refunded_price: number
  closing_price: number
  allocated_price: number
  unallocated_price: number
}

interface StatementQuery {
  corp_id: string
  payer_id: string
  currency?: string
  from?: Date
  until?: Date
  timeZone: string
}

/**
 * Money that payments of payers brought and returned, by posting time, in the currency of the orders. `payers` is a
 * condition on a payment `p`.
 */
function entriesOf(corp_id: string, payers: Statement): Statement {
  const ofPayment = (columns: string, table: string, group = '') => sql`
    select p.payer_id, o.currency, p.payment_id, ${raw(columns)}
      from payments p
      join orders o on o.corp_id = ${corp_id} and o.order_id = p.order_id
      join ${raw(table)} x on x.corp_id = ${corp_id} and x.payment_id = p.payment_id
     where p.corp_id = ${corp_id} and ${payers} ${raw(group)}`
  return sql`
    select p.payer_id, o.currency, p.payment_id, '' as refund_id, 'received' as kind, p.order_price as price, p.ctime as at
      from payments p join orders o on o.corp_id = ${corp_id} and o.order_id = p.order_id
     where p.corp_id = ${corp_id} and ${payers}
    union all
    ${ofPayment(`'', case when x.price > 0 then 'voided' else 'void_reversed' end, -x.price, x.at`, 'payment_voids')}
    union all
    ${ofPayment(`'', 'moved', -x.price, x.at`, 'payment_moves')}
    union all
    ${ofPayment(
      `x.refund_id, case when x.price > 0 then 'refunded' else 'refund_reversed' end, -sum(x.price)::bigint, x.at`,
      'refund_allocations',
      'group by p.payer_id, o.currency, p.payment_id, x.refund_id, x.price > 0, x.at',
    )}`
}

/** The sums of a payer by currency: up to the first day, within the range, and of the money as it is now. */
export async function readPayerBalances(on: Queryable, query: StatementQuery): Promise<PayerBalance[]> {
  const { corp_id, payer_id, currency, from, until } = query
  const before = from === undefined ? raw('false') : sql`e.at < ${from}`
  const within = sql`not (${before}) ${until === undefined ? raw('') : sql`and e.at < ${until}`}`
  const sumOf = (condition: Statement, sign = '') =>
    sql`coalesce(${raw(sign)}sum(e.price) filter (where ${condition}), 0)::bigint`
  const kind = (names: string) => sql`${within} and e.kind in (${raw(names)})`
  return on.query<PayerBalance>(sql`
    select sums.*, now_held.allocated_price, now_held.held_price - now_held.allocated_price as unallocated_price
      from (select e.currency, ${sumOf(before)} as opening_price, ${sumOf(kind(`'received'`))} as received_price,
                   ${sumOf(kind(`'voided', 'void_reversed'`), '-')} as voided_price,
                   ${sumOf(kind(`'moved'`), '-')} as moved_price,
                   ${sumOf(kind(`'refunded', 'refund_reversed'`), '-')} as refunded_price,
                   ${sumOf(until === undefined ? raw('true') : sql`e.at < ${until}`)} as closing_price
              from (${entriesOf(corp_id, sql`p.payer_id = ${payer_id}`)}) e
             group by e.currency) sums
      join (select o.currency, sum(balance.held)::bigint as held_price, sum(balance.applied)::bigint as allocated_price
              from payments f join orders o on o.corp_id = ${corp_id} and o.order_id = f.order_id
              ${joinBalance({ corp_id })}
             where f.corp_id = ${corp_id} and f.payer_id = ${payer_id}
             group by o.currency) now_held on now_held.currency = sums.currency
     ${currency === undefined ? raw('') : sql`where sums.currency = ${currency}`}
     order by sums.currency`)
}

/** The entries of a statement with running balances, the oldest first. */
export async function findStatementEntries<Row extends object>(
  on: Queryable,
  query: StatementQuery,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; list: Row[] }> {
  const { corp_id, payer_id, currency, from, until, timeZone } = query
  const range = sql`
    where true ${from === undefined ? raw('') : sql`and e.at >= ${from}`}
          ${until === undefined ? raw('') : sql`and e.at < ${until}`}
          ${currency === undefined ? raw('') : sql`and e.currency = ${currency}`}`
  const entries = entriesOf(corp_id, sql`p.payer_id = ${payer_id}`)
  const [[counted], list] = await on.pipeline<[{ total: number }, Row]>([
    sql`select count(*)::integer as total from (${entries}) e ${range}`,
    sql`
      select e.currency, e.kind, e.price, e.balance, e.payment_id, e.refund_id, ${timestamp('e.at', timeZone)} as at,
             ${timestamp('p.completed_time', timeZone)} as completed_time, coalesce(p.method, '') as method,
             coalesce(p.charge_id, '') as charge_id, coalesce(p.comments, '') as comments,
             coalesce(p.receipt_num, (select ${receiptNumber} from receipts r
                                       where r.corp_id = ${corp_id} and r.payment_id = p.payment_id)) as receipt_num,
             array(select a.order_id from payment_allocations a
                    where a.corp_id = ${corp_id} and a.payment_id = p.payment_id
                    group by a.order_id having sum(a.price) <> 0 order by a.order_id) as order_ids
        from (select e.*, sum(e.price) over (partition by e.currency
                                             order by e.at, e.kind, e.payment_id, e.refund_id)::bigint as balance
                from (${entries}) e) e
        join payments p on p.corp_id = ${corp_id} and p.payment_id = e.payment_id
       ${range}
       order by e.currency, e.at, e.kind, e.payment_id, e.refund_id limit ${limit} offset ${offset}`,
  ])
  return { total: counted!.total, list }
}

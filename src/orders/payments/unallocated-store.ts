import type { Queryable } from '../../database/database.ts'
import { raw, type Statement, sql, timestamp } from '../../database/sql.ts'
import { joinBalance } from '../ledger/balance-store.ts'
import { receiptNumber } from '../ledger/receipt-store.ts'

interface UnallocatedFilter {
  corp_id: string
  payer_id?: string
  currency?: string
  /** By the reported time of the payment. */
  from?: Date
  until?: Date
}

interface UnallocatedPage extends UnallocatedFilter {
  timeZone: string
  limit: number
  offset: number
}

export interface UnallocatedTotal {
  currency: string
  payments: number
  unallocated_price: number
}

/**
 * Payments with money that no order has, with their balance. Only payments that no order took whole, or that lost an
 * allocation, can have such money; each of them is found by an index.
 */
function waiting({ corp_id, payer_id, currency, from, until }: UnallocatedFilter): Statement {
  return sql`
      from (select f.payment_id from payments f
             where f.corp_id = ${corp_id} and (f.unapplied_reason is not null or f.order_price = 0)
            union
            select a.payment_id from payment_allocations a where a.corp_id = ${corp_id} and a.price < 0) candidate
      join payments f on f.corp_id = ${corp_id} and f.payment_id = candidate.payment_id
      join orders o on o.corp_id = ${corp_id} and o.order_id = f.order_id
      ${joinBalance({ corp_id })}
      left join payers payer on payer.corp_id = ${corp_id} and payer.payer_id = f.payer_id
      left join users u on u.corp_id = ${corp_id} and u.user_id = coalesce(payer.user_id, o.user_id)
     where balance.held > balance.applied
           ${payer_id === undefined ? raw('') : sql`and f.payer_id = ${payer_id}`}
           ${currency === undefined ? raw('') : sql`and o.currency = ${currency}`}
           ${from === undefined ? raw('') : sql`and f.completed_time >= ${from}`}
           ${until === undefined ? raw('') : sql`and f.completed_time < ${until}`}`
}

function totalling(filter: UnallocatedFilter): Statement {
  return sql`
    select o.currency, count(*)::integer as payments, sum(balance.held - balance.applied)::bigint as unallocated_price
      ${waiting(filter)} group by o.currency order by o.currency`
}

/** The unallocated sums by currency. */
export async function readUnallocatedTotals(
  on: Queryable,
  filter: UnallocatedFilter,
): Promise<UnallocatedTotal[]> {
  return on.query(totalling(filter))
}

/** The oldest first. */
export async function findUnallocated<Row extends object>(
  on: Queryable,
  filter: UnallocatedPage,
): Promise<{ totals: UnallocatedTotal[]; list: Row[] }> {
  const { corp_id, timeZone, limit, offset } = filter
  const [totals, list] = await on.pipeline<[UnallocatedTotal, Row]>([
    totalling(filter),
    sql`
      select f.payment_id, f.order_id, coalesce(f.payer_id, '') as payer_id, coalesce(payer.name, '') as payer_name,
             coalesce(u.user_id, '') as user_id,
             coalesce(nullif(u.name, ''), trim(concat_ws(' ', u.first_name, u.last_name)), '') as user_name,
             f.price, f.currency, o.currency as order_currency, (balance.held - balance.applied)::bigint as unallocated_price,
             coalesce(f.unapplied_reason, '') as unapplied_reason, coalesce(f.method, '') as method,
             coalesce(f.charge_id, '') as charge_id, coalesce(f.comments, '') as comments,
             coalesce(f.receipt_num, (
               select ${receiptNumber} from receipts r where r.corp_id = ${corp_id} and r.payment_id = f.payment_id)) as receipt_num,
             ${timestamp('f.completed_time', timeZone)} as completed_time
        ${waiting(filter)} order by f.completed_time, f.payment_id limit ${limit} offset ${offset}`,
  ])
  return { totals, list }
}

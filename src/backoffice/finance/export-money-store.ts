import type { Queryable } from '../../database/database.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'
import { timestampOrEmpty as timestamp } from '../../database/sql-time.ts'
import type { LedgerInstant } from '../../orders/ledger/ledger-clock-store.ts'
import { receiptNumber } from '../../orders/ledger/receipt-store.ts'
import type { MoneyFilter } from '../../orders/payments/money-list-store.ts'
import type { PaymentState } from '../../orders/payments/payment-states.ts'

/** Columns. An amount names the column of its currency. */
type Columns = Record<string, { of?: 'currency' | 'order_currency' }>

const text = {}
const paid = { of: 'currency' } as const
const owed = { of: 'order_currency' } as const

/** The columns of exports, in their order. */
export const moneyColumns = {
  payments: {
    payment_id: text,
    receipt_num: text,
    state: text,
    order_id: text,
    sub_order_id: text,
    user_id: text,
    account_name: text,
    price: paid,
    currency: text,
    rate: text,
    order_price: owed,
    applied_price: owed,
    unapplied_price: owed,
    refund_price: owed,
    order_currency: text,
    source: text,
    provider: text,
    method: text,
    charge_id: text,
    comments: text,
    unapplied_reason: text,
    void_reason: text,
    void_time: text,
    executor_id: text,
    completed_time: text,
    ctime: text,
  },
  refunds: {
    refund_id: text,
    order_id: text,
    sub_order_id: text,
    payment_id: text,
    user_id: text,
    account_name: text,
    returned_price: paid,
    currency: text,
    rate: text,
    price: owed,
    surplus_price: owed,
    order_currency: text,
    provider: text,
    method: text,
    charge_id: text,
    reason: text,
    executor_id: text,
    completed_time: text,
    ctime: text,
  },
} satisfies Record<string, Columns>

const batchSize = 500

/** Payments or refunds by completion time, in batches. Later facts than the instant are not visible. */
export async function* readMoneyAsOf(
  tx: Queryable,
  what: keyof typeof moneyColumns,
  filter: MoneyFilter & { state?: PaymentState },
  asOf: LedgerInstant,
): AsyncGenerator<{ total: number; rows: Record<string, string | number | null>[] }> {
  const rows = what === 'payments' ? paymentsAsOf(filter, asOf) : refundsAsOf(filter, asOf)
  const key = raw(what === 'payments' ? 'payment_id' : 'refund_id')
  const only = filter.state === undefined ? raw('') : sql`where money.state = ${filter.state}`
  await tx.query(sql`
    declare money no scroll cursor for
    select ${raw(Object.keys(moneyColumns[what]).join(', '))}, count(*) over () as total
      from (${rows}) money ${only}
     order by money.completed, money.${key}`)
  for (;;) {
    const batch = await tx.query<Record<string, string | number | null> & { total: number }>(sql`
      fetch forward ${raw(String(batchSize))} from money`)
    if (batch.length > 0) yield { total: batch[0]!.total, rows: batch }
    if (batch.length < batchSize) return
  }
}

function paymentsAsOf(filter: MoneyFilter, asOf: LedgerInstant): Statement {
  const { corp_id, timeZone } = filter
  return sql`
    select f.payment_id, coalesce(f.receipt_num, ${receiptNumber}) as receipt_num,
           case when v.at is not null then 'void' when applied.price > 0 then 'applied'
                when f.order_price > 0 and back.price >= f.order_price then 'refunded' else 'unapplied' end as state,
           ${sharedColumns(timeZone)}, f.price, f.currency, f.rate, f.order_price, applied.price as applied_price,
           case when v.at is not null then 0 else f.order_price - applied.price - back.price + back.applied end::bigint
             as unapplied_price,
           back.price as refund_price, f.source, coalesce(f.comments, '') as comments,
           coalesce(f.unapplied_reason, '') as unapplied_reason, coalesce(v.reason, '') as void_reason,
           ${timestamp('v.at', timeZone)} as void_time
      from payments f
      join orders o on o.corp_id = ${corp_id} and o.order_id = f.order_id
      left join receipts r on r.corp_id = ${corp_id} and r.payment_id = f.payment_id
      left join payment_voids v on v.corp_id = ${corp_id} and v.payment_id = f.payment_id and v.at <= ${asOf}::timestamptz
      cross join lateral (
        select coalesce(sum(a.price), 0)::bigint as price
          from payment_allocations a
         where a.corp_id = ${corp_id} and a.payment_id = f.payment_id and a.at <= ${asOf}::timestamptz) applied
      cross join lateral (
        select coalesce(sum(given.price), 0)::bigint as price,
               coalesce(sum((select sum(b.price) from refund_allocations b
                              where b.corp_id = ${corp_id} and b.refund_id = given.refund_id)), 0)::bigint as applied
          from refunds given
         where given.corp_id = ${corp_id} and given.payment_id = f.payment_id and given.ctime <= ${asOf}::timestamptz) back
     ${selected(filter, asOf)}`
}

function refundsAsOf(filter: MoneyFilter, asOf: LedgerInstant): Statement {
  const { corp_id, timeZone } = filter
  return sql`
    select f.refund_id, coalesce(f.payment_id, '') as payment_id, ${sharedColumns(timeZone)}, f.price, f.returned_price,
           f.currency, f.rate,
           (select coalesce(sum(b.surplus_price), 0)::bigint from refund_allocations b
             where b.corp_id = ${corp_id} and b.refund_id = f.refund_id) as surplus_price, coalesce(f.reason, '') as reason
      from refunds f
      join orders o on o.corp_id = ${corp_id} and o.order_id = f.order_id
     ${selected(filter, asOf)}`
}

/** Columns that payments and refunds `f` share, and columns of the order `o` that never change. */
function sharedColumns(timeZone: string): Statement {
  return sql`
    f.order_id, coalesce(f.sub_order_id, '') as sub_order_id, o.user_id,
    coalesce(o.user_copy->>'account_name', '') as account_name, o.currency as order_currency, f.provider,
    coalesce(f.method, '') as method, coalesce(f.charge_id, '') as charge_id, coalesce(f.executor_id, '') as executor_id,
    ${timestamp('f.completed_time', timeZone)} as completed_time, ${timestamp('f.ctime', timeZone)} as ctime,
    f.completed_time as completed`
}

function selected({ corp_id, from, until, method, provider }: MoneyFilter, asOf: LedgerInstant): Statement {
  const only = (column: string, value: string | undefined) =>
    value === undefined ? raw('') : sql`and ${raw(column)} = ${value}`
  return sql`
    where f.corp_id = ${corp_id} and f.ctime <= ${asOf}::timestamptz ${only('f.method', method)}
          ${only('f.provider', provider)} ${from === undefined ? raw('') : sql`and f.completed_time >= ${from}`}
          ${until === undefined ? raw('') : sql`and f.completed_time < ${until}`}`
}

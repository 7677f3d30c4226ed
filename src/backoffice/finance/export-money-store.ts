import type { Queryable } from '../../database/database.ts'
import { raw, type Statement, sql, timestampOrEmpty as timestamp } from '../../database/sql.ts'
import { joinBalance, paymentState } from '../../orders/ledger/balance-store.ts'
import type { LedgerInstant } from '../../orders/ledger/ledger-clock-store.ts'
import { receiptNumber } from '../../orders/ledger/receipt-store.ts'
import type { MoneyFilter } from '../../orders/payments/money-list-store.ts'
import type { PaymentState } from '../../orders/rules/payment-balance.ts'
import { accountOf, inCurrencyOfReceipt, joinAccountOfRefund } from './receipt-account-store.ts'

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
    payer_id: text,
    payer_name: text,
    account: text,
    price: paid,
    voided_price: paid,
    moved_price: paid,
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
    matched_time: text,
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
    account: text,
    returned_price: paid,
    currency: text,
    rate: text,
    price: owed,
    surplus_price: owed,
    credited_price: owed,
    reversed_price: owed,
    order_currency: text,
    provider: text,
    method: text,
    charge_id: text,
    reason: text,
    matched_time: text,
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
    select f.payment_id, ${raw(accountOf('f'))} as account, ${raw(inCurrencyOfReceipt('balance.voided', 'f'))} as voided_price,
           ${raw(inCurrencyOfReceipt('balance.moved', 'f'))} as moved_price, coalesce(f.receipt_num, ${receiptNumber}) as receipt_num,
           ${paymentState} as state,
           ${sharedColumns(timeZone)}, coalesce(f.payer_id, '') as payer_id, coalesce(payer.name, '') as payer_name, f.price, f.currency, f.rate, f.order_price, balance.applied as applied_price,
           balance.held - balance.applied as unapplied_price, balance.refunded as refund_price, f.source, coalesce(f.comments, '') as comments,
           coalesce(f.unapplied_reason, '') as unapplied_reason, coalesce(v.reason, '') as void_reason,
           ${timestamp('v.at', timeZone)} as void_time, ${timestamp('matched.at', timeZone)} as matched_time
      from payments f
      join orders o on o.corp_id = ${corp_id} and o.order_id = f.order_id
      left join payers payer on payer.corp_id = ${corp_id} and payer.payer_id = f.payer_id
      left join receipts r on r.corp_id = ${corp_id} and r.payment_id = f.payment_id
      ${joinBalance({ corp_id, asOf })}
      left join lateral (
        select v.reason, v.at from payment_voids v
         where v.corp_id = ${corp_id} and v.payment_id = f.payment_id and v.at <= ${asOf}::timestamptz and balance.voided > 0
         order by v.at desc limit 1) v on true
      ${joinMatch(corp_id, 'payment_id', asOf)}
     ${selected(filter, asOf)}`
}

function refundsAsOf(filter: MoneyFilter, asOf: LedgerInstant): Statement {
  const { corp_id, timeZone } = filter
  return sql`
    select f.refund_id, paid.account, coalesce(f.payment_id, '') as payment_id, ${sharedColumns(timeZone)}, f.price, f.returned_price,
           f.currency, f.rate,
           lines.surplus_price, lines.credited_price, reversed.price as reversed_price, coalesce(f.reason, '') as reason,
           ${timestamp('matched.at', timeZone)} as matched_time
      from refunds f
      join orders o on o.corp_id = ${corp_id} and o.order_id = f.order_id
      cross join lateral (
        select coalesce(sum(b.surplus_price), 0)::bigint as surplus_price,
               coalesce(sum(b.credited_price), 0)::bigint as credited_price
          from refund_allocations b where b.corp_id = ${corp_id} and b.refund_id = f.refund_id and b.price > 0) lines
      cross join lateral (
        select coalesce(sum(v.price), 0)::bigint as price from refund_reversals v
         where v.corp_id = ${corp_id} and v.refund_id = f.refund_id and v.at <= ${asOf}::timestamptz) reversed
      ${joinMatch(corp_id, 'refund_id', asOf)}
      ${joinAccountOfRefund(corp_id, 'f')}
     ${selected(filter, asOf)}`
}

/** When a statement line confirmed a payment or refund `f`, if that was known at the instant. */
function joinMatch(corp_id: string, key: 'payment_id' | 'refund_id', asOf: LedgerInstant): Statement {
  return sql`
    left join lateral (
      select max(m.at) as at from statement_matches m
       where m.corp_id = ${corp_id} and m.${raw(key)} = f.${raw(key)} and m.at <= ${asOf}::timestamptz
         and not exists (select from statement_match_undos u
                          where u.corp_id = ${corp_id} and u.match_id = m.match_id and u.at <= ${asOf}::timestamptz)) matched
      on true`
}

/** Columns that payments and refunds `f` share, and columns of the order `o` that never change. */
function sharedColumns(timeZone: string): Statement {
  return sql`
    f.order_id, coalesce(f.sub_order_id, '') as sub_order_id, coalesce(o.user_id, '') as user_id,
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

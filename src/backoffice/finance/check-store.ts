import { currencyExponents } from '../../contract/currencies.ts'
import { orderStatuses } from '../../contract/order-statuses.ts'
import type { Queryable } from '../../database/database.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'
import { joinBalance } from '../../orders/ledger/balance-store.ts'
import { moneyOf, moneyOfOrder } from '../../orders/listing/order-store.ts'
import { noMoney, statusOfSubOrder } from '../../orders/rules/order-rules.ts'
import { paymentSlots } from '../../orders/rules/payment-slots.ts'

/** A stored value that contradicts the rest of the ledger. */
export interface Breach {
  order_id: string | null
  /** The sub-order, payment, refund or version concerned; null for the order itself. */
  subject: string | null
  what: string
  expected: string | null
  found: string | null
  /** Number of breaches of the same check. */
  total: number
}

/**
 * A check selects order_id, subject, what, expected and found of every breach in an organization. It states the
 * organization for each table separately, so that a cluster can route the statement to one node. A check of orders can be
 * confined to some of them.
 */
export type Check = (corp_id: string, orders?: string[]) => Statement

/** Confines a check to some orders. Without them, it is about all. */
export function among(column: string, orders: string[] | undefined): Statement {
  return orders === undefined ? raw('') : sql`and ${raw(column)} = any(${orders})`
}

export async function findBreaches(tx: Queryable, check: Statement, limit: number): Promise<Breach[]> {
  await tx.query(sql`savepoint before_check`)
  try {
    return await tx.query<Breach>(sql`
      select breach.order_id, breach.subject, breach.what, breach.expected, breach.found, count(*) over () as total
        from (${check}) breach
       order by breach.order_id, breach.subject, breach.what
       limit ${limit}`)
  } catch (error) {
    // A manipulated record may contain values that do not fit their type. This is a breach; the other checks continue.
    const { code = '' } = error as { code?: string }
    if (!dataException.test(code)) throw error
    await tx.query(sql`rollback to savepoint before_check`)
    return [{ ...unreadable, found: `SQLSTATE ${code}`, total: 1 }]
  }
}

const dataException = /^22/
const unreadable = {
  order_id: null,
  subject: null,
  what: 'records: readable as what they are',
  expected: 'values of their types',
}

/** A rule: title, expected value, actual value. A bound compares `least(bound, actual)` with the actual value. */
export type Rule = [what: string, expected: Statement | string, found: Statement | string]

/** Evaluates all rules of a row in one pass, and selects the rules whose sides differ. */
export function breachesOf(rules: Rule[]): Statement {
  const side = (value: Statement | string) => (typeof value === 'string' ? raw(value) : value)
  const lines = rules.map(
    ([what, expected, found]) =>
      sql`(${raw(`'${what}'`)}, (${side(expected)})::text, (${side(found)})::text)`,
  )
  return sql`
    cross join lateral (
      select rule.what, rule.expected, rule.found
        from (values ${lines.reduce((all, line) => sql`${all}, ${line}`)}) as rule(what, expected, found)
       where rule.expected is distinct from rule.found) breach`
}

export const breachColumns = raw('breach.what, breach.expected, breach.found')

const completion = (alias: string) =>
  `case ${alias}.status when 'success' then true
        when 'locked' then ${alias}.completed_time is not null when 'canceled' then ${alias}.completed_time is not null
        when 'expired' then ${alias}.completed_time is not null else false end`

const orderRules: Rule[] = [
  [
    'sub-orders: at least one',
    `case when o.type = 'account' then 0 else greatest(sub_orders_of_order.count, 1) end`,
    'sub_orders_of_order.count',
  ],
  ['status: tbd of an account', `case when o.type = 'account' then 'tbd' else o.status end`, 'o.status'],
  ['total_price: sum of the sub-orders', 'sub_orders_of_order.total_price', 'o.total_price'],
  [
    'total_price: discounted price and charges',
    'o.discounted_price + o.service_charge + o.foreign_service_charge',
    'o.total_price',
  ],
  [
    'discounted_price: at most the listed price',
    'least(o.discounted_price, o.listed_price)',
    'o.discounted_price',
  ],
  ['refunds: at most what was received', 'least(money.refund_price, money.paid_price)', 'money.refund_price'],
  ['coupon_ids: those of the lines', 'lines.coupon_ids', 'o.coupon_ids'],
  ['coupon_lines: what each takes off by its terms', 'lines.price_by_terms', 'lines.price'],
  [
    'coupon_lines: at most the discount',
    'least(lines.price, o.listed_price - o.discounted_price)',
    'lines.price',
  ],
  [
    'retained: what a canceled order has not given back',
    `case when o.status = 'canceled' then money.paid_price - money.refund_price else 0 end`,
    'kept.price',
  ],
  ['is_locked: as the status', `o.status = 'locked'`, 'o.is_locked'],
  ['completed_time: set as the status says', completion('o'), 'o.completed_time is not null'],
  ['expired_time: set as the status says', `o.status = 'expired'`, 'o.expired_time is not null'],
  [
    'share_proportion: sum of the shares',
    '10000',
    `case when o.share_proportion = '{}' then 10000
          else (select sum(share.value::numeric) from jsonb_each_text(o.share_proportion) share) end`,
  ],
]

/** Basis points of the listed price, rounded half-even in whole numbers. */
const halfEvenShare = raw(`
  div(o.listed_price::numeric * (each.line->>'basis_points')::integer + 4999
      + div(o.listed_price::numeric * (each.line->>'basis_points')::integer, 10000) % 2, 10000)`)

const checkOrders: Check = (corp_id, orders) => sql`
  select o.order_id, null::text as subject, ${breachColumns}
    from orders o ${moneyOfOrder({ corp_id })}
    cross join lateral (
      select coalesce(sum(k.price), 0) as price
        from order_retentions k where k.corp_id = ${corp_id} and k.order_id = o.order_id) kept
    cross join lateral (
      select count(*) as count, coalesce(sum(s.total_price), o.total_price) as total_price
        from sub_orders s where s.corp_id = ${corp_id} and s.order_id = o.order_id) sub_orders_of_order
    cross join lateral (
      select coalesce(array_agg(line.coupon_id order by line.place), '{}') as coupon_ids,
             coalesce(sum(line.price), 0) as price, coalesce(sum(coalesce(line.amount, line.share)), 0) as price_by_terms
        from (select each.place, (each.line->>'price')::bigint as price, each.line->>'coupon_id' as coupon_id,
                     (each.line->>'amount')::bigint as amount, ${halfEvenShare} as share
                from jsonb_array_elements(o.coupon_lines) with ordinality as each(line, place)) line) lines
    ${breachesOf(orderRules)}
   where o.corp_id = ${corp_id} ${among('o.order_id', orders)}`

/** The ledger's own rule for the status of a sub-order, evaluated for every case. */
const statusesOfSubOrders = Object.fromEntries(
  orderStatuses.flatMap((status) =>
    Object.entries({ none: [0, 1], some: [1, 2], all: [1, 1] }).map(([much, [paid, total_price]]) => [
      `${status} ${much}`,
      statusOfSubOrder(status, { ...noMoney, paid: paid!, total_price: total_price! }),
    ]),
  ),
)

const subOrderRules: Rule[] = [
  [
    'status: from the order and its money',
    sql`${JSON.stringify(statusesOfSubOrders)}::jsonb ->> (o.status ||
        case when money.held_price >= money.claim_price then ' all'
             when money.held_price + money.credited_price > 0 then ' some' else ' none' end)`,
    's.status',
  ],
  ['currency: the order’s', 'o.currency', 's.currency'],
  ['refunds: at most what was received', 'least(money.refund_price, money.paid_price)', 'money.refund_price'],
  [
    'credits and write-offs: at most the price',
    'least(money.credited_price + money.written_off_price, s.total_price)',
    'money.credited_price + money.written_off_price',
  ],
  ['credits: not below 0', 'greatest(money.credited_price, 0)', 'money.credited_price'],
  ['write-offs: not below 0', 'greatest(money.written_off_price, 0)', 'money.written_off_price'],
  [`payments: at most ${paymentSlots}`, `least(taken.payments, ${paymentSlots})`, 'taken.payments'],
  ['completed_time: set as the status says', completion('s'), 's.completed_time is not null'],
]

const checkSubOrders: Check = (corp_id, orders) => sql`
  select s.order_id, s.sub_order_id as subject, ${breachColumns}
    from sub_orders s
    join orders o on o.corp_id = ${corp_id} and o.order_id = s.order_id
    ${moneyOf({ corp_id })}
    cross join lateral (
      select count(*) as payments
        from (select a.payment_id from payment_allocations a
               where a.corp_id = ${corp_id} and a.sub_order_id = s.sub_order_id
               group by a.payment_id having sum(a.price) <> 0) allocated) taken
    ${breachesOf(subOrderRules)}
   where s.corp_id = ${corp_id} ${among('s.order_id', orders)}`

/** Rounds half to even, as contract/rounding does. */
const halfEven = (value: Statement) => sql`
  (select case when v - trunc(v) = 0.5 then trunc(v) + mod(trunc(v), 2) else round(v) end from (select ${value} as v) exact)::bigint`

/** The settled price, or the price at the exchange rate. */
const exchanged = sql`
  coalesce(p.settled_price, ${halfEven(sql`
    (select p.price * p.rate * power(10::numeric, coalesce((places.of->>o.currency)::integer, 2)
                                                          - coalesce((places.of->>p.currency)::integer, 2))
       from (select ${JSON.stringify(currencyExponents)}::jsonb as of) places)`)})`

const paymentRules: Rule[] = [
  ['order_price: what was settled, or the price by the rate', exchanged, 'p.order_price'],
  [
    'rate: 1 in the order’s own currency',
    'case when p.currency = o.currency then 1 else p.rate end',
    'p.rate',
  ],
  ['exchange_rate: the rate × 10,000', halfEven(sql`p.rate * 10000`), 'p.exchange_rate'],
  [
    'balance: received less voided, refunded and moved is not below 0',
    'greatest(balance.held, 0)',
    'balance.held',
  ],
  ['voided: not below 0', 'greatest(balance.voided, 0)', 'balance.voided'],
  ['refunded: not below 0', 'greatest(balance.refunded, 0)', 'balance.refunded'],
  [
    'applied: between 0 and the balance',
    'greatest(0, least(balance.applied, balance.held))',
    'balance.applied',
  ],
  ['allocations: on orders in the currency of its order', '0', 'lines.foreign_ones'],
  ['refunds: on each sub-order at most the allocation', '0', 'lines.overdrawn'],
  ['receipt: one, of its order', 'p.order_id', 'receipt.order_id'],
]

const checkPayments: Check = (corp_id, orders) => sql`
  select p.order_id, p.payment_id as subject, ${breachColumns}
    from payments p
    join orders o on o.corp_id = ${corp_id} and o.order_id = p.order_id
    cross join lateral (select p.payment_id, p.order_price) f
    ${joinBalance({ corp_id })}
    cross join lateral (
      select count(*) filter (where other.currency <> o.currency) as foreign_ones,
             count(*) filter (where line.price < line.refunded or line.refunded < 0) as overdrawn
        from (select x.order_id, x.sub_order_id, sum(x.allocated) as price, sum(x.refunded) as refunded
                from (select a.order_id, a.sub_order_id, a.price as allocated, 0 as refunded from payment_allocations a
                       where a.corp_id = ${corp_id} and a.payment_id = p.payment_id
                      union all
                      select b.order_id, b.sub_order_id, 0, b.price from refund_allocations b
                       where b.corp_id = ${corp_id} and b.payment_id = p.payment_id and b.sub_order_id <> '') x
               group by x.order_id, x.sub_order_id) line
        join orders other on other.corp_id = ${corp_id} and other.order_id = line.order_id) lines
    left join receipts receipt on receipt.corp_id = ${corp_id} and receipt.payment_id = p.payment_id
    ${breachesOf(paymentRules)}
   where p.corp_id = ${corp_id} ${among('p.order_id', orders)}`

const refundRules: Rule[] = [
  ['allocations: the whole refund, or 0 if it is reversed', 'r.price - reversed.price', 'lines.price'],
  ['reversal: the whole refund', 'case when reversed.price > 0 then r.price else 0 end', 'reversed.price'],
  ['allocations: of the named payment', '0', 'lines.of_others'],
  [
    'credits: none of a return',
    `case r.kind when 'return' then 0 else lines.credited_price end`,
    'lines.credited_price',
  ],
  [
    'credits and surplus: the whole refund, unless a return or of unapplied money',
    `case when r.kind = 'return' or lines.unapplied > 0 then lines.explained else lines.price end`,
    'lines.explained',
  ],
]

const checkRefunds: Check = (corp_id, orders) => sql`
  select r.order_id, r.refund_id as subject, ${breachColumns}
    from refunds r
    cross join lateral (
      select coalesce(sum(b.price), 0) as price, coalesce(sum(b.credited_price), 0) as credited_price,
             coalesce(sum(b.credited_price + b.surplus_price), 0) as explained,
             count(*) filter (where b.sub_order_id = '') as unapplied,
             count(*) filter (where b.payment_id <> r.payment_id) as of_others
        from refund_allocations b
       where b.corp_id = ${corp_id} and b.refund_id = r.refund_id and b.order_id = r.order_id) lines
    cross join lateral (
      select coalesce(sum(v.price), 0) as price
        from refund_reversals v where v.corp_id = ${corp_id} and v.refund_id = r.refund_id) reversed
    ${breachesOf(refundRules)}
   where r.corp_id = ${corp_id} ${among('r.order_id', orders)}`

/** Receipt numbers of a year start at 1 and have no gaps. */
const checkReceipts: Check = (corp_id) => sql`
  select r.order_id, r.payment_id as subject, ${breachColumns}
    from (select r.order_id, r.payment_id, r.number, row_number() over (partition by r.year order by r.number) as place
            from receipts r where r.corp_id = ${corp_id}) r
    ${breachesOf([['receipt: the next number of its year', 'r.place', 'r.number']])}`

/** Checks of the current state of orders, payments and refunds. */
export const ledgerChecks: Check[] = [checkOrders, checkSubOrders, checkPayments, checkRefunds]

/** Checks of numbers, which concern all payments together. */
export const receiptChecks: Check[] = [checkReceipts]

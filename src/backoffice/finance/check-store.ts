import { currencyExponents } from '../../contract/currencies.ts'
import { orderStatuses } from '../../contract/order-statuses.ts'
import type { Queryable } from '../../database/database.ts'
import { raw, type Statement, sql } from '../../database/sql.ts'
import { moneyOf, moneyOfOrder } from '../../orders/listing/order-store.ts'
import { statusOfSubOrder } from '../../orders/rules/order-rules.ts'
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
 * organization for each table separately, so that a cluster can route the statement to one node.
 */
export type Check = (corp_id: string) => Statement

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
  ['sub-orders: at least one', 'greatest(sub_orders_of_order.count, 1)', 'sub_orders_of_order.count'],
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

const checkOrders: Check = (corp_id) => sql`
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
   where o.corp_id = ${corp_id}`

/** The ledger's own rule for the status of a sub-order, evaluated for every case. */
const statusesOfSubOrders = Object.fromEntries(
  orderStatuses.flatMap((status) =>
    Object.entries({ none: [0, 1], some: [1, 2], all: [1, 1] }).map(([much, [paid, total_price]]) => [
      `${status} ${much}`,
      statusOfSubOrder(status, { paid: paid!, total_price: total_price! }),
    ]),
  ),
)

const subOrderRules: Rule[] = [
  [
    'status: from the order and its money',
    sql`${JSON.stringify(statusesOfSubOrders)}::jsonb ->> (o.status ||
        case when money.covered_price >= s.total_price then ' all' when money.paid_price > 0 then ' some' else ' none' end)`,
    's.status',
  ],
  ['currency: the order’s', 'o.currency', 's.currency'],
  ['refunds: at most what was received', 'least(money.refund_price, money.paid_price)', 'money.refund_price'],
  [
    'written off: at most what is lacking',
    `least(money.written_off_price, greatest(0, s.total_price - (money.covered_price - money.written_off_price)))`,
    'money.written_off_price',
  ],
  [`payments: at most ${paymentSlots}`, `least(taken.payments, ${paymentSlots})`, 'taken.payments'],
  ['completed_time: set as the status says', completion('s'), 's.completed_time is not null'],
]

const checkSubOrders: Check = (corp_id) => sql`
  select s.order_id, s.sub_order_id as subject, ${breachColumns}
    from sub_orders s
    join orders o on o.corp_id = ${corp_id} and o.order_id = s.order_id
    ${moneyOf({ corp_id })}
    cross join lateral (
      select count(*) as payments
        from (select a.payment_id from payment_allocations a
               where a.corp_id = ${corp_id} and a.sub_order_id = s.sub_order_id
               group by a.payment_id having sum(a.price) <> 0) standing) taken
    ${breachesOf(subOrderRules)}
   where s.corp_id = ${corp_id}`

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
    'allocations: at most the payment, less what went back of it unapplied',
    'case when voids.count > 0 then 0 else greatest(0, least(lines.price, p.order_price - back.price + back.applied)) end',
    'lines.price',
  ],
  ['allocations: on orders in the currency of its own', '0', 'lines.foreign_ones'],
  ['refunds: at most what was received', 'least(back.price, p.order_price)', 'back.price'],
  ['receipt: one, of its order', 'p.order_id', 'receipt.order_id'],
]

const checkPayments: Check = (corp_id) => sql`
  select p.order_id, p.payment_id as subject, ${breachColumns}
    from payments p
    join orders o on o.corp_id = ${corp_id} and o.order_id = p.order_id
    cross join lateral (
      select count(*) as count from payment_voids v where v.corp_id = ${corp_id} and v.payment_id = p.payment_id) voids
    cross join lateral (
      select coalesce(sum(a.price), 0) as price, count(*) filter (where other.currency <> o.currency) as foreign_ones
        from payment_allocations a
        join orders other on other.corp_id = ${corp_id} and other.order_id = a.order_id
       where a.corp_id = ${corp_id} and a.payment_id = p.payment_id) lines
    cross join lateral (
      select coalesce(sum(r.price), 0) as price,
             coalesce(sum((select sum(b.price) from refund_allocations b
                            where b.corp_id = ${corp_id} and b.refund_id = r.refund_id)), 0) as applied
        from refunds r where r.corp_id = ${corp_id} and r.payment_id = p.payment_id) back
    left join receipts receipt on receipt.corp_id = ${corp_id} and receipt.payment_id = p.payment_id
    ${breachesOf(paymentRules)}
   where p.corp_id = ${corp_id}`

const refundRules: Rule[] = [
  [
    'allocations: the whole refund, unless it was of money that no order had taken',
    'case when back.count = 0 and r.payment_id is not null and r.sub_order_id is null then 0 else r.price end',
    'back.price',
  ],
]

const checkRefunds: Check = (corp_id) => sql`
  select r.order_id, r.refund_id as subject, ${breachColumns}
    from refunds r
    cross join lateral (
      select count(*) as count, coalesce(sum(b.price), 0) as price
        from refund_allocations b
       where b.corp_id = ${corp_id} and b.refund_id = r.refund_id and b.order_id = r.order_id) back
    ${breachesOf(refundRules)}
   where r.corp_id = ${corp_id}`

/** Receipt numbers of a year start at 1 and have no gaps. */
const checkReceipts: Check = (corp_id) => sql`
  select r.order_id, r.payment_id as subject, ${breachColumns}
    from (select r.order_id, r.payment_id, r.number, row_number() over (partition by r.year order by r.number) as place
            from receipts r where r.corp_id = ${corp_id}) r
    ${breachesOf([['receipt: the next number of its year', 'r.place', 'r.number']])}`

/** Checks of the current state of orders, payments, refunds and receipts. */
export const ledgerChecks: Check[] = [checkOrders, checkSubOrders, checkPayments, checkRefunds, checkReceipts]

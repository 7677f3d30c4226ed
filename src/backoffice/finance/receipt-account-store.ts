import { raw, type Statement, sql } from '../../database/sql.ts'

/**
 * The account that money reached or left: the provider that collected it, or the method where no provider did. It is a
 * fact of the payment, so it never changes; the bank account is known only once a statement line is matched.
 */
export const accountOf = (alias: string) => `coalesce(nullif(${alias}.provider, ''), ${alias}.method, '')`

/** The part of a payment in its own currency, for a part in the currency of its order `o`. */
export const inCurrencyOfReceipt = (part: string, p: string) => `
  case when ${part} = 0 then 0
       when ${part} = ${p}.order_price then ${p}.price
       when ${part} = -${p}.order_price then -${p}.price
       when ${p}.currency = o.currency then ${part}
       else round(${p}.price::numeric * ${part} / nullif(${p}.order_price, 0))::bigint end`

/** A payment that is voided, moved, or reinstated. */
const lostBy =
  (table: string) =>
  (corp_id: string): Statement =>
    sql`
    select f.payment_id as id, f.order_id, ${raw(accountOf('p'))} as account, p.currency, o.currency as order_currency,
           ${raw(inCurrencyOfReceipt('f.price', 'p'))} as price, f.price as order_price, f.at
      from ${raw(table)} f
      join payments p on p.corp_id = ${corp_id} and p.payment_id = f.payment_id
      join orders o on o.corp_id = ${corp_id} and o.order_id = p.order_id
     where f.corp_id = ${corp_id}`

/** The account that a refund left: if it names neither provider nor method, that of its first payment. */
export const joinAccountOfRefund = (corp_id: string, r: string): Statement => sql`
      cross join lateral (
        select coalesce(nullif(${raw(accountOf(r))}, ''), (
          select ${raw(accountOf('p'))}
            from refund_allocations b join payments p on p.corp_id = ${corp_id} and p.payment_id = b.payment_id
           where b.corp_id = ${corp_id} and b.refund_id = ${raw(r)}.refund_id
           order by p.completed_time, p.payment_id limit 1), '') as account) paid`

const refundedBy =
  (table: string, { sign, at }: { sign: '' | '-'; at: string }) =>
  (corp_id: string): Statement =>
    sql`
    select r.refund_id as id, r.order_id, paid.account, r.currency, o.currency as order_currency,
           ${raw(sign)}r.returned_price as price, ${raw(sign)}r.price as order_price, ${raw(at)} as at
      from ${raw(table)} f
      join refunds r on r.corp_id = ${corp_id} and r.refund_id = f.refund_id
      join orders o on o.corp_id = ${corp_id} and o.order_id = r.order_id
      ${joinAccountOfRefund(corp_id, 'r')}
     where f.corp_id = ${corp_id}`

/** Facts that change the money on an account, in the currency of receipt and in the currency of the order. */
export const accountMovements = {
  received: (corp_id: string) => sql`
    select p.payment_id as id, p.order_id, ${raw(accountOf('p'))} as account, p.currency, o.currency as order_currency,
           p.price, p.order_price, p.ctime as at
      from payments p
      join orders o on o.corp_id = ${corp_id} and o.order_id = p.order_id
     where p.corp_id = ${corp_id}`,
  voided: lostBy('payment_voids'),
  moved: lostBy('payment_moves'),
  refunded: (corp_id: string) => sql`
    ${refundedBy('refunds', { sign: '', at: 'r.ctime' })(corp_id)}
    union all
    ${refundedBy('refund_reversals', { sign: '-', at: 'f.at' })(corp_id)}`,
}

export type AccountMovement = keyof typeof accountMovements
export const accountMovementNames = Object.keys(accountMovements) as AccountMovement[]

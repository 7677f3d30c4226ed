import { microseconds, raw, type Statement, sql, timestampOrEmpty } from '../../database/sql.ts'
import { receiptNumber, receiptPath } from '../ledger/receipt-store.ts'
import { owingStatuses } from '../rules/status.ts'

/** The members of orders in the detail and the list. The sums come from their sub-orders. */
export function selectOrders(corp_id: string, orderIds: string[], timeZone: string): Statement {
  return sql`
    select o.order_id as entity_id, o.corp_id, ${texts('o', optionalTexts)}, ${receiptUrl(corp_id)} as receipt_url,
           ${times('o', ['ctime', 'mtime', 'course_start_time', 'course_end_time', 'completed_time', 'expired_time'], timeZone)},
           ${timestampOrEmpty('refunded.last_refund_time', timeZone)} as last_refund_time,
           o.source, o.currency, coalesce(o.user_id, '') as user_id, o.version, o.listed_price, o.foreign_service_charge, o.service_charge, o.total_price,
           o.application_fee_price, o.application_fee_exchange_rate, o.discounted_price, o.exchange_rate, o.user_underling_number,
           o.is_locked, o.is_transferred, o.is_payment_changed, o.have_pre, o.is_company_transfer, o.is_deleted,
           o.invoice_ids, ${remarksOf(corp_id, timeZone)} as remark_list, o.coupon_ids, o.pre_sub_order_ids, refunded.refund_ids,
           ${shares} as share_proportion, o.user_copy, o.course_copy, o.type, o.status,
           ${microseconds('o.ctime')} as created_at, coalesce(o.external_id, '') as external_id,
           (select jsonb_build_object('name', u.name, 'first_name', u.first_name, 'last_name', u.last_name)
              from users u where u.corp_id = ${corp_id} and u.user_id = o.user_id) as user_names
      from orders o ${refundsOfOrder(corp_id)}
     where o.corp_id = ${corp_id} and o.order_id = any(${orderIds})`
}

/**
 * Other orders that show a part of a payment of these orders. The parts of a foreign-currency payment are rounded
 * together, so a change of one order may change the part that another shows.
 */
export function selectSharing(corp_id: string, orderIds: string[]): Statement {
  return sql`
    select distinct there.order_id
      from payment_allocations here
      join payments p on p.corp_id = ${corp_id} and p.payment_id = here.payment_id and p.price <> p.order_price
      join payment_allocations there on there.corp_id = ${corp_id} and there.payment_id = here.payment_id
     where here.corp_id = ${corp_id} and here.order_id = any(${orderIds}) and there.order_id <> all(${orderIds})`
}

const optionalTexts = [
  'course_code',
  'course_id',
  'contract_id',
  'business_id',
  'product_id',
  'application_fee_currency',
  'application_fee_status',
  'transferred_id',
  'executor_id',
  'leads_id',
]

/** Stored as basis points, shown as fractions. */
const shares = raw(`
  coalesce((select json_object_agg(share.key, share.value::numeric / 10000)
              from jsonb_each_text(o.share_proportion) share), '{}')`)

/** The URL that the caller set, or the page of the order's receipts. */
function receiptUrl(corp_id: string): Statement {
  return sql`
    coalesce(o.receipt_url, (
      select ${receiptPath(corp_id)}::text || r.token from receipts r
       where r.corp_id = ${corp_id} and r.order_id = o.order_id order by r.at, r.payment_id limit 1), '')`
}

/** Absent strings are shown as "". */
function texts(alias: string, columns: string[]): Statement {
  return raw(columns.map((column) => `coalesce(${alias}.${column}, '') as ${column}`).join(', '))
}

function times(alias: string, columns: string[], timeZone: string): Statement {
  return columns
    .map((column) => sql`${timestampOrEmpty(`${alias}.${column}`, timeZone)} as ${raw(column)}`)
    .reduce((all, column) => sql`${all}, ${column}`)
}

/**
 * The facts up to an instant, or all facts. Every subselect names the organization, so that Citus can route the statement
 * to one node.
 */
interface Known {
  asOf?: string
  corp_id: string
}

/** The money of a sub-order `s`: allocated, refunded, unpaid and overpaid amounts. */
export function moneyOf({ asOf, corp_id }: Known): Statement {
  const own = (fact: string) => sql`
    ${raw(fact)}.corp_id = ${corp_id} and ${raw(fact)}.sub_order_id = s.sub_order_id
    ${knownAt(fact, asOf)}`
  return sql`
    cross join lateral (
      select coalesce(sum(a.price), 0)::bigint as price from payment_allocations a where ${own('a')}) paid
    cross join lateral (
      select coalesce(sum(b.price), 0)::bigint as price, coalesce(sum(b.credited_price), 0)::bigint as credited_price
        from refund_allocations b where ${own('b')}) refunded
    cross join lateral (
      select coalesce(sum(w.price), 0)::bigint as price from order_write_offs w where ${own('w')}) written_off
    cross join lateral (
      select paid.price as paid_price, refunded.price as refund_price, sums.held as held_price, sums.claim as claim_price,
             case when s.status = any(${owingStatuses}) then greatest(0, sums.claim - sums.held) else 0 end as unpaid_price,
             greatest(0, sums.held - sums.claim) as over_payment_price,
             refunded.credited_price, written_off.price as written_off_price
        from (select paid.price - refunded.price as held,
                     s.total_price - refunded.credited_price - written_off.price as claim) sums) money`
}

/**
 * Ends a lateral subselect that must run once per record, by its key. Without statistics, as in the first minutes of an
 * organization, the planner expects a row or two per table, and would read the whole table once per record.
 */
export const oneByOne = raw('offset 0')

function knownAt(alias: string, asOf: string | undefined): Statement {
  return asOf === undefined ? raw('') : sql`and ${raw(alias)}.at <= ${asOf}::timestamptz`
}

/** The money of an order `o` is that of its sub-orders. */
export function moneyOfOrder(known: Known): Statement {
  return sql`
    cross join lateral (
      select coalesce(sum(money.paid_price), 0)::bigint as paid_price,
             coalesce(sum(money.refund_price), 0)::bigint as refund_price,
             coalesce(sum(money.unpaid_price), 0)::bigint as unpaid_price,
             coalesce(sum(money.over_payment_price), 0)::bigint as over_payment_price
        from sub_orders s ${moneyOf(known)}
       where s.corp_id = ${known.corp_id} and s.order_id = o.order_id) money`
}

/** The refunds of applied money of the order. */
function refundsOfOrder(corp_id: string): Statement {
  return sql`
    cross join lateral (
      select max(r.completed_time) as last_refund_time,
             coalesce(array_agg(r.refund_id order by r.ctime, r.refund_id), '{}') as refund_ids
        from refunds r
       where r.corp_id = ${corp_id} and r.order_id = o.order_id
         and not exists (select from refund_reversals v where v.corp_id = ${corp_id} and v.refund_id = r.refund_id)
         and exists (select from refund_allocations b
                      where b.corp_id = ${corp_id} and b.refund_id = r.refund_id and b.sub_order_id <> '')) refunded`
}

function remarksOf(corp_id: string, timeZone: string): Statement {
  return sql`
    coalesce((select json_agg(json_build_object('id', m.remark_id, 'content', m.content, 'executor_id', m.executor_id,
                                                'ctime', ${timestampOrEmpty('m.ctime', timeZone)})
                              order by m.ctime, m.remark_id)
                from order_remarks m where m.corp_id = ${corp_id} and m.order_id = o.order_id), '[]')`
}

/**
 * The payments of a sub-order `s` in the order of completion, which is the order of the payment slots. Each has the part
 * that is allocated here, in the payment's own currency. The parts of a payment sum to it.
 */
export function paymentsOf(timeZone: string, { asOf, corp_id }: Known): Statement {
  const share = (upTo: Statement) => sql`round(p.price::numeric * (${upTo}) / p.order_price)`
  // In the order's currency, as nearly all payments are, the part is the allocation itself.
  const ownPrice = sql`
    (select (${share(sql`before.price + here.price`)} - ${share(sql`before.price`)})::bigint
       from (select coalesce(sum(a.price), 0)::bigint as price
               from payment_allocations a
              where a.corp_id = ${corp_id} and a.payment_id = p.payment_id and a.sub_order_id < s.sub_order_id
                    ${knownAt('a', asOf)}) before)`
  return sql`
    coalesce((
      select json_agg(json_build_object(
               'payment_id', p.payment_id, 'status', p.status, 'source', p.source, 'currency', p.currency,
               'price', case when p.price = p.order_price then here.price else ${ownPrice} end,
               'exchange_rate', p.exchange_rate, 'rate', p.rate::text, 'charge_id', coalesce(p.charge_id, ''),
               'receipt_num', coalesce(p.receipt_num, (
                 select ${receiptNumber} from receipts r where r.corp_id = ${corp_id} and r.payment_id = p.payment_id)),
               'comments', coalesce(p.comments, ''),
               'completed_time', ${timestampOrEmpty('p.completed_time', timeZone)})
             order by p.completed_time, p.payment_id)
        from (select a.payment_id, sum(a.price)::bigint as price
                from payment_allocations a
               where a.corp_id = ${corp_id} and a.sub_order_id = s.sub_order_id ${knownAt('a', asOf)}
               group by a.payment_id having sum(a.price) <> 0) here
       cross join lateral (
              select p.* from payments p
               where p.corp_id = ${corp_id} and p.payment_id = here.payment_id ${oneByOne}) p), '[]')`
}

import type { Static } from 'typebox'
import type { Queryable } from '../database/database.ts'
import { raw, type Statement, sql } from '../database/sql.ts'
import { timestampOrEmpty as timestamp } from '../database/sql-time.ts'
import { type OrderDetail, type OrderListRow, userAttributes } from './order-row.ts'

/** Orders as the detail shows them; prices are the sums of the ledger. */
export async function orderDetailsOf(
  on: Queryable,
  corp_id: string,
  orderIds: string[],
  timeZone: string,
): Promise<Static<typeof OrderDetail>[]> {
  return on.query<Static<typeof OrderDetail>>(selectOrderDetails(corp_id, orderIds, timeZone))
}

export function selectOrderDetails(corp_id: string, orderIds: string[], timeZone: string): Statement {
  return sql`
    select o.order_id as entity_id, o.corp_id, ${texts('o', ['course_code', 'course_id'])}, o.currency,
           ${texts('o', ['leads_id'])}, o.source, o.status, o.type, o.user_id,
           ${times('o', ['ctime', 'mtime', 'course_end_time'], timeZone)},
           o.application_fee_price, o.discounted_price, o.listed_price,
           paid.paid_price, paid.paid_price - refunded.refund_price as post_refund_price,
           o.total_price, ${unpaid('o')} as unpaid_price,
           sub_orders_of_order.installment_count, o.version, o.is_deleted, o.is_locked,
           o.pre_sub_order_ids, sub_orders_of_order.sub_order_ids, o.coupon_ids,
           ${subOrdersOf(timeZone)} as sub_orders
      from orders o ${ledgerOf('o', 'order_id')} ${subOrdersOfOrder}
     where o.corp_id = ${corp_id} and o.order_id = any(${orderIds})`
}

/** Orders as the list shows them, with what they carry of their users. */
export async function orderRowsOf(
  on: Queryable,
  corp_id: string,
  orderIds: string[],
  timeZone: string,
): Promise<Static<typeof OrderListRow>[]> {
  return on.query<Static<typeof OrderListRow>>(selectOrderRows(corp_id, orderIds, timeZone))
}

export function selectOrderRows(corp_id: string, orderIds: string[], timeZone: string): Statement {
  return sql`
    select o.order_id as entity_id, o.corp_id, ${texts('o', ['course_code', 'course_id'])},
           ${times('o', ['ctime', 'mtime', 'course_start_time', 'course_end_time', 'completed_time', 'expired_time'], timeZone)},
           ${texts('o', optionalTexts)}, o.source, o.currency, o.user_id, o.version::text as version,
           ${timestamp('refunded.last_refund_time', timeZone)} as last_refund_time,
           o.listed_price, o.foreign_service_charge, o.service_charge, o.total_price, o.application_fee_price,
           o.application_fee_exchange_rate, o.discounted_price, o.exchange_rate,
           paid.paid_price - refunded.refund_price as post_refund_price, refunded.refund_price,
           greatest(0, paid.paid_price - o.total_price) as over_payment_price, paid.paid_price,
           ${unpaid('o')} as unpaid_price, sub_orders_of_order.installment_count, o.user_underling_number,
           o.is_locked, o.is_transferred, o.is_payment_changed, o.have_pre, o.is_company_transfer,
           o.invoice_ids, ${remarksOf(timeZone)} as remark_list, sub_orders_of_order.paid_sub_order_ids, o.coupon_ids,
           sub_orders_of_order.sub_order_ids, o.pre_sub_order_ids, refunded.refund_ids, ${shares} as share_proportion,
           ${userColumns}, o.is_deleted, o.type, o.status
      from orders o ${ledgerOf('o', 'order_id')} ${subOrdersOfOrder}
     where o.corp_id = ${corp_id} and o.order_id = any(${orderIds})`
}

const optionalTexts = [
  'contract_id',
  'business_id',
  'product_id',
  'application_fee_currency',
  'application_fee_status',
  'transferred_id',
  'executor_id',
  'receipt_url',
  'leads_id',
]

const userColumns = raw(
  userAttributes.map((name) => `coalesce(o.user_copy->>'${name}', '') as user_${name}`).join(', '),
)

/** Stored as basis points, shown as fractions. */
const shares = raw(`
  coalesce((select json_object_agg(share.key, share.value::numeric / 10000)
              from jsonb_each_text(o.share_proportion) share), '{}')`)

/** Absent strings are shown as "". */
function texts(alias: string, columns: string[]): Statement {
  return raw(columns.map((column) => `coalesce(${alias}.${column}, '') as ${column}`).join(', '))
}

function times(alias: string, columns: string[], timeZone: string): Statement {
  return columns
    .map((column) => sql`${timestamp(`${alias}.${column}`, timeZone)} as ${raw(column)}`)
    .reduce((all, column) => sql`${all}, ${column}`)
}

/** Named outright where the alias is no table of its own: a cluster would not know that one node has it all. */
function organizationOf(alias: string, corp_id: string | undefined): Statement {
  return corp_id === undefined ? raw(`${alias}.corp_id`) : sql`${corp_id}`
}

/** What has been received and what went back, of an order or of one of its sub-orders; as of an instant where one is given. */
export function ledgerOf(
  alias: string,
  key: 'order_id' | 'sub_order_id',
  { asOf, corp_id }: { asOf?: string; corp_id?: string } = {},
): Statement {
  const owner = (fact: string) =>
    sql`${raw(fact)}.corp_id = ${organizationOf(alias, corp_id)} and ${raw(`${fact}.${key} = ${alias}.${key}`)}`
  return sql`
    cross join lateral (
      select coalesce(sum(p.order_price), 0)::bigint as paid_price
        from payments p where ${owner('p')} ${knownAt('p', asOf)}) paid
    cross join lateral (
      select coalesce(sum(r.price), 0)::bigint as refund_price, max(r.completed_time) as last_refund_time,
             coalesce(array_agg(r.refund_id order by r.ctime, r.refund_id), '{}') as refund_ids
        from refunds r where ${owner('r')} ${knownAt('r', asOf)}) refunded`
}

/** Payments and refunds are only ever added, so those of an earlier moment are those that had been added by then. */
function knownAt(alias: string, asOf: string | undefined): Statement {
  return asOf === undefined ? raw('') : sql`and ${raw(alias)}.ctime <= ${asOf}::timestamptz`
}

/** What is still owed, while the record can still be paid. */
export function unpaid(alias: string): Statement {
  return raw(`
    case when ${alias}.status in ('canceled', 'expired') then 0
         else greatest(0, ${alias}.total_price - paid.paid_price) end`)
}

const subOrdersOfOrder = raw(`
  cross join lateral (
    select count(*)::integer as installment_count,
           coalesce(array_agg(s.sub_order_id order by s.seq), '{}') as sub_order_ids,
           coalesce(array_agg(s.sub_order_id order by s.seq) filter (where s.status = 'success'), '{}') as paid_sub_order_ids
      from sub_orders s where s.corp_id = o.corp_id and s.order_id = o.order_id) sub_orders_of_order`)

function remarksOf(timeZone: string): Statement {
  return sql`
    coalesce((select json_agg(json_build_object('id', m.remark_id, 'content', m.content, 'executor_id', m.executor_id,
                                                'ctime', ${timestamp('m.ctime', timeZone)})
                              order by m.ctime, m.remark_id)
                from order_remarks m where m.corp_id = o.corp_id and m.order_id = o.order_id), '[]')`
}

function subOrdersOf(timeZone: string): Statement {
  return sql`
    coalesce((
      select json_agg(json_build_object(
               'entity_id', s.sub_order_id, 'order_id', s.order_id, 'seq', s.seq, 'type', s.type, 'status', s.status,
               'currency', s.currency, 'total_price', s.total_price, 'paid_price', paid.paid_price,
               'unpaid_price', ${unpaid('s')}, 'refund_price', refunded.refund_price, 'exchange_rate', s.exchange_rate,
               'payment_deadline', ${timestamp('s.payment_deadline', timeZone)},
               'completed_time', ${timestamp('s.completed_time', timeZone)},
               'ctime', ${timestamp('s.ctime', timeZone)}, 'mtime', ${timestamp('s.mtime', timeZone)},
               'version', s.version, 'payments', ${paymentsOf('s', timeZone)}) order by s.seq)
        from sub_orders s ${ledgerOf('s', 'sub_order_id')}
       where s.corp_id = o.corp_id and s.order_id = o.order_id), '[]')`
}

/** The payments of a sub-order in the order of completion, which is also the order of the payment slots. */
export function paymentsOf(
  alias: string,
  timeZone: string,
  { asOf, corp_id }: { asOf?: string; corp_id?: string } = {},
): Statement {
  return sql`
    coalesce((
      select json_agg(json_build_object(
               'payment_id', p.payment_id, 'status', p.status, 'source', p.source, 'currency', p.currency,
               'price', p.price, 'exchange_rate', p.exchange_rate, 'charge_id', coalesce(p.charge_id, ''),
               'receipt_num', p.receipt_num, 'comments', coalesce(p.comments, ''),
               'completed_time', ${timestamp('p.completed_time', timeZone)})
             order by p.completed_time, p.payment_id)
        from payments p
       where p.corp_id = ${organizationOf(alias, corp_id)} and p.sub_order_id = ${raw(alias)}.sub_order_id
             ${knownAt('p', asOf)}), '[]')`
}

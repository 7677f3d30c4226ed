import { financialCourseAttributes, financialUserAttributes } from '../../src/orders/listing/financial-row.ts'
import { userAttributes } from '../../src/orders/listing/order-row.ts'
import { touchFields } from '../../src/people/users/touch.ts'

/**
 * Plain reads: joins and sums over the tables at the time of the call, count(*) for totals and offset for pages. They are
 * copies, so that the baseline does not change with the service.
 * $1 is the organization, $2 the record or the page size, $3 the time zone.
 */

const time = (column: string) =>
  `coalesce(to_char(${column} at time zone $3::text, 'YYYY-MM-DD HH24:MI:SS'), '')`
const times = (alias: string, columns: string[]) =>
  columns.map((column) => `${time(`${alias}.${column}`)} as ${column}`).join(', ')
const texts = (columns: string[]) =>
  columns.map((column) => `coalesce(o.${column}, '') as ${column}`).join(', ')
const copied = (copy: string, names: readonly string[], prefix = '') =>
  names.map((name) => `coalesce(o.${copy}->>'${name}', '') as ${prefix}${name}`).join(', ')

const unpaid = (alias: string) => `
  case when ${alias}.status in ('canceled', 'expired', 'tbd', 'unconfirmed') then 0
       else greatest(0, ${alias}.total_price - refunded.credited_price - written_off.price
                        - paid.paid_price + refunded.refund_price) end`

const ledgerOf = (alias: string, key: string) => `
  cross join lateral (
    select coalesce(sum(a.price), 0)::bigint as paid_price
      from payment_allocations a where a.corp_id = ${alias}.corp_id and a.${key} = ${alias}.${key}) paid
  cross join lateral (
    select coalesce(sum(w.price), 0)::bigint as price
      from order_write_offs w where w.corp_id = ${alias}.corp_id and w.${key} = ${alias}.${key}) written_off
  cross join lateral (
    select coalesce(sum(b.price), 0)::bigint as refund_price, coalesce(sum(b.credited_price), 0)::bigint as credited_price,
           max(r.completed_time) as last_refund_time,
           coalesce(array_agg(distinct r.refund_id), '{}') as refund_ids
      from refund_allocations b join refunds r on r.corp_id = b.corp_id and r.refund_id = b.refund_id
     where b.corp_id = ${alias}.corp_id and b.${key} = ${alias}.${key}) refunded`

const partsOfOrder = `
  cross join lateral (
    select count(*)::integer as installment_count,
           coalesce(array_agg(s.sub_order_id order by s.seq), '{}') as sub_order_ids,
           coalesce(array_agg(s.sub_order_id order by s.seq) filter (where s.status = 'success'), '{}') as paid_sub_order_ids
      from sub_orders s where s.corp_id = o.corp_id and s.order_id = o.order_id) parts`

const paymentsOfPart = `
  coalesce((
    select json_agg(json_build_object(
             'payment_id', p.payment_id, 'status', p.status, 'source', p.source, 'currency', p.currency,
             'price', case when p.price = p.order_price then here.price else p.price end,
             'exchange_rate', p.exchange_rate, 'rate', p.rate::text, 'charge_id', coalesce(p.charge_id, ''),
             'receipt_num', coalesce(p.receipt_num, r.year * 100000000::bigint + r.number), 'comments', coalesce(p.comments, ''),
             'completed_time', ${time('p.completed_time')}) order by p.completed_time, p.payment_id)
      from (select a.payment_id, sum(a.price)::bigint as price
              from payment_allocations a where a.corp_id = s.corp_id and a.sub_order_id = s.sub_order_id
             group by a.payment_id having sum(a.price) <> 0) here
      join payments p on p.corp_id = s.corp_id and p.payment_id = here.payment_id
      left join receipts r on r.corp_id = s.corp_id and r.payment_id = p.payment_id), '[]')`

export const orderById = `
  select o.order_id as entity_id, o.corp_id, ${texts(['course_code', 'course_id'])}, o.currency, ${texts(['leads_id'])},
         o.source, o.status, o.type, o.user_id, ${times('o', ['ctime', 'mtime', 'course_end_time'])},
         o.application_fee_price, o.discounted_price, o.listed_price, paid.paid_price,
         paid.paid_price - refunded.refund_price as post_refund_price, o.total_price, ${unpaid('o')} as unpaid_price,
         parts.installment_count, o.version, o.is_deleted, o.is_locked, o.pre_sub_order_ids, parts.sub_order_ids,
         o.coupon_ids,
         coalesce((
           select json_agg(json_build_object(
                    'entity_id', s.sub_order_id, 'order_id', s.order_id, 'seq', s.seq, 'type', s.type,
                    'status', s.status, 'currency', s.currency, 'total_price', s.total_price,
                    'paid_price', paid.paid_price, 'unpaid_price', ${unpaid('s')},
                    'refund_price', refunded.refund_price, 'exchange_rate', o.exchange_rate,
                    'payment_deadline', ${time('s.payment_deadline')}, 'completed_time', ${time('s.completed_time')},
                    'ctime', ${time('s.ctime')}, 'mtime', ${time('s.mtime')}, 'version', s.version,
                    'payments', ${paymentsOfPart}) order by s.seq)
             from sub_orders s ${ledgerOf('s', 'sub_order_id')}
            where s.corp_id = o.corp_id and s.order_id = o.order_id), '[]') as sub_orders
    from orders o ${ledgerOf('o', 'order_id')} ${partsOfOrder}
   where o.corp_id = $1 and o.order_id = $2 and not o.is_deleted`

export const orderRows = `
  select page.id, page.list_time, o.order_id as entity_id, o.corp_id, ${texts(['course_code', 'course_id'])},
         ${times('o', ['ctime', 'mtime', 'course_start_time', 'course_end_time', 'completed_time', 'expired_time'])},
         ${texts(['contract_id', 'business_id', 'product_id', 'application_fee_currency', 'application_fee_status'])},
         ${texts(['transferred_id', 'executor_id', 'leads_id'])},
         coalesce(o.receipt_url, (select '/receipts/' || r.corp_id || '/' || r.token from receipts r
                                   where r.corp_id = o.corp_id and r.order_id = o.order_id
                                   order by r.at, r.payment_id limit 1), '') as receipt_url,
         o.source, o.currency, o.user_id, o.version::text as version,
         ${time('refunded.last_refund_time')} as last_refund_time, o.listed_price, o.foreign_service_charge,
         o.service_charge, o.total_price, o.application_fee_price, o.application_fee_exchange_rate, o.discounted_price,
         o.exchange_rate, paid.paid_price - refunded.refund_price as post_refund_price, refunded.refund_price,
         greatest(0, paid.paid_price - refunded.refund_price
                     - (o.total_price - refunded.credited_price - written_off.price)) as over_payment_price, paid.paid_price,
         ${unpaid('o')} as unpaid_price, parts.installment_count, o.user_underling_number, o.is_locked,
         o.is_transferred, o.is_payment_changed, o.have_pre, o.is_company_transfer, o.invoice_ids,
         coalesce((
           select json_agg(json_build_object('id', m.remark_id, 'content', m.content, 'executor_id', m.executor_id,
                                             'ctime', ${time('m.ctime')}) order by m.ctime, m.remark_id)
             from order_remarks m where m.corp_id = o.corp_id and m.order_id = o.order_id), '[]') as remark_list,
         parts.paid_sub_order_ids, o.coupon_ids, parts.sub_order_ids, o.pre_sub_order_ids, refunded.refund_ids,
         coalesce((select json_object_agg(share.key, share.value::numeric / 10000)
                     from jsonb_each_text(o.share_proportion) share), '{}') as share_proportion,
         ${copied('user_copy', userAttributes, 'user_')}, o.is_deleted, o.type, o.status
    from page join orders o on o.corp_id = page.corp_id and o.order_id = page.id
    ${ledgerOf('o', 'order_id')} ${partsOfOrder}
   where o.corp_id = $1`

export const financialRows = `
  select page.id, page.list_time, s.sub_order_id, s.corp_id, ${times('s', ['ctime', 'mtime'])}, o.user_id, s.order_id,
         ${copied('user_copy', financialUserAttributes)}, ${copied('course_copy', financialCourseAttributes)},
         o.currency as order_currency, s.status, s.type, s.currency, ${times('s', ['completed_time', 'payment_deadline'])},
         s.total_price, paid.paid_price, paid.paid_price - refunded.refund_price as post_refund_price,
         ${unpaid('s')} as unpaid_price, o.exchange_rate, ${paymentsOfPart} as payments
    from page
    join sub_orders s on s.corp_id = page.corp_id and s.sub_order_id = page.id
    join orders o on o.corp_id = s.corp_id and o.order_id = s.order_id
    ${ledgerOf('s', 'sub_order_id')}
   where s.corp_id = $1`

export const profileOfUser = `
  select user_id, corp_id, coalesce(name, '') as name, coalesce(last_name, '') as last_name,
         coalesce(first_name, '') as first_name, coalesce(area_code, '') as area_code, coalesce(mobile, '') as mobile,
         gender, city, city_raw, city_mobile, company_name, job_title, department, industry, age,
         professional_profile_url, ${touch('first', 'asc')}, ${touch('last', 'desc')}
    from users u where corp_id = $1 and user_id = $2`

function touch(which: string, direction: string): string {
  const fields = touchFields.map((name) => `coalesce(l.fields->>'${name}', '') as ${name}`).join(', ')
  return `(select row_to_json(touch)
             from (select l.lead_id, to_char(l.ctime at time zone $3::text, 'YYYY-MM-DD HH24:MI:SS') as time, ${fields}
                     from leads l where l.corp_id = $1 and l.user_id = u.user_id
                    order by l.ctime ${direction}, l.lead_id ${direction} limit 1) touch) as ${which}_touch`
}

export const contactsOfUser = `
  select area_code, mobile, backup_area_code, backup_mobile, email from users where corp_id = $1 and user_id = $2`

/** One row per tag, and one without a tag for a user who has none: no row at all means no such user. */
export const tagsOfUser = `
  select t.entity_id, t.attribute, t.corp_id, ${time('t.ctime')} as ctime, t.define_value, t.executor_id, t.is_deleted,
         ${time('t.mtime')} as mtime, t.source, t.tags_group_id, t.user_id, t.version, t.number_value, t.string_value
    from users u
    left join (user_tags t join tag_groups g
                 on g.corp_id = t.corp_id and g.entity_id = t.tags_group_id and not g.is_deleted)
      on t.corp_id = u.corp_id and t.user_id = u.user_id and not t.is_deleted
   where u.corp_id = $1 and u.user_id = $2
   order by t.ctime, t.entity_id`

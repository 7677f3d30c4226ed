import type { Queryable } from '../../database/database.ts'
import { raw, sql } from '../../database/sql.ts'

/** Per kind; a person has far fewer. */
const mostRows = 10_000

export type Rows = Record<string, unknown>[]

/** All data about users, by kind, as stored. */
export async function readAllAbout(
  on: Queryable,
  corp_id: string,
  user_ids: string[],
): Promise<Record<string, Rows>> {
  const rowsOf = (table: string, column: string, order: string, columns: string) => sql`
    select to_jsonb(r) - 'corp_id' as row
      from (select ${raw(columns)} from ${raw(table)} t
             where t.corp_id = ${corp_id} and t.${raw(column)} = any(${user_ids}::text[])
             order by ${raw(order)} limit ${mostRows}) r`
  const ofOrders = (table: string, order: string, columns: string) => sql`
    select to_jsonb(r) - 'corp_id' as row
      from (select ${raw(columns)} from ${raw(table)} t
              join orders o on o.corp_id = ${corp_id} and o.order_id = t.order_id
             where t.corp_id = ${corp_id} and o.user_id = any(${user_ids}::text[])
             order by ${raw(order)} limit ${mostRows}) r`
  const kinds = {
    user: rowsOf('users', 'user_id', 't.user_id', columnsOf.users),
    merged_users: rowsOf('merged_users', 'user_id', 't.merged_user_id', columnsOf.merged_users),
    tags: rowsOf('user_tags', 'user_id', 't.ctime, t.entity_id', columnsOf.user_tags),
    leads: rowsOf('leads', 'user_id', 't.ctime, t.lead_id', columnsOf.leads),
    follow_ups: rowsOf('user_follow_ups', 'user_id', 't.ctime, t.follow_up_id', columnsOf.user_follow_ups),
    history: rowsOf('user_events', 'user_id', 't.user_id, t.version', columnsOf.user_events),
    orders: rowsOf('orders', 'user_id', 't.ctime, t.order_id', columnsOf.orders),
    payments: ofOrders('payments', 't.ctime, t.payment_id', columnsOf.payments),
    payers: rowsOf('payers', 'user_id', 't.ctime, t.payer_id', columnsOf.payers),
    refunds: ofOrders('refunds', 't.ctime, t.refund_id', columnsOf.refunds),
    voids: ofOrders('payment_voids', 't.at, t.payment_id', columnsOf.payment_voids),
    payment_requests: ofOrders(
      'payment_requests',
      't.ctime, t.payment_request_id',
      columnsOf.payment_requests,
    ),
    documents: ofOrders('documents', 't.at, t.document_id', columnsOf.documents),
    approval_requests: ofOrders('approval_requests', 't.at, t.request_id', columnsOf.approval_requests),
    retentions: ofOrders('order_retentions', 't.at, t.order_id', columnsOf.order_retentions),
    write_offs: ofOrders('order_write_offs', 't.at, t.sub_order_id', columnsOf.order_write_offs),
    remarks: ofOrders('order_remarks', 't.ctime, t.remark_id', columnsOf.order_remarks),
    order_history: ofOrders('order_versions', 't.at, t.order_id', columnsOf.order_versions),
    bank_lines: sql`
      select to_jsonb(r) as row
        from (select distinct ${raw(columnsOf.statement_lines)} from statement_lines t
                join statement_matches m on m.corp_id = ${corp_id} and m.line_id = t.line_id
                left join payments p on p.corp_id = ${corp_id} and p.payment_id = m.payment_id
                left join refunds f on f.corp_id = ${corp_id} and f.refund_id = m.refund_id
                join orders o on o.corp_id = ${corp_id} and o.order_id = coalesce(p.order_id, f.order_id)
               where t.corp_id = ${corp_id} and o.user_id = any(${user_ids}::text[])
               order by t.value_date, t.line_id limit ${mostRows}) r`,
    audit: rowsOf('audit_entries', 'person_id', 't.entry_id', columnsOf.audit_entries),
  }
  const found = await on.pipeline<{ row: Record<string, unknown> }[]>(Object.values(kinds))
  return Object.fromEntries(
    Object.keys(kinds).map((kind, index) => [kind, found[index]?.map(({ row }) => row) ?? []]),
  )
}

const columnsOf = {
  users:
    columns(`user_id, name, first_name, last_name, area_code, mobile, backup_area_code, backup_mobile, email,
    wechat_id, external_id, gender, age, city, city_raw, city_mobile, company_name, job_title, department, industry, work_exp, professional_profile_url,
    attributes, owner_ids, pool, is_verified, ctime, mtime`),
  merged_users: columns(
    'merged_user_id, name, first_name, last_name, area_code, mobile, backup_area_code, backup_mobile, email, wechat_id, external_id',
  ),
  user_tags: columns(
    'entity_id, tags_group_id, attribute, define_value, number_value, string_value, source, executor_id, ctime, mtime',
  ),
  leads: columns('lead_id, entry_id, app_id, fields, ctime'),
  user_follow_ups: columns('follow_up_id, owner_id, content, executor_id, ctime'),
  user_events: columns('version, at, event, owner_id, executor_id, before, after'),
  orders: columns(
    'order_id, type, status, currency, listed_price, total_price, course_id, course_code, contract_id, user_copy, ctime, mtime',
  ),
  payments: columns(
    'payment_id, order_id, price, currency, completed_time, method, provider, charge_id, comments, payer_id, ctime',
  ),
  payers: columns(
    'payer_id, kind, name, user_id, contact_name, area_code, mobile, email, address, tax_number, reference, remarks, ctime, mtime',
  ),
  refunds: columns('refund_id, order_id, price, reason, completed_time, method, provider, charge_id, ctime'),
  payment_voids: columns('payment_id, order_id, price, reason, executor_id, at'),
  payment_requests: columns(
    'payment_request_id, order_id, price, currency, note, opened_at, expires_at, ctime',
  ),
  documents: columns('document_id, kind, year, number, order_id, price, currency, personal, at'),
  approval_requests: columns('request_id, kind, order_id, price, currency, input, requested_by, at'),
  order_retentions: columns('order_id, price, reason, executor_id, at'),
  order_write_offs: columns('order_id, sub_order_id, price, reason, executor_id, at'),
  order_remarks: columns('remark_id, order_id, content, executor_id, ctime'),
  order_versions: columns('order_id, version, at, change, from_status, to_status, executor_id, reason'),
  statement_lines: columns('line_id, value_date, price, currency, charge_id, reference, payer, description'),
  audit_entries: columns('at, actor_kind, operation, action, record_type, record_id'),
}

function columns(names: string): string {
  return names
    .split(',')
    .map((name) => `t.${name.trim()}`)
    .join(', ')
}

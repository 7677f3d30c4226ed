import { raw, type Statement, sql } from '../../database/sql.ts'
import { firstStatuses, moves, movesByMoney } from '../../orders/rules/status.ts'
import { among, breachColumns, breachesOf, type Check } from './check-store.ts'

const legalMoves = [moves, movesByMoney].flatMap((table) =>
  Object.entries(table).flatMap(([from, targets]) => targets.map((to) => `${from} → ${to}`)),
)

/** Compares each version with the previous one. An imported order with a history may start above version 1. */
const checkVersions: Check = (corp_id, orders) => sql`
  select v.order_id, 'version ' || v.version as subject, ${breachColumns}
    from (
      select v.corp_id, v.order_id, v.version, v.at, v.change, v.from_status, v.to_status, v.subject_id,
             v.record->'order'->>'status' as record_status, v.record->'order'->>'version' as record_version,
             v.record->'order'->>'total_price' as record_total,
             lag(v.version) over history as version_before, lag(v.at) over history as at_before,
             lag(v.to_status) over history as status_before
        from order_versions v
       where v.corp_id = ${corp_id} ${among('v.order_id', orders)}
      window history as (partition by v.order_id order by v.version)) v
    ${breachesOf([
      [
        'version: one more than before',
        'coalesce(v.version_before + 1, greatest(v.version, 1))',
        'v.version',
      ],
      ['at: later than before', `greatest(v.at, v.at_before + interval '1 microsecond')`, 'v.at'],
      [
        'from_status: the status before, where it changed',
        'nullif(v.status_before, v.to_status)',
        'v.from_status',
      ],
      [
        'move: a legal one',
        sql`case when v.from_status is null or v.change = 'undone'
                   or v.from_status || ' → ' || v.to_status = any(${legalMoves}::text[])
                 then v.from_status || ' → ' || v.to_status end`,
        `v.from_status || ' → ' || v.to_status`,
      ],
      [
        'to_status: one that orders begin in',
        sql`case when v.version > 1 or v.to_status = any(${firstStatuses}::text[])
                   or (v.to_status = 'success' and v.record_total = '0') then v.to_status end`,
        'v.to_status',
      ],
      ['record: the status', 'v.to_status', 'v.record_status'],
      ['record: the version', 'v.version', 'v.record_version'],
      [
        'subject: the payment, refund, transfer or remark that made the version',
        `case when v.change in ('payment', 'void', 'apply', 'unapply', 'refund', 'transfer', 'remark') then v.subject_id end`,
        subjectOf(corp_id),
      ],
    ])}
   where v.corp_id = ${corp_id}`

const subjectOf = (corp_id: string): Statement => sql`
  case v.change
    when 'payment' then (select p.payment_id from payments p
                          where p.corp_id = ${corp_id} and p.payment_id = v.subject_id and p.order_id = v.order_id)
    when 'void' then (select max(p.payment_id) from payment_voids p
                       where p.corp_id = ${corp_id} and p.payment_id = v.subject_id)
    when 'apply' then (select p.payment_id from payments p where p.corp_id = ${corp_id} and p.payment_id = v.subject_id)
    when 'unapply' then (select p.payment_id from payments p where p.corp_id = ${corp_id} and p.payment_id = v.subject_id)
    when 'refund' then (select r.refund_id from refunds r
                         where r.corp_id = ${corp_id} and r.refund_id = v.subject_id and r.order_id = v.order_id)
    when 'transfer' then (select t.transfer_id from order_transfers t
                           where t.corp_id = ${corp_id} and t.transfer_id = v.subject_id
                             and v.order_id in (t.from_order_id, t.to_order_id))
    when 'remark' then (select m.remark_id from order_remarks m
                         where m.corp_id = ${corp_id} and m.remark_id = v.subject_id and m.order_id = v.order_id) end`

/** The last version of every order. */
const lastVersions = (corp_id: string, orders: string[] | undefined): Statement => sql`
  select distinct on (v.order_id) v.order_id, v.version, v.record
    from order_versions v
   where v.corp_id = ${corp_id} ${among('v.order_id', orders)}
   order by v.order_id, v.version desc`

/**
 * Records store times in the format of their session, so both sides are converted to the column types. Copied user data
 * is personal, so a breach does not show its content.
 */
const fieldsThatDiffer = raw(`
  select key, left(case when key in ('user_copy', 'course_copy') then 'the copy recorded' else recorded.value #>> '{}' end, 200) as expected,
         left(case when key in ('user_copy', 'course_copy') then 'another copy' else stored.value #>> '{}' end, 200) as found
    from jsonb_each(pair.recorded) recorded full join jsonb_each(pair.stored) stored using (key)
   where recorded.value is distinct from stored.value`)

const checkOrderRecords: Check = (corp_id, orders) => sql`
  select pair.order_id, null::text as subject, 'version: the last one keeps ' || field.key as what, field.expected, field.found
    from (
      select o.order_id, to_jsonb(jsonb_populate_record(o, last.record->'order')) as recorded, to_jsonb(o) as stored
        from orders o join (${lastVersions(corp_id, orders)}) last on last.order_id = o.order_id
       where o.corp_id = ${corp_id} ${among('o.order_id', orders)} offset 0) pair
    cross join lateral (${fieldsThatDiffer}) field
   where pair.recorded is distinct from pair.stored`

const checkErasedCopies: Check = (corp_id, orders) => sql`
  select o.order_id, null::text as subject, 'order: a copy that was erased is of a user who was' as what,
         'no copy, of an erased user' as expected,
         case when o.user_copy <> '{}' then 'a copy' else 'a user who was not erased' end as found
    from orders o
   where o.corp_id = ${corp_id} ${among('o.order_id', orders)} and o.kept_copy_digest is not null
     and (o.user_copy <> '{}'
          or o.user_id is not null and not exists (select from erased_users e where e.corp_id = ${corp_id} and e.user_id = o.user_id))`

const checkSubOrderRecords: Check = (corp_id, orders) => sql`
  select pair.order_id, pair.sub_order_id as subject, 'version: the last one keeps ' || field.key as what,
         field.expected, field.found
    from (
      select coalesce(recorded.order_id, stored.order_id) as order_id, sub_order_id, recorded.row as recorded, stored.row as stored
        from (select last.order_id, subOrder.sub_order_id, to_jsonb(subOrder) as row
                from (${lastVersions(corp_id, orders)}) last
                cross join lateral jsonb_populate_recordset(null::sub_orders, last.record->'sub_orders') subOrder) recorded
        full join (select s.order_id, s.sub_order_id, to_jsonb(s) as row
                     from sub_orders s
                    where s.corp_id = ${corp_id} ${among('s.order_id', orders)} and exists (
                      select from order_versions v where v.corp_id = ${corp_id} and v.order_id = s.order_id)) stored
       using (sub_order_id)
      offset 0) pair
    cross join lateral (
      ${fieldsThatDiffer} and pair.recorded is not null and pair.stored is not null
      union all
      select 'the sub-order', case when pair.recorded is null then 'none' else 'one' end,
             case when pair.stored is null then 'none' else 'one' end
       where pair.recorded is null or pair.stored is null) field
   where pair.recorded is distinct from pair.stored`

const checkOrdersHaveVersions: Check = (corp_id, orders) => sql`
  select o.order_id, null::text as subject, 'versions: at least one' as what, '1' as expected, '0' as found
    from orders o
   where o.corp_id = ${corp_id} ${among('o.order_id', orders)}
     and not exists (select from order_versions v where v.corp_id = ${corp_id} and v.order_id = o.order_id)`

const clocked = {
  orders: 'mtime',
  sub_orders: 'mtime',
  payments: 'ctime',
  refunds: 'ctime',
  order_remarks: 'ctime',
  order_versions: 'at',
  payment_allocations: 'at',
}

/** The ledger clock is never before an instant that it assigned. */
const checkClock: Check = (corp_id) => sql`
  select null::text as order_id, null::text as subject, ${breachColumns}
    from (select coalesce((select c.instant_us from ledger_clocks c where c.corp_id = ${corp_id}), 0) as instant_us) clock
    ${breachesOf(
      Object.entries(clocked).map(([table, column]) => {
        const last = sql`(select (extract(epoch from max(t.${raw(column)})) * 1000000)::bigint
                            from ${raw(table)} t where t.corp_id = ${corp_id})`
        return [
          `ledger clock: not before ${table}.${column}`,
          sql`case when ${last} is not null then least(${last}, clock.instant_us) end`,
          last,
        ]
      }),
    )}`

/** Checks of versions and records. */
export const historyChecks: Check[] = [
  checkVersions,
  checkErasedCopies,
  checkOrderRecords,
  checkSubOrderRecords,
  checkOrdersHaveVersions,
]

export const clockChecks: Check[] = [checkClock]

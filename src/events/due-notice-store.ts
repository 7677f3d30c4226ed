import type { Queryable, Surveyor } from '../database/database.ts'
import { insertionOf } from '../database/insert-rows.ts'
import { raw, sql } from '../database/sql.ts'
import { survey } from '../database/survey.ts'

/** A deadline or an agreed contact that is due. */
export interface DueNotice {
  kind: 'instalment.due' | 'instalment.overdue' | 'follow_up.due'
  record_id: string
  /** The due time, as text with microseconds. */
  at: string
  order_id: string | null
  user_id: string
}

/** An instalment is due this long before its deadline. */
const dueMs = 24 * 60 * 60 * 1000

const owesNothing = raw(`('success', 'canceled', 'expired', 'tbd', 'unconfirmed')`)

/** The instalment `s` is unpaid, if the order is payable. The first condition is that of an index. */
const isOwing = sql`
  s.status not in ('success', 'canceled', 'expired') and s.status not in ${owesNothing} and s.completed_time is null`

const isOwed = sql`not o.is_deleted and o.status not in ${owesNothing}`

/**
 * The organizations with due times without a notice. Subselects instead of joins: each is a lookup by
 * key, where a join might read a whole table.
 */
export async function findCorpIdsWithDue(on: Surveyor, now: Date): Promise<string[]> {
  const soon = new Date(now.getTime() + dueMs)
  return on.corpIds(survey`
    select s.corp_id
      from sub_orders s
     where ${isOwing} and s.payment_deadline < ${soon}::timestamptz
       and (select ${isOwed} from orders o where o.corp_id = s.corp_id and o.order_id = s.order_id)
       and (select n.at from due_notices n
             where n.corp_id = s.corp_id and n.record_id = s.sub_order_id and n.at = s.payment_deadline
               and n.kind = case when s.payment_deadline < ${now}::timestamptz then 'instalment.overdue' else 'instalment.due' end) is null
    union
    select f.corp_id
      from user_follow_ups f
     where f.is_open and f.next_at <= ${now}::timestamptz
       and (select n.at from due_notices n
             where n.corp_id = f.corp_id and n.kind = 'follow_up.due' and n.record_id = f.follow_up_id and n.at = f.next_at) is null`)
}

/** The next due times without a notice, earliest first. */
export async function findDue(
  on: Queryable,
  corp_id: string,
  now: Date,
  limit: number,
): Promise<DueNotice[]> {
  const soon = new Date(now.getTime() + dueMs)
  return on.query<DueNotice>(sql`
    select due.kind, due.record_id, due.at::text as at, due.order_id, due.user_id
      from (select case when s.payment_deadline < ${now}::timestamptz then 'instalment.overdue' else 'instalment.due' end as kind,
                   s.sub_order_id as record_id, s.payment_deadline as at, s.order_id, o.user_id
              from sub_orders s
              join orders o on o.corp_id = ${corp_id} and o.order_id = s.order_id
             where s.corp_id = ${corp_id} and ${isOwing} and s.payment_deadline < ${soon}::timestamptz and ${isOwed}
            union all
            select 'follow_up.due', f.follow_up_id, f.next_at, null, f.user_id
              from user_follow_ups f
             where f.corp_id = ${corp_id} and f.is_open and f.next_at <= ${now}::timestamptz) due
     where not exists (select from due_notices n
                        where n.corp_id = ${corp_id} and n.kind = due.kind and n.record_id = due.record_id and n.at = due.at)
     order by due.at, due.record_id limit ${limit}`)
}

const columns = { kind: 'text', record_id: 'text', at: 'timestamptz' } as const

/** Stores notices. Returns those that no other process has stored. */
export async function insertDueNotices(
  tx: Queryable,
  corp_id: string,
  notices: DueNotice[],
): Promise<DueNotice[]> {
  const stored = await tx.query<{ kind: string; record_id: string }>(sql`
    ${insertionOf('due_notices', columns, corp_id, notices)}
    on conflict (corp_id, kind, record_id, at) do nothing
    returning kind, record_id`)
  const keys = new Set(stored.map(({ kind, record_id }) => `${kind} ${record_id}`))
  return notices.filter(({ kind, record_id }) => keys.has(`${kind} ${record_id}`))
}

/** The organizations with notices that are older than their feeds keep events. */
export async function findCorpIdsWithOldNotices(on: Surveyor, now: Date): Promise<string[]> {
  return on.corpIds(survey`
    select f.corp_id
      from event_feeds f
     where (select min(n.at) from due_notices n where n.corp_id = f.corp_id) < ${now}::timestamptz - f.days * interval '1 day'`)
}

/**
 * Deletes a step of the notices that are older than the feed keeps their events. A notice stays while its time would be noted
 * again without it: while the instalment is unpaid, or the contact is open. Returns the number of deleted notices.
 */
export async function pruneDueNotices(
  on: Queryable,
  corp_id: string,
  now: Date,
  limit: number,
): Promise<number> {
  const old = await on.query<Pick<DueNotice, 'kind' | 'record_id' | 'at'>>(sql`
    select n.kind, n.record_id, n.at::text as at
      from due_notices n
     where n.corp_id = ${corp_id}
       and n.at < ${now}::timestamptz - (select f.days from event_feeds f where f.corp_id = ${corp_id}) * interval '1 day'
       and not exists (select from sub_orders s
                         join orders o on o.corp_id = ${corp_id} and o.order_id = s.order_id
                        where s.corp_id = ${corp_id} and s.sub_order_id = n.record_id and n.kind = 'instalment.overdue'
                          and s.payment_deadline = n.at and ${isOwing} and ${isOwed})
       and not exists (select from user_follow_ups f
                        where f.corp_id = ${corp_id} and f.follow_up_id = n.record_id and n.kind = 'follow_up.due'
                          and f.next_at = n.at and f.is_open)
     order by n.at limit ${limit}`)
  if (old.length === 0) return 0
  await on.query(sql`
    delete from due_notices
     where corp_id = ${corp_id} and (kind, record_id, at) in (
             select o.kind, o.record_id, o.at
               from unnest(${old.map(({ kind }) => kind)}::text[], ${old.map(({ record_id }) => record_id)}::text[],
                           ${old.map(({ at }) => at)}::timestamptz[]) as o (kind, record_id, at))
    returning 1`)
  return old.length
}

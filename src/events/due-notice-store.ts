import type { Queryable } from '../database/database.ts'
import { insertionOf } from '../database/insert-rows.ts'
import { raw, sql } from '../database/sql.ts'

/** A deadline or an agreed contact whose time has come. */
export interface DueNotice {
  kind: 'instalment.due' | 'instalment.overdue' | 'follow_up.due'
  record_id: string
  /** The time that has come, as text with microseconds. */
  at: string
  order_id: string | null
  user_id: string
}

/** An instalment is due this long before its deadline. */
const dueMs = 24 * 60 * 60 * 1000

const owesNothing = raw(`('success', 'canceled', 'expired', 'tbd', 'unconfirmed')`)

/** The next times that have come and that nobody was told of, earliest first. */
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
             where s.corp_id = ${corp_id} and s.status not in ('success', 'canceled', 'expired')
               and s.status not in ${owesNothing} and s.completed_time is null
               and s.payment_deadline < ${soon}::timestamptz and not o.is_deleted and o.status not in ${owesNothing}
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

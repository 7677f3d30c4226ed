import type { Queryable } from '../../../database/database.ts'
import { firstRow } from '../../../database/first-row.ts'
import { sql, timestamp, timestampOrEmpty } from '../../../database/sql.ts'
import type { UserKey } from '../user-store.ts'

export const followUpColumns = {
  follow_up_id: 'text',
  user_id: 'text',
  owner_id: 'text',
  content: 'text',
  executor_id: 'text',
  ctime: 'timestamptz',
  next_at: 'timestamptz',
  is_open: 'boolean',
} as const

export interface NewFollowUp extends UserKey {
  follow_up_id: string
  owner_id: string | null
  content: string
  executor_id: string
  ctime: Date
  /** The time of the next call. */
  next_at: Date | null
}

/** Stores a follow-up and extends the claim on the user. Returns false if the user does not exist. */
export async function insertFollowUp(db: Queryable, one: NewFollowUp): Promise<boolean> {
  return db.transaction(async (tx) => {
    const { inserted } = await tx.pipeline<{ closed: object; inserted: object; extended: object }>({
      // The agreed call has taken place.
      closed: sql`
        update user_follow_ups set is_open = false
         where corp_id = ${one.corp_id} and user_id = ${one.user_id} and is_open`,
      inserted: sql`
        insert into user_follow_ups as made (corp_id, follow_up_id, user_id, owner_id, content, executor_id, ctime, next_at, is_open)
        select u.corp_id, ${one.follow_up_id}, u.user_id, ${one.owner_id}, ${one.content}, ${one.executor_id},
               ${one.ctime}::timestamptz, ${one.next_at}::timestamptz, ${one.next_at !== null}::boolean
          from users u where u.corp_id = ${one.corp_id} and u.user_id = ${one.user_id}
        returning made.follow_up_id`,
      extended: sql`
        update user_claims set active_at = greatest(active_at, ${one.ctime}::timestamptz)
         where corp_id = ${one.corp_id} and user_id = ${one.user_id}`,
    })
    const { corp_id: _, ...after } = one
    if (inserted.length === 1)
      tx.note({ record_type: 'user_follow_ups', record_id: one.follow_up_id, person_id: one.user_id, after })
    return inserted.length === 1
  })
}

export interface ListedFollowUp {
  follow_up_id: string
  user_id: string
  owner_id: string | null
  content: string
  executor_id: string
  ctime: string
  next_time: string
}

export async function listFollowUpsOf(
  on: Queryable,
  { corp_id, user_id }: UserKey,
  window: { limit: number; offset: number },
  timeZone: string,
): Promise<{ total: number; list: ListedFollowUp[] }> {
  const found = await on.query<{ total: number; list: ListedFollowUp[] }>(sql`
    select (select count(*) from user_follow_ups where corp_id = ${corp_id} and user_id = ${user_id}) as total,
           (select coalesce(json_agg(to_json(page)), '[]')
              from (select follow_up_id, user_id, owner_id, content, executor_id,
                           ${timestamp('f.ctime', timeZone)} as ctime,
                           ${timestampOrEmpty('f.next_at', timeZone)} as next_time
                      from user_follow_ups f
                     where f.corp_id = ${corp_id} and f.user_id = ${user_id}
                     order by f.ctime, f.follow_up_id limit ${window.limit} offset ${window.offset}) page) as list`)
  return firstRow(found)
}

import { namesOf } from '../../contract/record-of.ts'
import type { Queryable } from '../../database/database.ts'
import { firstRow } from '../../database/first-row.ts'
import { insertingRows } from '../../database/insert-rows.ts'
import { microseconds, type Statement, sql, timestamp } from '../../database/sql.ts'
import type { StoredUser, UserKey } from './user-store.ts'

export const userEvents = [
  'filled',
  'owner_added',
  'owner_removed',
  'pool_changed',
  'email_changed',
  'mobile_changed',
  'profile_changed',
  'claimed',
  'released',
  'returned',
  'edited',
  'merged',
  'undone',
] as const

const eventColumns = {
  user_id: 'text',
  version: 'integer',
  at: 'timestamptz',
  event: 'text',
  owner_id: 'text',
  executor_id: 'text',
  before: 'jsonb',
  after: 'jsonb',
  merge_id: 'text',
} as const

export interface UserEvent {
  user_id: string
  version: number
  at: Date | string
  event: (typeof userEvents)[number]
  owner_id: string | null
  executor_id: string | null
  before: object
  after: object
  /** The merge that copied the event to the survivor. */
  merge_id?: string | null
}

/** Executor, time and owner of an event. */
interface Cause {
  at: Date
  executor_id: string | null
  owner_id?: string | undefined
  /** The holder whose claim the event ended. */
  holder_id?: string | undefined
}

/** An event with the members that differ before and after. */
export function eventOf(
  event: UserEvent['event'],
  before: StoredUser,
  after: StoredUser,
  { at, executor_id, owner_id, holder_id }: Cause,
): UserEvent {
  const changed = namesOf(after).filter(
    (name) => name !== 'version' && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const membersOf = (user: StoredUser) => Object.fromEntries(changed.map((name) => [name, user[name]]))
  const { user_id, version } = after
  const end = endOfClaim(holder_id)
  return {
    user_id,
    version,
    at,
    event,
    owner_id: owner_id ?? null,
    executor_id,
    before: { ...membersOf(before), ...end.before },
    after: { ...membersOf(after), ...end.after },
  }
}

/** Shows that an event ended a claim. The names `released` and `returned` say so already. */
export function endOfClaim(holder_id: string | undefined): { before: object; after: object } {
  return holder_id === undefined
    ? { before: {}, after: {} }
    : { before: { holder_id }, after: { holder_id: null } }
}

export function insertingEvents(corp_id: string, events: UserEvent[]): Statement[] {
  const rows = events.map((event) => ({ ...event, merge_id: event.merge_id ?? null }))
  return insertingRows('user_events', eventColumns, corp_id, rows)
}

/** When a claim of the owner on the user last ended. Ordered by time: a merge mixes the versions of two users. */
export async function lastEndOfClaim(
  on: Queryable,
  { corp_id, user_id, owner_id }: UserKey & { owner_id: string },
): Promise<Date | undefined> {
  const [row] = await on.query<{ at: Date | null }>(sql`
    select max(at) as at from user_events
     where corp_id = ${corp_id} and user_id = ${user_id}
       and (owner_id = ${owner_id} and event in ('released', 'returned') or before->>'holder_id' = ${owner_id})`)
  return row?.at ?? undefined
}

export interface ListedEvent {
  version: number
  time: string
  event: UserEvent['event']
  owner_id: string | null
  executor_id: string | null
  before: Record<string, unknown>
  after: Record<string, unknown>
}

export async function listEvents(
  on: Queryable,
  { corp_id, user_id }: UserKey,
  window: { limit: number; offset: number },
  timeZone: string,
): Promise<{ total: number; list: ListedEvent[] }> {
  const found = await on.query<{ total: number; list: ListedEvent[] }>(sql`
    select (select count(*) from user_events where corp_id = ${corp_id} and user_id = ${user_id}) as total,
           (select coalesce(json_agg(to_json(page)), '[]')
              from (select version, ${timestamp('at', timeZone)} as time, event, owner_id, executor_id, before, after
                      from user_events
                     where corp_id = ${corp_id} and user_id = ${user_id}
                     order by version limit ${window.limit} offset ${window.offset}) page) as list`)
  return firstRow(found)
}

/** Deletes the history of users and returns it. Times keep their microseconds. */
export async function takeEvents(tx: Queryable, corp_id: string, userIds: string[]): Promise<UserEvent[]> {
  if (userIds.length === 0) return []
  const [taken] = await tx.pipeline<[UserEvent]>([
    sql`
      select user_id, version, ${microseconds('at')} as at, event, owner_id, executor_id, before, after, merge_id
        from user_events
       where corp_id = ${corp_id} and user_id = any(${userIds}::text[]) order by user_id, version`,
    sql`delete from user_events where corp_id = ${corp_id} and user_id = any(${userIds}::text[])`,
  ])
  return taken
}

/** Deletes the events that a merge copied to the survivor. */
export async function dropEventsOfMerge(
  tx: Queryable,
  { corp_id, user_id }: UserKey,
  merge_id: string,
): Promise<void> {
  await tx.query(sql`
    delete from user_events where corp_id = ${corp_id} and user_id = ${user_id} and merge_id = ${merge_id}`)
}

/**
 * Counts a reveal of a member of staff in an hour. The row lock serializes their reveals until the commit. A server whose
 * clock is behind does not reset the count to an earlier hour.
 */
export async function countReveal(
  tx: Queryable,
  { corp_id, staff_id, hour }: { corp_id: string; staff_id: string; hour: Date },
): Promise<number> {
  const rows = await tx.query<{ reveals: number }>(sql`
    insert into reveal_hours as counted (corp_id, staff_id, hour, reveals)
    values (${corp_id}, ${staff_id}, ${hour}, 1)
    on conflict (corp_id, staff_id) do update
       set hour = greatest(counted.hour, excluded.hour),
           reveals = case when counted.hour >= excluded.hour then counted.reveals + 1 else 1 end
    returning reveals`)
  return firstRow(rows).reveals
}

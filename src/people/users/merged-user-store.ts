import type { Queryable } from '../../database/database.ts'
import { raw, sql } from '../../database/sql.ts'
import type { UserKey } from './user-store.ts'

/** Whom a user was merged into, and the contacts it had. */
export const mergedUserColumns = {
  merged_user_id: 'text',
  user_id: 'text',
  merge_id: 'text',
  area_code: 'text',
  mobile: 'text',
  email: 'text',
} as const

/** Who answers for a user that was merged; undefined where it was not. */
export async function findSurvivor(
  on: Queryable,
  corp_id: string,
  user_id: string,
): Promise<string | undefined> {
  const [found] = await on.query<{ user_id: string }>(sql`
    select user_id from merged_users where corp_id = ${corp_id} and merged_user_id = ${user_id}`)
  return found?.user_id
}

/** The same for many: those of them that were merged, each with who answers for it. */
export async function findSurvivors(
  on: Queryable,
  corp_id: string,
  userIds: string[],
): Promise<Map<string, string>> {
  if (userIds.length === 0) return new Map()
  const found = await on.query<{ merged_user_id: string; user_id: string }>(sql`
    select merged_user_id, user_id from merged_users
     where corp_id = ${corp_id} and merged_user_id = any(${userIds}::text[])`)
  return new Map(found.map(({ merged_user_id, user_id }) => [merged_user_id, user_id]))
}

/** The merges by which users are merged at this moment. */
export async function findMergesOf(on: Queryable, corp_id: string, userIds: string[]): Promise<string[]> {
  const found = await on.query<{ merge_id: string }>(sql`
    select merge_id from merged_users
     where corp_id = ${corp_id} and merged_user_id = any(${userIds}::text[])`)
  return found.map(({ merge_id }) => merge_id)
}

/** What refers to a user and is to follow it: the ids of leads, tags, follow-ups, orders, and of users merged into it. */
export interface Belongings {
  leads: string[]
  user_tags: string[]
  user_follow_ups: string[]
  orders: string[]
  merged_users: string[]
}

export async function findBelongings(tx: Queryable, corp_id: string, user_id: string): Promise<Belongings> {
  const idsOf = (table: string, key: string) =>
    sql`select ${raw(key)} as id from ${raw(table)} where corp_id = ${corp_id} and user_id = ${user_id} order by 1`
  const found = await tx.pipeline<{ id: string }[]>([
    idsOf('leads', 'lead_id'),
    idsOf('user_tags', 'entity_id'),
    idsOf('user_follow_ups', 'follow_up_id'),
    idsOf('orders', 'order_id'),
    idsOf('merged_users', 'merged_user_id'),
  ])
  const [leads, user_tags, user_follow_ups, orders, merged_users] = found.map((rows) =>
    rows.map(({ id }) => id),
  )
  return {
    ...{ leads: leads!, user_tags: user_tags!, user_follow_ups: user_follow_ups! },
    ...{ orders: orders!, merged_users: merged_users! },
  }
}

/** Whether an e-mail address belongs to a user who was merged into somebody else than this one. */
export async function isEmailOfMerged(
  on: Queryable,
  { corp_id, user_id }: UserKey,
  email: string,
): Promise<boolean> {
  const rows = await on.query(sql`
    select 1 from merged_users
     where corp_id = ${corp_id} and email_key = lower(${email}::text) and user_id <> ${user_id} limit 1`)
  return rows.length > 0
}

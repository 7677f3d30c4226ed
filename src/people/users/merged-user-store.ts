import type { Queryable } from '../../database/database.ts'
import { raw, sql } from '../../database/sql.ts'
import type { UserKey } from './user-store.ts'

/** The survivor of a merged user, and the contacts that the merged user had. */
export const mergedUserColumns = {
  merged_user_id: 'text',
  user_id: 'text',
  merge_id: 'text',
  area_code: 'text',
  mobile: 'text',
  email: 'text',
} as const

/** The survivor of a merged user; undefined if the user was not merged. */
export async function findSurvivor(
  on: Queryable,
  corp_id: string,
  user_id: string,
): Promise<string | undefined> {
  const [found] = await on.query<{ user_id: string }>(sql`
    select user_id from merged_users where corp_id = ${corp_id} and merged_user_id = ${user_id}`)
  return found?.user_id
}

/** The survivors of those users that were merged. */
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

/** The merges in effect for these users. */
export async function findMergesOf(on: Queryable, corp_id: string, userIds: string[]): Promise<string[]> {
  const found = await on.query<{ merge_id: string }>(sql`
    select merge_id from merged_users
     where corp_id = ${corp_id} and merged_user_id = any(${userIds}::text[])`)
  return found.map(({ merge_id }) => merge_id)
}

/** Ids of the records that refer to a user: a merge moves them to the survivor. */
export interface Belongings {
  leads: string[]
  user_tags: string[]
  user_follow_ups: string[]
  orders: string[]
  merged_users: string[]
  payers: string[]
}

export async function findBelongings(tx: Queryable, corp_id: string, user_id: string): Promise<Belongings> {
  const idsOf = (table: string, key: string) =>
    sql`select ${raw(key)} as id from ${raw(table)} where corp_id = ${corp_id} and user_id = ${user_id} order by 1`
  const found = await tx.pipeline<Record<keyof Belongings, { id: string }>>({
    leads: idsOf('leads', 'lead_id'),
    user_tags: idsOf('user_tags', 'entity_id'),
    user_follow_ups: idsOf('user_follow_ups', 'follow_up_id'),
    orders: idsOf('orders', 'order_id'),
    merged_users: idsOf('merged_users', 'merged_user_id'),
    payers: idsOf('payers', 'payer_id'),
  })
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)
  return {
    leads: ids(found.leads),
    user_tags: ids(found.user_tags),
    user_follow_ups: ids(found.user_follow_ups),
    orders: ids(found.orders),
    merged_users: ids(found.merged_users),
    payers: ids(found.payers),
  }
}

/** Whether an e-mail address belongs to a user that was merged into another user than this one. */
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

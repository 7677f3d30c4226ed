import type { Queryable } from '../../database/database.ts'
import { raw, sql } from '../../database/sql.ts'
import type { MergedUser } from './search/user-document-store.ts'

/** The survivor of a merged user, and the names and contacts that the merged user had. */
export const mergedUserColumns = {
  merged_user_id: 'text',
  user_id: 'text',
  merge_id: 'text',
  name: 'text',
  first_name: 'text',
  last_name: 'text',
  area_code: 'text',
  mobile: 'text',
  backup_area_code: 'text',
  backup_mobile: 'text',
  email: 'text',
  wechat_id: 'text',
  external_id: 'text',
} as const

/** The users that were merged into these, with the creation time of the survivor. */
export async function findMergedInto(
  on: Queryable,
  corp_id: string,
  userIds: string[],
): Promise<(MergedUser & { ctime: Date })[]> {
  return on.query(sql`
    select m.merged_user_id, m.user_id, m.name, m.first_name, m.last_name, m.area_code, m.mobile, m.backup_area_code,
           m.backup_mobile, m.email, m.wechat_id, m.external_id, u.ctime
      from merged_users m join users u on u.corp_id = ${corp_id} and u.user_id = m.user_id
     where m.corp_id = ${corp_id} and m.user_id = any(${userIds}::text[])`)
}

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

/** A merge in effect. */
export interface Merge {
  merge_id: string
  merged_user_id: string
  user_id: string
}

/** The merges in effect that merged these users, the last one first: ids of merges grow with time. */
export function findMergesOf(on: Queryable, corp_id: string, userIds: string[]): Promise<Merge[]> {
  return on.query<Merge>(sql`
    select merge_id, merged_user_id, user_id from merged_users
     where corp_id = ${corp_id} and merged_user_id = any(${userIds}::text[])
     order by merge_id desc`)
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

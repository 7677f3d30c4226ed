import { batchedRead } from '../database/batched-read.ts'
import type { Queryable } from '../database/database.ts'
import type { NewRow } from '../database/insert-rows.ts'
import { sql } from '../database/sql.ts'
import { isUniqueViolation } from '../database/unique-violation.ts'

/** Which user: every statement names the organization beside it. */
export interface UserKey {
  corp_id: string
  user_id: string
}

/** Profiles as JSON text, which most are answered as. */
export const findProfile = batchedRead(async (on, { corp_id }, userIds) => {
  const rows = await on.query<UserKey & { text: string }>(sql`
    select user_id, row_to_json(profile)::text as text
      from (select user_id, corp_id, coalesce(name, '') as name, coalesce(last_name, '') as last_name,
                   coalesce(first_name, '') as first_name, coalesce(area_code, '') as area_code,
                   coalesce(mobile, '') as mobile,
                   gender, city, city_raw, city_mobile, company_name, job_title, department, industry, age,
                   professional_profile_url
              from users
             where corp_id = ${corp_id} and user_id = any(${userIds})) profile`)
  return new Map(rows.map(({ user_id, text }) => [user_id, text]))
})

export interface Contacts {
  area_code: string | null
  mobile: string | null
  backup_area_code: string | null
  backup_mobile: string | null
  email: string | null
}

export const findContacts = batchedRead(async (on, { corp_id }, userIds) => {
  const rows = await on.query<Contacts & UserKey>(sql`
    select user_id, area_code, mobile, backup_area_code, backup_mobile, email
      from users
     where corp_id = ${corp_id} and user_id = any(${userIds})`)
  return new Map(rows.map((row) => [row.user_id, row as Contacts]))
})

type OwnerChange = UserKey & { owner_id: string; now: Date }

/** The owners after the change, in order of addition; undefined where there is no such user. */
export async function addOwner(on: Queryable, change: OwnerChange): Promise<string[] | undefined> {
  const [row] = await on.query<{ owner_ids: string[] }>(sql`
    update users
       set owner_ids = case when ${change.owner_id} = any(owner_ids) then owner_ids
                            else array_append(owner_ids, ${change.owner_id}) end,
           mtime = ${change.now}, version = version + 1
     where corp_id = ${change.corp_id} and user_id = ${change.user_id}
    returning owner_ids`)
  return row?.owner_ids
}

export async function removeOwner(on: Queryable, change: OwnerChange): Promise<string[] | undefined> {
  const [row] = await on.query<{ owner_ids: string[] }>(sql`
    update users
       set owner_ids = array_remove(owner_ids, ${change.owner_id}), mtime = ${change.now}, version = version + 1
     where corp_id = ${change.corp_id} and user_id = ${change.user_id}
    returning owner_ids`)
  return row?.owner_ids
}

export async function setPool(
  on: Queryable,
  change: UserKey & { pool: string; now: Date },
): Promise<boolean> {
  const rows = await on.query(sql`
    update users
       set pool = ${change.pool}, mtime = ${change.now}, version = version + 1
     where corp_id = ${change.corp_id} and user_id = ${change.user_id}
    returning user_id`)
  return rows.length === 1
}

export async function setEmail(
  on: Queryable,
  change: UserKey & { email: string; now: Date },
): Promise<'updated' | 'missing' | 'taken'> {
  try {
    const rows = await on.query(sql`
      update users
         set email = ${change.email}, mtime = ${change.now}, version = version + 1
       where corp_id = ${change.corp_id} and user_id = ${change.user_id}
      returning user_id`)
    return rows.length === 1 ? 'updated' : 'missing'
  } catch (error) {
    if (isUniqueViolation(error, 'users_by_email')) return 'taken'
    throw error
  }
}

/** Every column of a user but the organization, with its type. */
export const userColumns = {
  user_id: 'text',
  name: 'text',
  first_name: 'text',
  last_name: 'text',
  area_code: 'text',
  mobile: 'text',
  backup_area_code: 'text',
  backup_mobile: 'text',
  email: 'text',
  gender: 'text',
  age: 'integer',
  city: 'text',
  city_raw: 'text',
  city_mobile: 'text',
  company_name: 'text',
  job_title: 'text',
  department: 'text',
  industry: 'text',
  work_exp: 'text',
  professional_profile_url: 'text',
  attributes: 'jsonb',
  owner_ids: 'text[]',
  pool: 'text',
  is_verified: 'boolean',
  ctime: 'timestamptz',
  mtime: 'timestamptz',
  version: 'integer',
} as const

/** A whole user; absent values are null, never "". */
export type UserRecord = NewRow<typeof userColumns>

import { batchedRead } from '../database/batched-read.ts'
import { batchedWrite } from '../database/batched-write.ts'
import type { Queryable } from '../database/database.ts'
import type { NewRow } from '../database/insert-rows.ts'
import { eachFound, sentRows } from '../database/sent-rows.ts'
import { raw, sql } from '../database/sql.ts'
import { isUniqueViolation } from '../database/unique-violation.ts'

/** Which user: every statement names the organization beside it. */
export interface UserKey {
  corp_id: string
  user_id: string
}

/** How users are reached, or made with this id. */
const contactColumns = {
  user_id: 'text',
  area_code: 'text',
  mobile: 'text',
  email: 'text',
  pool: 'text',
  now: 'timestamptz',
} as const

/**
 * Finds the users with these mobile numbers or e-mail addresses, and makes those that are missing with the given ids. Of
 * simultaneous calls one makes the user; the others wait for it inside the statement, come back empty and find it on the
 * next try. Rows come in the order of their contacts, so that statements which share some do not block each other.
 */
export const findOrMakeUser = batchedWrite(async (on, corp_id, contacts: NewRow<typeof contactColumns>[]) => {
  const rows = await on.query<{ user_id: string | null; is_made: boolean }>(sql`
    with sent as (${sentRows(contactColumns, contacts)}),
    -- Ready before the join: behind row-level security an index is not searched for what a function still has to make.
    emails as materialized (select n, lower(email) as email_key from sent where email is not null),
    found as (
      select sent.n, found.user_id
        from sent ${eachFound(sql`
          select u.user_id from users u
           where u.corp_id = ${corp_id} and u.area_code = sent.area_code and u.mobile = sent.mobile`)}
      union all
      select emails.n, found.user_id
        from emails ${eachFound(sql`
          select u.user_id from users u where u.corp_id = ${corp_id} and u.email_key = emails.email_key`)}),
    made as (
      insert into users (corp_id, user_id, area_code, mobile, email, pool, ctime, mtime)
      select ${corp_id}, user_id, area_code, mobile, email, pool, now, now
        from sent
       where not exists (select 1 from found where found.n = sent.n)
       order by area_code, mobile, lower(email)
      on conflict do nothing
      returning user_id)
    select coalesce(found.user_id, made.user_id) as user_id, made.user_id is not null as is_made
      from sent left join found using (n) left join made on made.user_id = sent.user_id
     order by n`)
  return rows.map(({ user_id, is_made }) => (user_id === null ? undefined : { user_id, is_made }))
})

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
const userColumns = {
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

interface ColumnValue {
  text: string | null
  integer: number | null
  jsonb: Record<string, unknown>
  'text[]': string[]
  boolean: boolean
  timestamptz: Date
}

/** A whole user; absent values are null, never "". */
export type UserRecord = { [C in keyof typeof userColumns]: ColumnValue[(typeof userColumns)[C]] }

const columnNames = raw(Object.keys(userColumns).join(', '))
const columnDefinitions = raw(
  Object.entries(userColumns)
    .map((column) => column.join(' '))
    .join(', '),
)

/** Inserts many users in one statement. */
export async function insertUsers(on: Queryable, corp_id: string, users: UserRecord[]): Promise<void> {
  await on.query(sql`
    insert into users (corp_id, ${columnNames})
    select ${corp_id}, ${columnNames}
      from jsonb_to_recordset(${JSON.stringify(users)}::jsonb) as u (${columnDefinitions})`)
}

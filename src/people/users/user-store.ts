import { batchedRead } from '../../database/batched-read.ts'
import type { Queryable } from '../../database/database.ts'
import { type NewRow, sentRows } from '../../database/insert-rows.ts'
import { raw, type Statement, sql, timestamp } from '../../database/sql.ts'
import { touchFields } from './touch.ts'
import type { FacetedUser } from './user-facets.ts'

/** The key of a user, with its organization. */
export interface UserKey {
  corp_id: string
  user_id: string
}

export interface Contacts {
  area_code: string | null
  mobile: string | null
  backup_area_code: string | null
  backup_mobile: string | null
  email: string | null
}

export const findContacts = batchedRead('user_id', (on, { corp_id }, userIds) =>
  on.query<Contacts & UserKey>(sql`
    select user_id, area_code, mobile, backup_area_code, backup_mobile, email
      from users
     where corp_id = ${corp_id} and user_id = any(${userIds})`),
)

/** A user with the columns that facets, changes and history need. */
export interface StoredUser extends FacetedUser, Pick<UserRecord, (typeof profileMembers)[number]> {
  birthday: string | null
  version: number
}

/** The profile members that staff edit. */
export const profileMembers = [
  'name',
  'first_name',
  'last_name',
  'gender',
  'city',
  'company_name',
  'job_title',
  'department',
  'industry',
  'work_exp',
  'professional_profile_url',
  'wechat_id',
  'external_id',
] as const

export type ChangeableMember = 'owner_ids' | 'pool' | (typeof profileMembers)[number]

const storedColumns = raw(
  `user_id, name, first_name, last_name, area_code, mobile, backup_area_code, backup_mobile, email, company_name,
   gender, work_exp, job_title, department, industry, city, professional_profile_url, wechat_id, external_id,
   attributes->>'birthday' as birthday, owner_ids, pool, ctime, version`,
)

export function selectUsers(corp_id: string, userIds: string[]): Statement {
  return sql`
    select ${storedColumns} from users where corp_id = ${corp_id} and user_id = any(${userIds}::text[])`
}

/** Locks users in the order of their ids, so that two transactions cannot deadlock. */
export function lockUsers(corp_id: string, userIds: string[]): Statement {
  return sql`
    select ${storedColumns} from users
     where corp_id = ${corp_id} and user_id = any(${userIds}::text[])
     order by user_id
       for no key update`
}

/** Locks users, skipping those that another transaction has locked. */
export function lockFreeUsers(corp_id: string, userIds: string[]): Statement {
  return sql`${lockUsers(corp_id, userIds)} skip locked`
}

/** Stores these members of users, with their new versions. */
export function updateUsers(
  corp_id: string,
  users: StoredUser[],
  members: ChangeableMember[],
  now: Date,
): Statement {
  const columns = {
    user_id: 'text',
    ...Object.fromEntries(members.map((name) => [name, userColumns[name]])),
    version: 'integer',
  } as const
  return sql`
    update users u
       set ${raw(members.map((name) => `${name} = n.${name}, `).join(''))} mtime = ${now}, version = n.version
      from ${sentRows('n', columns, users)}
     where u.corp_id = ${corp_id} and u.user_id = n.user_id`
}

/** Locks the next users after an id. */
export async function lockUsersAfter(
  tx: Queryable,
  corp_id: string,
  after: string,
  limit: number,
): Promise<StoredUser[]> {
  return tx.query<StoredUser>(sql`
    select ${storedColumns} from users
     where corp_id = ${corp_id} and user_id > ${after}
     order by user_id limit ${limit}
       for no key update`)
}

export async function isUser(on: Queryable, { corp_id, user_id }: UserKey): Promise<boolean> {
  const rows = await on.query(sql`
    select user_id from users where corp_id = ${corp_id} and user_id = ${user_id}`)
  return rows.length === 1
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
  wechat_id: 'text',
  external_id: 'text',
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

/** The creation times of users. */
export async function findCreationTimes(
  on: Queryable,
  corp_id: string,
  userIds: string[],
): Promise<Map<string, Date>> {
  const rows = await on.query<{ user_id: string; ctime: Date }>(sql`
    select user_id, ctime from users where corp_id = ${corp_id} and user_id = any(${userIds}::text[])`)
  return new Map(rows.map(({ user_id, ctime }) => [user_id, ctime]))
}

const touchColumns = raw(
  touchFields.map((name) => `coalesce(l.fields->>'${name}', '') as ${name}`).join(', '),
)

/** The first or last lead of the user u. */
export function touchOf(which: 'first' | 'last', corp_id: string, timeZone: string | Statement): Statement {
  const direction = raw(which === 'first' ? 'asc' : 'desc')
  return sql`
    (select row_to_json(touch)
       from (select l.lead_id, ${timestamp('l.ctime', timeZone)} as time, ${touchColumns}
               from leads l
              where l.corp_id = ${corp_id} and l.user_id = u.user_id
              order by l.ctime ${direction}, l.lead_id ${direction} limit 1) touch) as ${raw(`${which}_touch`)}`
}

/** The record of a page of users: only their ids. */
export const idOfPage = sql`select page.id as user_id`

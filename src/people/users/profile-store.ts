import { fingerprint } from '../../contract/fingerprint.ts'
import type { JsonBytes } from '../../contract/rendered-json.ts'
import { batchedRead } from '../../database/batched-read.ts'
import type { Queryable } from '../../database/database.ts'
import { notByCopy } from '../../database/insert-rows.ts'
import { raw, readingBytes, type Statement, sql, timestamp } from '../../database/sql.ts'
import type { UserRow } from './user-row.ts'
import { lockUsersAfter, touchOf } from './user-store.ts'

/** A rendered profile, sent as it is stored. */
interface Profile {
  user_id: string
  profile: JsonBytes
}

/** Renders profiles. */
function selectProfiles(corp_id: string, userIds: string[], timeZone: string | Statement): Statement {
  const touches = sql`${touchOf('first', corp_id, timeZone)}, ${touchOf('last', corp_id, timeZone)}`
  return selectProfilesWith(touches, corp_id, userIds)
}

function selectProfilesWith(touches: Statement, corp_id: string, userIds: string[]): Statement {
  return sql`
    select user_id, row_to_json(whole)::text as profile
      from (select u.user_id, u.corp_id, coalesce(u.name, '') as name, coalesce(u.last_name, '') as last_name,
                   coalesce(u.first_name, '') as first_name, coalesce(u.area_code, '') as area_code,
                   coalesce(u.mobile, '') as mobile, u.gender, u.city, u.city_raw, u.city_mobile, u.company_name,
                   u.job_title, u.department, u.industry, u.age, u.professional_profile_url,
                   ${touches}
              from users u
             where u.corp_id = ${corp_id} and u.user_id = any(${userIds}::text[])) whole`
}

const noTouches = raw('null::json as first_touch, null::json as last_touch')

/** Identifies the statement that renders profiles. */
export const profileFingerprint = fingerprint(selectProfiles('', [], 'UTC').text)

/** Short: it is stored with every profile. */
const renderer = raw(`'${profileFingerprint.slice(0, 8)}'`)

/**
 * Reads profiles from the read model. Renders profiles that are missing, that other code rendered, or that show the times
 * of another time zone.
 */
export const findProfile = batchedRead('user_id', async (on, { corp_id, time_zone }, userIds) => {
  const stored = await on.query<Profile>(
    readingBytes(sql`
      select user_id, profile from profile_read_model
       where corp_id = ${corp_id} and user_id = any(${userIds}) and time_zone = ${time_zone}
         and renderer = ${renderer}`),
  )
  // The usual case: all are stored, and no id was requested twice.
  if (stored.length === userIds.length) return stored
  const found = new Set(stored.map(({ user_id }) => user_id))
  const others = userIds.filter((id) => !found.has(id))
  if (others.length === 0) return stored
  return [...stored, ...(await on.query<Profile>(readingBytes(selectProfiles(corp_id, others, time_zone))))]
})

/**
 * Renders and stores the profiles of users. The caller holds the locks of the users: of two transactions that write a user
 * and one of its leads, the second sees the rows of the first.
 */
export function projectingProfiles(corp_id: string, userIds: string[]): Statement[] {
  if (userIds.length === 0) return []
  const timeZone = timeZoneOf(corp_id)
  return [
    sql`
    ${profileInsertion(corp_id, selectProfiles(corp_id, userIds, timeZone))}
    on conflict (corp_id, user_id) do update
       set time_zone = excluded.time_zone, profile = excluded.profile, renderer = excluded.renderer
     where stored.profile <> excluded.profile or stored.time_zone <> excluded.time_zone
        or stored.renderer <> excluded.renderer`,
  ]
}

/** The same for users that this transaction creates without leads: there is nothing to search and nothing to replace. */
export function projectingNewProfiles(corp_id: string, userIds: string[]): Statement[] {
  if (userIds.length === 0) return []
  return [sql`${profileInsertion(corp_id, selectProfilesWith(noTouches, corp_id, userIds))} ${notByCopy}`]
}

function profileInsertion(corp_id: string, profiles: Statement): Statement {
  return sql`
    insert into profile_read_model as stored (corp_id, user_id, time_zone, profile, renderer)
    select ${corp_id}, rendered.user_id, ${timeZoneOf(corp_id)}, rendered.profile, ${renderer}
      from (${profiles}) rendered`
}

/** There is one row. The limit is for tests that run statements without their conditions. */
function timeZoneOf(corp_id: string): Statement {
  return sql`(select z.time_zone from organizations z where z.corp_id = ${corp_id} limit 1)`
}

/** Renders the profiles of the next users after an id, and locks the users. Returns their ids. */
export async function rebuildProfilesAfter(
  tx: Queryable,
  corp_id: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const users = await lockUsersAfter(tx, corp_id, after, limit)
  const ids = users.map(({ user_id }) => user_id)
  await tx.pipeline(projectingProfiles(corp_id, ids))
  return ids
}

/** One text for the stored profiles. */
export async function profilesDigest(on: Queryable, corp_id: string): Promise<string> {
  const [row] = await on.query<{ digest: string | null }>(sql`
    select md5(string_agg(md5(concat_ws('|', user_id, time_zone, profile)), ',' order by user_id)) as digest
      from profile_read_model where corp_id = ${corp_id}`)
  return row?.digest ?? ''
}

/** Selects the user row for a page of ids. */
export function userOfPage(corp_id: string, timeZone: string): Statement {
  return sql`${selectRows(corp_id, timeZone)} where u.corp_id = ${corp_id} and u.user_id = page.id`
}

/** Users by id, as lists show them. */
export async function findUserRows(
  on: Queryable,
  corp_id: string,
  userIds: string[],
  timeZone: string,
): Promise<Map<string, UserRow>> {
  const rows = await on.query<{ row: UserRow }>(sql`
    select to_json(record) as row
      from (${selectRows(corp_id, timeZone)} where u.corp_id = ${corp_id} and u.user_id = any(${userIds}::text[])) record`)
  return new Map(rows.map(({ row }) => [row.user_id, row]))
}

function selectRows(corp_id: string, timeZone: string): Statement {
  return sql`
    select u.user_id, u.corp_id, coalesce(u.name, '') as name, coalesce(u.last_name, '') as last_name,
           coalesce(u.first_name, '') as first_name, coalesce(u.area_code, '') as area_code,
           coalesce(u.mobile, '') as mobile, coalesce(u.email, '') as email, u.wechat_id, u.external_id,
           u.attributes->>'birthday' as birthday, u.city, u.company_name, u.job_title, u.department, u.pool, u.owner_ids,
           (select c.owner_id from user_claims c where c.corp_id = ${corp_id} and c.user_id = u.user_id) as holder_id,
           coalesce((select array_agg(distinct o.status order by o.status) from orders o
                      where o.corp_id = ${corp_id} and o.user_id = u.user_id and not o.is_deleted), '{}') as order_statuses,
           coalesce((select ${timestamp('max(f.ctime)', timeZone)} from user_follow_ups f
                      where f.corp_id = ${corp_id} and f.user_id = u.user_id), '') as last_follow_up,
           u.is_verified, ${touchOf('first', corp_id, timeZone)}, ${touchOf('last', corp_id, timeZone)},
           ${timestamp('u.ctime', timeZone)} as ctime, ${timestamp('u.mtime', timeZone)} as mtime, u.version
      from users u`
}

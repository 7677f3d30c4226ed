import type { JsonBytes } from '../../contract/rendered-json.ts'
import { batchedRead } from '../../database/batched-read.ts'
import type { Queryable } from '../../database/database.ts'
import { readingBytes, type Statement, sql } from '../../database/sql.ts'
import { touchOf } from './touch-store.ts'
import { lockUsersAfter, type StoredUser } from './user-store.ts'

/** A profile as JSON, which most are answered as. */
interface Profile {
  user_id: string
  profile: JsonBytes
}

/** Makes profiles from the data. */
function selectProfiles(corp_id: string, userIds: string[], timeZone: string | Statement): Statement {
  return sql`
    select user_id, row_to_json(whole)::text as profile
      from (select u.user_id, u.corp_id, coalesce(u.name, '') as name, coalesce(u.last_name, '') as last_name,
                   coalesce(u.first_name, '') as first_name, coalesce(u.area_code, '') as area_code,
                   coalesce(u.mobile, '') as mobile, u.gender, u.city, u.city_raw, u.city_mobile, u.company_name,
                   u.job_title, u.department, u.industry, u.age, u.professional_profile_url,
                   ${touchOf('first', corp_id, timeZone)}, ${touchOf('last', corp_id, timeZone)}
              from users u
             where u.corp_id = ${corp_id} and u.user_id = any(${userIds}::text[])) whole`
}

/**
 * Profiles as the read model has them. Those that are not in it, or have the times of a zone that the organization has
 * left, are made.
 */
export const findProfile = batchedRead('user_id', async (on, { corp_id, time_zone }, userIds) => {
  const stored = await on.query<Profile>(
    readingBytes(sql`
      select user_id, profile from profile_read_model
       where corp_id = ${corp_id} and user_id = any(${userIds}) and time_zone = ${time_zone}`),
  )
  // As many as were asked for: unless somebody was asked for twice, nobody needs to be looked for.
  if (stored.length === userIds.length) return stored
  const found = new Set(stored.map(({ user_id }) => user_id))
  const others = userIds.filter((id) => !found.has(id))
  if (others.length === 0) return stored
  return [...stored, ...(await on.query<Profile>(readingBytes(selectProfiles(corp_id, others, time_zone))))]
})

/**
 * Brings the profiles of users up to date. Whoever does so holds the users: of two who write a user and one of its leads
 * side by side, the second sees what the first has done.
 */
export function projectingProfiles(corp_id: string, userIds: string[]): Statement[] {
  if (userIds.length === 0) return []
  // There is one; the limit says so to tests that run statements without their conditions.
  const timeZone = sql`(select z.time_zone from organizations z where z.corp_id = ${corp_id} limit 1)`
  return [
    sql`
    insert into profile_read_model as stored (corp_id, user_id, time_zone, profile)
    select ${corp_id}, made.user_id, ${timeZone}, made.profile
      from (${selectProfiles(corp_id, userIds, timeZone)}) made
    on conflict (corp_id, user_id) do update set time_zone = excluded.time_zone, profile = excluded.profile
     where stored.profile <> excluded.profile or stored.time_zone <> excluded.time_zone`,
  ]
}

const batchSize = 1000

/** Makes the profiles of all users anew, and holds the users. */
export async function rebuildProfiles(tx: Queryable, corp_id: string): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const users: StoredUser[] = await lockUsersAfter(tx, corp_id, after, batchSize)
    const ids = users.map(({ user_id }) => user_id)
    await tx.pipeline(projectingProfiles(corp_id, ids))
    after = ids.at(-1)
  }
}

/** What profiles are made by. */
export const profileStatement = selectProfiles('', [], 'UTC').text

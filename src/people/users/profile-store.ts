import { fingerprint } from '../../contract/fingerprint.ts'
import type { JsonBytes } from '../../contract/rendered-json.ts'
import { batchedRead } from '../../database/batched-read.ts'
import type { Queryable } from '../../database/database.ts'
import { readingBytes, type Statement, sql } from '../../database/sql.ts'
import { touchOf } from './touch-store.ts'
import { lockUsersAfter } from './user-store.ts'

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

/** Renders the profiles of all users, and locks the users. Returns the number of users. */
export async function rebuildProfiles(tx: Queryable, corp_id: string): Promise<number> {
  let done = 0
  for (let after = ''; ; ) {
    const users = await lockUsersAfter(tx, corp_id, after, batchSize)
    const last = users.at(-1)
    if (!last) return done
    await tx.pipeline(
      projectingProfiles(
        corp_id,
        users.map(({ user_id }) => user_id),
      ),
    )
    done += users.length
    after = last.user_id
  }
}

/** Identifies the statement that renders profiles. */
export const profileFingerprint = fingerprint(selectProfiles('', [], 'UTC').text)

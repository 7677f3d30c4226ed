import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'

/** Whom a user was merged into, and the contacts it had. */
export const mergedUserColumns = {
  merged_user_id: 'text',
  user_id: 'text',
  merge_id: 'text',
  area_code: 'text',
  mobile: 'text',
  email_key: 'text',
} as const

/** Merges follow each other no further than this. */
const mostMerges = 100

/** Who answers for a user that was merged; undefined where it was not. */
export async function findSurvivor(
  on: Queryable,
  corp_id: string,
  user_id: string,
): Promise<string | undefined> {
  let survivor: string | undefined
  for (let merges = 0; merges < mostMerges; merges++) {
    const [found] = await on.query<{ user_id: string }>(sql`
      select user_id from merged_users
       where corp_id = ${corp_id} and merged_user_id = ${survivor ?? user_id}`)
    if (!found) break
    survivor = found.user_id
  }
  return survivor
}

import type { Queryable } from '../../database/database.ts'
import { type Statement, sql, timestamp } from '../../database/sql.ts'
import { touchOf } from './touch-store.ts'
import type { UserRow } from './user-row.ts'

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
           coalesce(u.mobile, '') as mobile, coalesce(u.email, '') as email, u.city, u.company_name, u.job_title,
           u.department, u.pool, u.owner_ids,
           (select c.owner_id from user_claims c where c.corp_id = ${corp_id} and c.user_id = u.user_id) as holder_id,
           coalesce((select array_agg(distinct o.status order by o.status) from orders o
                      where o.corp_id = ${corp_id} and o.user_id = u.user_id and not o.is_deleted), '{}') as order_statuses,
           coalesce((select ${timestamp('max(f.ctime)', timeZone)} from user_follow_ups f
                      where f.corp_id = ${corp_id} and f.user_id = u.user_id), '') as last_follow_up,
           u.is_verified, ${touchOf('first', corp_id, timeZone)}, ${touchOf('last', corp_id, timeZone)},
           ${timestamp('u.ctime', timeZone)} as ctime, ${timestamp('u.mtime', timeZone)} as mtime, u.version
      from users u`
}

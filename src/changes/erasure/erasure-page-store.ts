import type { Organization } from '../../contract/caller.ts'
import type { Queryable } from '../../database/database.ts'
import { raw, sql, timestamp, timestampOrEmpty } from '../../database/sql.ts'

export interface ErasureRow {
  user_id: string
  time: string
  reason: string
  executor_id: string
  contacts: number
  is_complete: boolean
  lifted_time: string
  lifted_by: string
}

/** Erased people, newest first. A merged user is part of its survivor. */
export async function findErasurePage(
  on: Queryable,
  { corp_id, time_zone }: Pick<Organization, 'corp_id' | 'time_zone'>,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; list: ErasureRow[] }> {
  const isPerson = raw('coalesce(e.person_id, e.user_id) = e.user_id')
  const [[counted], list] = await on.pipeline<[{ total: number }, ErasureRow]>([
    sql`select count(*) as total from erased_users e where e.corp_id = ${corp_id} and ${isPerson}`,
    sql`
      select e.user_id, ${timestamp('e.at', time_zone)} as time, e.reason, e.executor_id, t.contacts,
             e.number <= coalesce(
               (select least(r.files_number, r.texts_number) from erasure_registers r where r.corp_id = ${corp_id}), 0)
               as is_complete,
             ${timestampOrEmpty('t.lifted_at', time_zone)} as lifted_time, coalesce(t.lifted_by, '') as lifted_by
        from erased_users e
       cross join lateral (
             select count(*) filter (where t.kind <> 'digits')::integer as contacts, max(t.lifted_at) as lifted_at,
                    max(t.lifted_by) as lifted_by
               from erasure_tombstones t where t.corp_id = ${corp_id} and t.user_id = e.user_id) t
       where e.corp_id = ${corp_id} and ${isPerson}
       order by e.at desc, e.user_id limit ${limit} offset ${offset}`,
  ])
  return { total: counted?.total ?? 0, list }
}

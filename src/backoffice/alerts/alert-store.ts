import type { Queryable, Surveyor } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { survey } from '../../database/survey.ts'

/** The organizations with alerts for their administrators: a disabled webhook, or a used-up quota. */
export async function findCorpIdsWithAlerts(on: Surveyor, since: Date): Promise<string[]> {
  return on.corpIds(survey`
    select e.corp_id from webhook_endpoints e
     where e.disabled_reason in ('failing', 'gone') and e.disabled_at >= ${since}
       and not exists (
         select 1 from mails m
          where m.corp_id = e.corp_id and m.record_id = e.endpoint_id and m.kind = 'alert' and m.ctime >= e.disabled_at)
    union
    select o.corp_id from organizations o
     where o.over_quota <> '{}' and o.suspended_at is null
       and not exists (
         select 1 from mails m where m.corp_id = o.corp_id and m.record_id = 'quotas' and m.ctime >= ${since})`)
}

export interface DisabledEndpoint {
  endpoint_id: string
  url: string
  disabled_reason: 'failing' | 'gone'
  disabled_at: Date
}

export async function findDisabledEndpoints(
  on: Queryable,
  corp_id: string,
  since: Date,
): Promise<DisabledEndpoint[]> {
  return on.query<DisabledEndpoint>(sql`
    select endpoint_id, url, disabled_reason, disabled_at from webhook_endpoints
     where corp_id = ${corp_id} and disabled_reason in ('failing', 'gone') and disabled_at >= ${since}`)
}

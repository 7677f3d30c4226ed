import { batchedRead } from '../../database/batched-read.ts'
import type { Queryable } from '../../database/database.ts'
import { insertingRows, type NewRow } from '../../database/insert-rows.ts'
import { type Statement, sql, timestamp } from '../../database/sql.ts'
import type { StoredLeadFields } from './lead-fields.ts'
import type { StoredLead } from './lead-row.ts'

export const leadColumns = {
  lead_id: 'text',
  user_id: 'text',
  entry_id: 'text',
  app_id: 'text',
  /** The original fields. */
  fields: 'jsonb',
  ctime: 'timestamptz',
  mtime: 'timestamptz',
  version: 'integer',
} as const

export type LeadRecord = NewRow<typeof leadColumns> & {
  lead_id: string
  user_id: string
  fields: StoredLeadFields
  ctime: Date
}

/** The lead of an entry. */
export interface EntryLead {
  entry_id: string
  lead_id: string
  user_id: string
  fields: StoredLeadFields
}

export function findEntryLeads(corp_id: string, entryIds: string[]): Statement {
  return sql`
    select entry_id, lead_id, user_id, fields from leads
     where corp_id = ${corp_id} and entry_id = any(${entryIds}::text[])`
}

/** Sorted by entry, so that two transactions cannot deadlock. */
export function insertingLeads(corp_id: string, leads: LeadRecord[]): Statement[] {
  const sorted = leads.toSorted((a, b) => ((a.entry_id ?? '') < (b.entry_id ?? '') ? -1 : 1))
  return insertingRows('leads', leadColumns, corp_id, sorted)
}

export const findLead = batchedRead('lead_id', (on, { corp_id, time_zone }, leadIds) =>
  on.query<StoredLead>(sql`
    select lead_id, user_id, app_id, fields, ${timestamp('ctime', time_zone)} as ctime,
           ${timestamp('mtime', time_zone)} as mtime, version
      from leads where corp_id = ${corp_id} and lead_id = any(${leadIds})`),
)

/** Selects the lead and its user for a page of ids. */
export function leadOfPage(corp_id: string, timeZone: string): Statement {
  return sql`
    select l.lead_id, l.user_id, l.app_id, l.fields, ${timestamp('l.ctime', timeZone)} as ctime,
           ${timestamp('l.mtime', timeZone)} as mtime, l.version,
           (select json_build_object('name', coalesce(u.name, ''), 'pool', u.pool, 'owner_ids', u.owner_ids, 'holder_id',
                     (select c.owner_id from user_claims c where c.corp_id = ${corp_id} and c.user_id = u.user_id))
              from users u where u.corp_id = ${corp_id} and u.user_id = l.user_id) as user
      from leads l where l.corp_id = ${corp_id} and l.lead_id = page.id`
}

/** Locks the next leads after an id, and reads them with the creation times of their users. */
export async function lockLeadsAfter(
  tx: Queryable,
  corp_id: string,
  after: string,
  limit: number,
): Promise<(LeadRecord & { user_ctime: Date })[]> {
  return tx.query(sql`
    select l.lead_id, l.user_id, l.entry_id, l.app_id, l.fields, l.ctime, l.mtime, l.version, u.ctime as user_ctime
      from leads l
      join users u on u.corp_id = ${corp_id} and u.user_id = l.user_id
     where l.corp_id = ${corp_id} and l.lead_id > ${after}
     order by l.lead_id limit ${limit}
       for no key update of l`)
}

/** The courses and the imports of the leads of users, by which the users are found. */
export async function findFoundByLeads(
  on: Queryable,
  corp_id: string,
  userIds: string[],
): Promise<{ user_id: string; fields: Pick<StoredLeadFields, 'course_code' | 'import_id'> }[]> {
  return on.query(sql`
    select distinct user_id,
           jsonb_build_object('course_code', fields->'course_code', 'import_id', fields->'import_id') as fields
      from leads
     where corp_id = ${corp_id} and user_id = any(${userIds}::text[])
       and (fields->>'course_code' <> '' or fields->>'import_id' <> '')`)
}

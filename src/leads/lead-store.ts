import type { Queryable } from '../database/database.ts'
import { literal, type Statement, sql } from '../database/sql.ts'
import { isUniqueViolation } from '../database/unique-violation.ts'

/** What a lead tells of its user, and fills where the user's record has a blank. */
export const userDetails = [
  'area_code',
  'mobile',
  'name',
  'company_name',
  'work_exp',
  'job_title',
  'department',
  'city',
] as const

export interface NewLead {
  corp_id: string
  lead_id: string
  app_id: string
  entry_id: string | null
  /** The user it names; null where the mobile number tells. */
  user_id: string | null
  details: Record<(typeof userDetails)[number], string | null>
  owner_ids: string[]
  /** Every field as it came. */
  fields: object
  now: Date
  /** Of the user, should there be none with this mobile number. */
  newUser: { user_id: string; pool: string }
}

export type LeadInsertion =
  | { outcome: 'inserted' | 'repeated' | 'entry taken'; lead_id: string }
  | { outcome: 'user missing' | 'mobile taken' }

/**
 * Stores a lead together with what it does to its user: one statement, so that a failure leaves nothing.
 * A call that loses a race leaves nothing either, and sees on its next try what the winner made.
 */
export async function insertLead(on: Queryable, lead: NewLead): Promise<LeadInsertion> {
  for (let attempt = 1; attempt <= 4; attempt++) {
    const insertion = outcomeOf(lead, await tryToInsert(on, lead))
    if (insertion) return insertion
  }
  throw new Error('A lead kept losing races for its user or its entry')
}

interface Findings {
  /** The lead that has the entry already. */
  earlier_lead_id: string | null
  is_same: boolean | null
  /** The user that has the mobile number. */
  holder_id: string | null
  user_id: string | null
  lead_id: string | null
}

function outcomeOf(lead: NewLead, found: Findings | undefined): LeadInsertion | undefined {
  if (!found) return undefined
  if (found.lead_id) return { outcome: 'inserted', lead_id: found.lead_id }
  if (found.earlier_lead_id) {
    return { outcome: found.is_same ? 'repeated' : 'entry taken', lead_id: found.earlier_lead_id }
  }
  if (lead.user_id === null) return undefined
  if (found.user_id === null) return { outcome: 'user missing' }
  if (found.holder_id !== null && found.holder_id !== found.user_id) return { outcome: 'mobile taken' }
  return undefined
}

const details = literal(userDetails.join(', '))
const filledDetails = literal(
  userDetails.map((name) => `${name} = coalesce(u.${name}, sent.${name})`).join(', '),
)
const someDetailIsNew = literal(
  userDetails.map((name) => `u.${name} is null and sent.${name} is not null`).join(' or '),
)

/** Undefined where the statement failed against a row that another call made meanwhile. */
async function tryToInsert(on: Queryable, lead: NewLead): Promise<Findings | undefined> {
  const { corp_id, details: sent } = lead
  try {
    const [found] = await on.query<Findings>(sql`
      with sent as (
        select ${sent.area_code}::text as area_code, ${sent.mobile}::text as mobile, ${sent.name}::text as name,
               ${sent.company_name}::text as company_name, ${sent.work_exp}::text as work_exp,
               ${sent.job_title}::text as job_title, ${sent.department}::text as department,
               ${sent.city}::text as city,
               ${lead.owner_ids}::text[] as owner_ids, ${JSON.stringify(lead.fields)}::jsonb as fields),
      earlier as (
        select leads.lead_id, leads.fields = sent.fields as is_same
          from leads, sent
         where corp_id = ${corp_id} and entry_id = ${lead.entry_id}),
      holder as (
        select user_id
          from users
         where corp_id = ${corp_id} and area_code = ${sent.area_code} and mobile = ${sent.mobile}),
      existing as (
        select user_id
          from users
         where corp_id = ${corp_id} and user_id = ${lead.user_id}
        union all
        select user_id from holder where ${lead.user_id}::text is null),
      welcome as (
        select user_id
          from existing
         where not exists (select 1 from earlier)
           and not exists (select 1 from holder where holder.user_id <> existing.user_id)),
      made as (
        insert into users (corp_id, user_id, ${details}, owner_ids, pool, ctime, mtime)
        select ${corp_id}, ${lead.newUser.user_id}, ${details}, owner_ids, ${lead.newUser.pool},
               ${lead.now}::timestamptz, ${lead.now}::timestamptz
          from sent
         where ${lead.user_id}::text is null
           and not exists (select 1 from holder) and not exists (select 1 from earlier)
        on conflict (corp_id, area_code, mobile) do nothing
        returning user_id),
      lead_of_existing as (${leadOf('welcome', lead)} on conflict (corp_id, entry_id) do nothing
        returning lead_id, user_id),
      -- Fails on a taken entry, and takes the user that was made for it along.
      lead_of_made as (${leadOf('made', lead)} returning lead_id),
      filled as (
        update users u
           set ${filledDetails},
               owner_ids = u.owner_ids || array(
                 select owner_id from unnest(sent.owner_ids) with ordinality as o (owner_id, n)
                  where owner_id <> all (u.owner_ids) order by n),
               mtime = ${lead.now}, version = u.version + 1
          from lead_of_existing l, sent
         where u.corp_id = ${corp_id} and u.user_id = l.user_id
           and (not u.owner_ids @> sent.owner_ids or ${someDetailIsNew}))
      select (select lead_id from earlier) as earlier_lead_id, (select is_same from earlier) as is_same,
             (select user_id from holder) as holder_id, (select user_id from existing) as user_id,
             coalesce((select lead_id from lead_of_existing), (select lead_id from lead_of_made)) as lead_id`)
    return found
  } catch (error) {
    if (isUniqueViolation(error, 'leads_by_entry') || isUniqueViolation(error, 'users_by_mobile'))
      return undefined
    throw error
  }
}

function leadOf(users: 'welcome' | 'made', lead: NewLead): Statement {
  return sql`
        insert into leads (corp_id, lead_id, user_id, entry_id, app_id, fields, ctime)
        select ${lead.corp_id}, ${lead.lead_id}, user_id, ${lead.entry_id}, ${lead.app_id}, fields,
               ${lead.now}::timestamptz
          from ${literal(users)}, sent`
}

import { batchedWrite } from '../database/batched-write.ts'
import type { Queryable } from '../database/database.ts'
import type { NewRow } from '../database/insert-rows.ts'
import { eachFound, sentRows } from '../database/sent-rows.ts'
import { raw, sql } from '../database/sql.ts'
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

const texts = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'text' as const]))

const columns = {
  lead_id: 'text',
  app_id: 'text',
  entry_id: 'text',
  /** The user it names; null where the mobile number tells. */
  user_id: 'text',
  ...(texts(userDetails) as Record<(typeof userDetails)[number], 'text'>),
  owner_ids: 'text[]',
  /** Every field as it came. */
  fields: 'jsonb',
  now: 'timestamptz',
  /** Of the user, should there be none with this mobile number. */
  new_user_id: 'text',
  new_user_pool: 'text',
} as const
type NewLead = NewRow<typeof columns>

export type LeadInsertion =
  | { outcome: 'inserted' | 'repeated' | 'entry taken'; lead_id: string }
  | { outcome: 'user missing' | 'mobile taken' }

/**
 * Stores leads together with what they do to their users: one statement, so that a failure leaves nothing. A lead that
 * loses a race leaves nothing either, and sees on its next try what the winner made.
 */
export const insertLead = batchedWrite(async (on, corp_id, leads: NewLead[]) => {
  const found = await tryToInsert(on, corp_id, leads)
  return leads.map((lead, index) => outcomeOf(lead, found[index]))
})

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

const details = raw(userDetails.join(', '))
const filledDetails = raw(userDetails.map((name) => `${name} = coalesce(u.${name}, sent.${name})`).join(', '))
const someDetailIsNew = raw(
  userDetails.map((name) => `u.${name} is null and sent.${name} is not null`).join(' or '),
)
const leadColumns = raw('lead_id, user_id, entry_id, app_id, fields, ctime')

/** Nothing where the statement failed against a row that another call made meanwhile. */
async function tryToInsert(on: Queryable, corp_id: string, leads: NewLead[]): Promise<Findings[]> {
  try {
    return await on.query<Findings>(sql`
      with sent as (${sentRows(columns, leads)}),
      earlier as (
        select sent.n, found.lead_id, found.fields = sent.fields as is_same
          from sent ${eachFound(sql`
            select l.lead_id, l.fields from leads l where l.corp_id = ${corp_id} and l.entry_id = sent.entry_id`)}),
      holder as (
        select sent.n, found.user_id
          from sent ${eachFound(sql`
            select u.user_id from users u
             where u.corp_id = ${corp_id} and u.area_code = sent.area_code and u.mobile = sent.mobile`)}),
      existing as (
        select sent.n, found.user_id
          from sent ${eachFound(sql`
            select u.user_id from users u where u.corp_id = ${corp_id} and u.user_id = sent.user_id`)}
        union all
        select n, holder.user_id from holder join sent using (n) where sent.user_id is null),
      -- One lead of a user at a time, as each may fill what the one before has left blank.
      welcome as (
        select distinct on (user_id) n, user_id
          from existing
         where not exists (select 1 from earlier where earlier.n = existing.n)
           and not exists (select 1 from holder where holder.n = existing.n and holder.user_id <> existing.user_id)
         order by user_id, n),
      -- In order, so that statements with users in common wait for each other instead of blocking each other.
      held as (
        select u.user_id
          from users u
         where u.corp_id = ${corp_id} and u.user_id in (select user_id from welcome)
         order by u.user_id
           for no key update),
      made as (
        insert into users (corp_id, user_id, ${details}, owner_ids, pool, ctime, mtime)
        select ${corp_id}, new_user_id, ${details}, owner_ids, new_user_pool, now, now
          from sent
         where user_id is null
           and not exists (select 1 from holder where holder.n = sent.n)
           and not exists (select 1 from earlier where earlier.n = sent.n)
         order by area_code, mobile
        on conflict (corp_id, area_code, mobile) do nothing
        returning user_id),
      lead_of_existing as (
        insert into leads (corp_id, ${leadColumns})
        select ${corp_id}, lead_id, held.user_id, entry_id, app_id, fields, now
          from held join welcome using (user_id) join sent using (n)
         order by entry_id
        on conflict (corp_id, entry_id) do nothing
        returning lead_id, user_id),
      -- Fails on a taken entry, and takes the user that was made for it along.
      lead_of_made as (
        insert into leads (corp_id, ${leadColumns})
        select ${corp_id}, lead_id, made.user_id, entry_id, app_id, fields, now
          from made join sent on sent.new_user_id = made.user_id
         order by entry_id
        returning lead_id),
      filled as (
        update users u
           set ${filledDetails},
               owner_ids = u.owner_ids || array(
                 select owner_id from unnest(sent.owner_ids) with ordinality as o (owner_id, n)
                  where owner_id <> all (u.owner_ids) order by n),
               mtime = sent.now, version = u.version + 1
          from lead_of_existing l join sent using (lead_id)
         where u.corp_id = ${corp_id} and u.user_id = l.user_id
           and (not u.owner_ids @> sent.owner_ids or ${someDetailIsNew}))
      select earlier.lead_id as earlier_lead_id, earlier.is_same, holder.user_id as holder_id, existing.user_id,
             coalesce(lead_of_existing.lead_id, lead_of_made.lead_id) as lead_id
        from sent
        left join earlier using (n)
        left join holder using (n)
        left join existing using (n)
        left join lead_of_existing on lead_of_existing.lead_id = sent.lead_id
        left join lead_of_made on lead_of_made.lead_id = sent.lead_id
       order by n`)
  } catch (error) {
    if (isUniqueViolation(error, 'leads_by_entry') || isUniqueViolation(error, 'users_by_mobile')) return []
    throw error
  }
}

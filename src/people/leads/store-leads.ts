import { isDeepStrictEqual } from 'node:util'
import { ApiError, taken } from '../../contract/errors.ts'
import { batchedWrite } from '../../database/batched-write.ts'
import type { Queryable } from '../../database/database.ts'
import { retryLostRaces } from '../../database/unique-violation.ts'
import { type PersonToFind, userRaces } from '../users/find-or-make-users.ts'
import { UserPlan } from '../users/user-plan.ts'
import { findNamedUsers, type NamedUserRow, namedUsersOf, storeUserPlan } from '../users/user-plan-store.ts'
import { type LeadOfUser, leadWrites } from './insert-leads.ts'
import type { StoredLeadFields } from './lead-fields.ts'
import { type EntryLead, findEntryLeads } from './lead-store.ts'

export interface NewLead extends PersonToFind {
  lead_id: string
  entry_id: string | null
  app_id: string
  /** The original fields. */
  fields: StoredLeadFields
  /** When the person asked, if it is not now. */
  time?: Date | undefined
}

/** The new lead, the existing lead of the entry, or an error. */
export type LeadOutcome = { lead_id: string; user_id: string; kind: LeadKind } | ApiError
export type LeadKind = 'new_user' | 'known_user' | 'duplicate_entry'

/** The unique indexes on which concurrent writers of the same lead or user conflict. */
export const leadRaces = [...userRaces, 'leads_by_entry']

/** Concurrent leads share a transaction. */
export function storeLead(on: Queryable, corp_id: string, lead: NewLead): Promise<LeadOutcome> {
  return storeTogether(on, corp_id, { ...lead, newUser: { ...lead.newUser, origin: on.origin } })
}

const storeTogether = batchedWrite(storeLeads)

/** Stores leads and the changes of their users in one transaction. */
export function storeLeads(on: Queryable, corp_id: string, leads: NewLead[]): Promise<LeadOutcome[]> {
  return retryLostRaces(leadRaces, async () => {
    const { users, entries } = await on.pipeline<LeadFindings>(findingsOf(corp_id, leads))
    const plan = planLeads(leads, new UserPlan(namedUsersOf(users)), entries)
    if (plan.leads.length > 0)
      await on.transaction((tx) => storeUserPlan(tx, corp_id, plan.users, leadWrites(corp_id, plan.leads)))
    return plan.outcomes
  })
}

/** Rows that planning leads needs. */
export type LeadFindings = { users: NamedUserRow; entries: EntryLead }

export function findingsOf(corp_id: string, leads: NewLead[]) {
  return {
    users: findNamedUsers(
      corp_id,
      leads.map(({ person }) => person),
    ),
    entries: findEntryLeads(
      corp_id,
      leads.flatMap(({ entry_id }) => entry_id ?? []),
    ),
  }
}

/** Plans one lead after the other, as if each had been sent alone. */
export function planLeads(leads: NewLead[], users: UserPlan, entries: EntryLead[]) {
  const byEntry = new Map(entries.map((lead) => [lead.entry_id, lead]))
  const records: LeadOfUser[] = []
  const outcomes = leads.map(({ person, newUser, time, ...lead }): LeadOutcome => {
    const earlier = lead.entry_id === null ? undefined : byEntry.get(lead.entry_id)
    if (earlier) return repetition(earlier, lead.fields)
    try {
      const { user, isMade } = users.findOrMake(person, newUser)
      const { user_id } = user
      const { now, origin } = newUser
      records.push({ lead: { ...lead, user_id, ctime: time ?? now, mtime: now, version: 1 }, user, origin })
      if (lead.entry_id !== null) byEntry.set(lead.entry_id, { ...lead, user_id, entry_id: lead.entry_id })
      return { lead_id: lead.lead_id, user_id, kind: isMade ? 'new_user' : 'known_user' }
    } catch (error) {
      if (error instanceof ApiError) return error
      throw error
    }
  })
  return { users, leads: records, outcomes }
}

function repetition({ lead_id, user_id, fields: earlier }: EntryLead, fields: StoredLeadFields): LeadOutcome {
  if (isDeepStrictEqual(contentOf(earlier), contentOf(fields)))
    return { lead_id, user_id, kind: 'duplicate_entry' }
  return taken('entry_id', 'belongs to a lead with other content', { lead_id })
}

/** Empty values of any kind count as omitted. The same row of another file has the same content. */
function contentOf({ import_id: _, ...fields }: StoredLeadFields): object {
  const isEmpty = (value: unknown) =>
    value === undefined ||
    value === null ||
    (typeof value === 'string' && value.trim() === '') ||
    (Array.isArray(value) && value.length === 0)
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)))
}

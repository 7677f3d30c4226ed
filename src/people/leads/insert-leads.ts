import type { Origin } from '../../contract/origin.ts'
import type { FacetEntry } from '../../search/facet-store.ts'
import type { AccompanyingWrites } from '../users/project-users.ts'
import { entriesOf, userFacet } from '../users/user-facets.ts'
import { leadFacetsOf } from './lead-facets.ts'
import type { LeadFields } from './lead-fields.ts'
import { insertingLeads, type LeadRecord } from './lead-store.ts'

/** A lead to be stored, and since when there is its user. */
export interface LeadOfUser {
  lead: LeadRecord
  user: { user_id: string; ctime: Date }
  /** Of a lead that shares a transaction with those of others. */
  origin?: Origin | undefined
}

/** Leads, and what lists find them and their users by, to be stored along with the users. */
export function leadWrites(corp_id: string, leads: LeadOfUser[]): AccompanyingWrites {
  const records = leads.map(({ lead }) => lead)
  return {
    statements: insertingLeads(corp_id, records),
    entries: leads.flatMap(entriesOfLead),
    newIds: records.map(({ lead_id }) => lead_id!),
    leadUserIds: records.map(({ user_id }) => user_id!),
    notes: leads.map(({ lead, origin }) => ({
      ...{ record_type: 'leads', record_id: lead.lead_id!, person_id: lead.user_id!, after: lead },
      ...(origin && { origin }),
    })),
  }
}

/** Whoever asks about a course is found by it. */
export function entriesOfLead({ lead, user }: LeadOfUser): FacetEntry[] {
  const { course_code } = lead.fields as LeadFields
  const own = Array.from(leadFacetsOf(lead), (facet) => ({
    list: 'leads' as const,
    facet,
    time: lead.ctime!,
    id: lead.lead_id!,
  }))
  return course_code ? [...own, ...entriesOf(user, [userFacet.course(course_code)])] : own
}

import type { Origin } from '../../contract/origin.ts'
import type { FacetEntry } from '../../search/facet-store.ts'
import type { AccompanyingWrites } from '../users/project-users.ts'
import { entriesOf, userFacet } from '../users/user-facets.ts'
import { leadFacetsOf } from './lead-facets.ts'
import type { StoredLeadFields } from './lead-fields.ts'
import { insertingLeads, type LeadRecord } from './lead-store.ts'

/** A lead to store, with the creation time of its user. */
export interface LeadOfUser {
  lead: LeadRecord
  user: { user_id: string; ctime: Date }
  /** The origin of a lead that shares its transaction with other calls. */
  origin?: Origin | undefined
}

/** The rows, facet entries and audit notes of leads, stored with their users. */
export function leadWrites(corp_id: string, leads: LeadOfUser[]): AccompanyingWrites {
  const records = leads.map(({ lead }) => lead)
  return {
    statements: insertingLeads(corp_id, records),
    entries: leads.flatMap(entriesOfLead),
    newIds: records.map(({ lead_id }) => lead_id),
    leadUserIds: records.map(({ user_id }) => user_id),
    notes: leads.map(({ lead, origin }) => ({
      record_type: 'leads',
      record_id: lead.lead_id,
      person_id: lead.user_id,
      after: lead,
      ...(origin && { origin }),
    })),
  }
}

/** The facets by which a user is found for a lead. */
export function userFacetsOfLead({ course_code, import_id }: StoredLeadFields): string[] {
  return [
    ...(course_code ? [userFacet.course(course_code)] : []),
    ...(import_id ? [userFacet.import(import_id)] : []),
  ]
}

/** The facet entries of a lead, and those that it adds to its user. */
export function entriesOfLead({ lead, user }: LeadOfUser): FacetEntry[] {
  const own = Array.from(leadFacetsOf(lead), (facet) => ({
    list: 'leads' as const,
    facet,
    time: lead.ctime,
    id: lead.lead_id,
  }))
  return [...own, ...entriesOf(user, userFacetsOfLead(lead.fields))]
}

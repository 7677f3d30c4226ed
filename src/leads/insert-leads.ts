import type { Origin } from '../contract/origin.ts'
import type { Queryable } from '../database/database.ts'
import { changeEntries, type FacetEntry } from '../facets/facet-store.ts'
import { entriesOf, userFacet } from '../users/user-facets.ts'
import { leadFacetsOf } from './lead-facets.ts'
import type { LeadFields } from './lead-fields.ts'
import { type LeadRecord, leadInsertion } from './lead-store.ts'

/** A lead to be stored, and since when there is its user. */
export interface LeadOfUser {
  lead: LeadRecord
  user: { user_id: string; ctime: Date }
  /** Of a lead that shares a transaction with those of others. */
  origin?: Origin | undefined
}

/** Stores leads, and what lists find them and their users by. */
export async function insertLeads(tx: Queryable, corp_id: string, leads: LeadOfUser[]): Promise<void> {
  if (leads.length === 0) return
  await tx.query(
    leadInsertion(
      corp_id,
      leads.map(({ lead }) => lead),
    ),
  )
  tx.note(
    ...leads.map(({ lead, origin }) => ({
      ...{ record_type: 'leads', record_id: lead.lead_id!, person_id: lead.user_id!, after: lead },
      ...(origin && { origin }),
    })),
  )
  await changeEntries(tx, corp_id, { added: leads.flatMap(entriesOfLead), removed: [] })
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

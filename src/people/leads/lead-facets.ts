import { everyRecord } from '../../search/facet-store.ts'
import { shortened } from '../users/user-facets.ts'
import { type LeadFields, ownersOf } from './lead-fields.ts'
import type { LeadRecord } from './lead-store.ts'

/** What leads are listed by, as it came. */
export const listedFields = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_channel',
  'utm_keyword',
  'utm_term',
  'campaign',
  'course_code',
] as const

export const leadFacet = {
  user: (user_id: string) => `user:${user_id}`,
  owner: (owner_id: string) => `owner:${owner_id}`,
  field: (name: (typeof listedFields)[number], value: string) => shortened(`${name}:`, value),
}

export function leadFacetsOf(lead: LeadRecord): Set<string> {
  const fields = lead.fields as LeadFields
  const facets = new Set([
    everyRecord,
    leadFacet.user(lead.user_id!),
    ...ownersOf(fields).map(leadFacet.owner),
  ])
  for (const name of listedFields) if (fields[name]) facets.add(leadFacet.field(name, fields[name]))
  return facets
}

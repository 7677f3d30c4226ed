import { everyRecord } from '../../search/facet-store.ts'
import { shortened } from '../users/user-facets.ts'
import { ownersOf } from './lead-fields.ts'
import type { LeadRecord } from './lead-store.ts'

/** The fields that lists of leads filter by. */
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

export function leadFacetsOf({ user_id, fields }: Pick<LeadRecord, 'user_id' | 'fields'>): Set<string> {
  const facets = new Set([everyRecord, leadFacet.user(user_id), ...ownersOf(fields).map(leadFacet.owner)])
  for (const name of listedFields) if (fields[name]) facets.add(leadFacet.field(name, fields[name]))
  return facets
}

import { fullName } from './full-name.ts'
import { plain, sameNameKey } from './search-words.ts'
import { type FacetedUser, mailboxOf, mobilesOf, namesakeOf, userFacet } from './user-facets.ts'

/** Reasons why two users are likely the same person, with the percentage of such pairs that really are. */
export const likenesses = {
  mobile: 95,
  email: 90,
  name_and_company: 70,
  name_and_mobile_tail: 60,
} as const

export type Likeness = keyof typeof likenesses

/** A facet: users that share it are likely duplicates, for the reason. */
export interface LikenessKey {
  user_id: string
  reason: Likeness
  facet: string
}

export function likenessKeysOf(user: FacetedUser): LikenessKey[] {
  const keys: LikenessKey[] = []
  const add = (reason: Likeness, facet: string) => keys.push({ user_id: user.user_id, reason, facet })
  const nameKey = sameNameKey(fullName(user))
  for (const { area_code, number } of mobilesOf(user)) {
    add('mobile', userFacet.mobile(number, area_code))
    const namesake = namesakeOf(number, nameKey)
    if (namesake) add('name_and_mobile_tail', namesake)
  }
  if (user.email) add('email', userFacet.email(mailboxOf(plain(user.email))))
  if (nameKey && user.company_name)
    add('name_and_company', userFacet.person(nameKey, sameNameKey(user.company_name)))
  return keys
}

/** Combines reasons as independent evidence: the remaining doubt is the product of the single doubts. */
export function scoreOf(reasons: Likeness[]): number {
  const doubt = reasons.reduce((rest, reason) => rest * (1 - likenesses[reason] / 100), 1)
  return Math.min(99, Math.round((1 - doubt) * 100))
}

/** Whether a change can create or end a duplicate pair. */
export function changesLikeness(before: FacetedUser | undefined, after: FacetedUser | undefined): boolean {
  if (!before || !after) return true
  return JSON.stringify(likenessKeysOf(before)) !== JSON.stringify(likenessKeysOf(after))
}

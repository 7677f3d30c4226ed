import { beginningWith, exactly, type FacetRange } from '../facets/facet-query-store.ts'
import { fullName } from './full-name.ts'
import { nationalNumber, plain, sameNameKey } from './search-words.ts'
import { type FacetedUser, mailboxOf, userFacet } from './user-facets.ts'

/** Why two users are likely the same person, and how sure that makes: of a hundred such pairs, so many are one. */
export const likenesses = {
  mobile: 95,
  email: 90,
  name_and_company: 70,
  name_and_mobile_tail: 60,
} as const

export type Likeness = keyof typeof likenesses

/** What of others would make them like a user; where there is an ending, their facet must have it. */
export interface LikenessKey extends FacetRange {
  user_id: string
  reason: Likeness
  ending: string | null
}

/** The last digits of a number that people know. */
export const tailLength = 4

export function likenessKeysOf(user: FacetedUser): LikenessKey[] {
  const keys: LikenessKey[] = []
  const add = (reason: Likeness, range: FacetRange, ending: string | null = null) =>
    keys.push({ user_id: user.user_id, reason, ...range, ending })
  const nameKey = sameNameKey(fullName(user))
  for (const [area_code, mobile] of [
    [user.area_code, user.mobile],
    [user.backup_area_code, user.backup_mobile],
  ]) {
    if (!area_code || !mobile) continue
    const number = nationalNumber(area_code, mobile)
    add('mobile', exactly(userFacet.mobile(number, area_code)))
    if (nameKey && number.length >= tailLength) {
      const tail = beginningWith(userFacet.tailBeginning(number.slice(-tailLength)))
      add('name_and_mobile_tail', tail, ` ${nameKey}`)
    }
  }
  if (user.email) add('email', exactly(userFacet.email(mailboxOf(plain(user.email)))))
  if (nameKey && user.company_name)
    add('name_and_company', exactly(userFacet.person(nameKey, sameNameKey(user.company_name))))
  return keys
}

/** Several reasons together are surer than each: what remains of the doubt is the doubts' product. */
export function scoreOf(reasons: Likeness[]): number {
  const doubt = reasons.reduce((rest, reason) => rest * (1 - likenesses[reason] / 100), 1)
  return Math.min(99, Math.round((1 - doubt) * 100))
}

/** Whether a change may have made or ended a likeness. */
export function changesLikeness(before: FacetedUser | undefined, after: FacetedUser | undefined): boolean {
  const keys = (user: FacetedUser | undefined) => JSON.stringify(user ? likenessKeysOf(user) : [])
  return keys(before) !== keys(after)
}

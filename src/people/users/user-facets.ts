import { createHash } from 'node:crypto'
import { isEndShown, shownEnd } from '../../contract/contacts.ts'
import { orderStatuses } from '../../contract/order-statuses.ts'
import { type EntryChanges, everyRecord, type FacetEntry } from '../../search/facet-store.ts'
import { fullName } from './full-name.ts'
import { isHan, nationalNumber, plain, sameNameKey, wordsOf } from './search-words.ts'

/** As much of a user as its facets are derived from. */
export interface FacetedUser {
  user_id: string
  name: string | null
  first_name: string | null
  last_name: string | null
  area_code: string | null
  mobile: string | null
  backup_area_code: string | null
  backup_mobile: string | null
  email: string | null
  company_name: string | null
  owner_ids: string[]
  pool: string
  ctime: Date
}

/** What users are asked for by their orders. */
export const orderFilters = [...orderStatuses, 'none'] as const
export type OrderFilter = (typeof orderFilters)[number]

/** The names of facets, for those who write and those who look for them. */
export const userFacet = {
  pool: (pool: string) => `pool:${pool}`,
  owner: (owner_id: string) => `owner:${owner_id}`,
  course: (course_code: string) => shortened('course:', course_code),
  /** A state that some order of the user has, or none where there is no order. */
  order: (status: OrderFilter) => `order:${status}`,
  tag: (tags_group_id: string) => `tag:${tags_group_id}`,
  tagValue: (tags_group_id: string, value: string) => shortened(`tag:${tags_group_id}=`, value),
  /** A word of a name, to be found by its beginning. */
  name: (word: string) => `name:${word}`,
  /** The first letters of a word: few enough to be found by a facet of their own, which is counted. */
  initial: (letters: string) => `initial:${letters}`,
  mobile: (number: string, area_code: string) => `mobile:${number}/${area_code}`,
  mobileBeginning: (digits: string) => `mobile:${digits}`,
  /** The whole number, with any calling code. */
  mobileOfAnyCountry: (number: string) => `mobile:${number}/`,
  /** Backwards, so that its end is found by its beginning. */
  tail: (digits: string) => `tail:${reversed(digits)}`,
  /** The same of a number whose mask does not show its last four digits: a masked search leaves it out. */
  hiddenTail: (digits: string) => `hidden-tail:${reversed(digits)}`,
  /** The last digits of a number, and a name: what two entries of one person have in common. */
  namesake: (lastDigits: string, nameKey: string) => `namesake:${lastDigits} ${nameKey}`,
  email: (address: string) => `email:${address}`,
  person: (nameKey: string, companyKey: string) => `person:${nameKey}|${companyKey}`,
}

/** All that follow from orders. */
export const orderFacets: string[] = orderFilters.map(userFacet.order)

const longestValue = 200

/** Values may be longer than a key of an index. */
export function shortened(prefix: string, value: string): string {
  if (value.length <= longestValue) return prefix + value
  return `${prefix}${value.slice(0, longestValue).toWellFormed()}#${createHash('sha256').update(value).digest('hex')}`
}

/** The facets that follow from the record of a user itself. */
export function facetsOf(user: FacetedUser): Set<string> {
  const facets = new Set([
    ...[everyRecord, userFacet.pool(user.pool), ...user.owner_ids.map(userFacet.owner)],
    ...namesOf(user).flatMap((word) => [...wordFacets(word), ...initialsOfWord(word)]),
  ])
  const nameKey = sameNameKey(fullName(user))
  for (const [area_code, mobile] of [
    [user.area_code, user.mobile],
    [user.backup_area_code, user.backup_mobile],
  ]) {
    if (!area_code || !mobile) continue
    const number = nationalNumber(area_code, mobile)
    facets.add(userFacet.mobile(number, area_code))
    // Of the digits as they are stored, since the mask is of those.
    facets.add(isEndShown(mobile) ? userFacet.tail(mobile) : userFacet.hiddenTail(mobile))
    const namesake = namesakeOf(number, nameKey)
    if (namesake) facets.add(namesake)
  }
  if (user.email) for (const address of addressesOf(user.email)) facets.add(userFacet.email(address))
  if (nameKey && user.company_name) facets.add(userFacet.person(nameKey, sameNameKey(user.company_name)))
  return facets
}

/** Undefined for a user without a name, or whose mask hides the last digits: a pair would tell them. */
export function namesakeOf(number: string, nameKey: string): string | undefined {
  if (nameKey === '' || !isEndShown(number)) return undefined
  return userFacet.namesake(number.slice(-shownEnd), nameKey)
}

function reversed(digits: string): string {
  return Array.from(digits).reverse().join('')
}

const longestHanName = 8

/** A Chinese name is also found by what stands behind the family name. */
function wordFacets(word: string): string[] {
  const letters = Array.from(word)
  const suffixes = isHan(word) && letters.length <= longestHanName ? letters.length - 2 : 0
  return [
    userFacet.name(word),
    ...Array.from({ length: Math.max(0, suffixes) }, (_, n) => userFacet.name(letters.slice(n + 1).join(''))),
  ]
}

/** As much of a user as it is called by. */
export type NamedUser = Pick<FacetedUser, 'name' | 'first_name' | 'last_name'>

/** How the words of a name begin: users are found by it, and so are their orders. */
export function initialsOf(user: NamedUser): string[] {
  return [...new Set(namesOf(user).flatMap(initialsOfWord))]
}

export function isInitial(facet: string): boolean {
  return facet.startsWith(userFacet.initial(''))
}

function initialsOfWord(word: string): string[] {
  const letters = Array.from(word)
  const beginnings = isHan(word) ? [1] : [1, 2]
  return beginnings.map((length) => userFacet.initial(letters.slice(0, length).join('')))
}

/** Every word that somebody is called by. */
function namesOf(user: NamedUser): string[] {
  return [fullName(user), user.first_name, user.last_name].flatMap((text) => wordsOf(text ?? ''))
}

/** An address, and the mailbox that it belongs to. */
function addressesOf(email: string): string[] {
  const address = plain(email)
  return [...new Set([address, mailboxOf(address)])]
}

/** What stands behind a plus is for the owner of the mailbox to choose. */
export function mailboxOf(address: string): string {
  return address.replace(/^([^+@]+)\+[^@]*@/, '$1@')
}

/** A user before a change and after it; without a before it is new, without an after it is gone. */
export interface UserTransition {
  before?: FacetedUser
  after?: FacetedUser
}

/** What transitions of users do to their entries. */
export function entryChangesOf(transitions: UserTransition[]): EntryChanges {
  const changes: EntryChanges = { added: [], removed: [] }
  for (const { before, after } of transitions) {
    const [old, now] = [
      before ? facetsOf(before) : new Set<string>(),
      after ? facetsOf(after) : new Set<string>(),
    ]
    // Who is new has no order; of who goes away, whatever it was found by goes, too.
    if (!before) now.add(userFacet.order('none'))
    if (!after) for (const facet of orderFacets) old.add(facet)
    if (after) changes.added.push(...entriesOf(after, now.difference(old)))
    if (before) changes.removed.push(...entriesOf(before, old.difference(now)))
  }
  return changes
}

export function entriesOf(user: { user_id: string; ctime: Date }, facets: Iterable<string>): FacetEntry[] {
  return Array.from(facets, (facet) => ({
    list: 'users' as const,
    facet,
    time: user.ctime,
    id: user.user_id,
  }))
}

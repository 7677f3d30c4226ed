import { createHash } from 'node:crypto'
import { isEndShown, shownEnd } from '../../contract/contacts.ts'
import { orderStatuses } from '../../contract/order-statuses.ts'
import { type EntryChanges, everyRecord, type FacetEntry } from '../../search/facet-store.ts'
import { fullName } from './full-name.ts'
import { isHan, nationalNumber, plain, sameNameKey, wordsOf } from './search-words.ts'

/** The columns of a user that facets and the search document are derived from. */
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
  wechat_id: string | null
  external_id: string | null
  company_name: string | null
  owner_ids: string[]
  pool: string
  ctime: Date
}

/** The order filters of user lists. */
export const orderFilters = [...orderStatuses, 'none'] as const
export type OrderFilter = (typeof orderFilters)[number]

/** The names of facets: writers and searches use the same. */
export const userFacet = {
  pool: (pool: string) => `pool:${pool}`,
  owner: (owner_id: string) => `owner:${owner_id}`,
  course: (course_code: string) => shortened('course:', course_code),
  /** The file that had a lead of the user. */
  import: (import_id: string) => `import:${import_id}`,
  /** A status of at least one order of the user; `none` for a user without orders. */
  order: (status: OrderFilter) => `order:${status}`,
  tag: (tags_group_id: string) => `tag:${tags_group_id}`,
  tagValue: (tags_group_id: string, value: string) => shortened(`tag:${tags_group_id}=`, value),
  /** A word of a name. Searched by prefix. */
  name: (word: string) => `name:${word}`,
  /** The first letters of a word. There are few different ones, so that this facet is counted. */
  initial: (letters: string) => `initial:${letters}`,
  mobile: (number: string, area_code: string) => `mobile:${number}/${area_code}`,
  mobilePrefix: (digits: string) => `mobile:${digits}`,
  /** The whole number, with any calling code. */
  mobileOfAnyCountry: (number: string) => `mobile:${number}/`,
  /** Reversed digits: the end of a number is searched by prefix. */
  tail: (digits: string) => `tail:${reversed(digits)}`,
  /** The same for a number whose mask hides its last four digits. Searches of masked contacts skip it. */
  hiddenTail: (digits: string) => `hidden-tail:${reversed(digits)}`,
  /** The last digits of a number with a name: duplicates of one person often share both. */
  namesake: (lastDigits: string, nameKey: string) => `namesake:${lastDigits} ${nameKey}`,
  email: (address: string) => `email:${address}`,
  person: (nameKey: string, companyKey: string) => `person:${nameKey}|${companyKey}`,
}

/** All facets that are derived from orders. */
export const orderFacets: string[] = orderFilters.map(userFacet.order)

const maxValueLength = 200

/** Shortens a value that exceeds the size of an index key. */
export function shortened(prefix: string, value: string): string {
  if (value.length <= maxValueLength) return prefix + value
  return `${prefix}${value.slice(0, maxValueLength).toWellFormed()}#${createHash('sha256').update(value).digest('hex')}`
}

/** The facets that are derived from the user row alone. */
export function facetsOf(user: FacetedUser): Set<string> {
  const facets = new Set([
    everyRecord,
    userFacet.pool(user.pool),
    ...user.owner_ids.map(userFacet.owner),
    ...namesOf(user).flatMap((word) => [...wordFacets(word), ...initialsOfWord(word)]),
  ])
  const nameKey = sameNameKey(fullName(user))
  for (const { area_code, mobile, number } of mobilesOf(user)) {
    facets.add(userFacet.mobile(number, area_code))
    // The mask covers the stored digits, so that the tail uses them too.
    facets.add(isEndShown(mobile) ? userFacet.tail(mobile) : userFacet.hiddenTail(mobile))
    const namesake = namesakeOf(number, nameKey)
    if (namesake) facets.add(namesake)
  }
  if (user.email) for (const address of addressesOf(user.email)) facets.add(userFacet.email(address))
  if (nameKey && user.company_name) facets.add(userFacet.person(nameKey, sameNameKey(user.company_name)))
  return facets
}

/** The mobile numbers of a user, with the national number of each. */
export function mobilesOf(user: FacetedUser): { area_code: string; mobile: string; number: string }[] {
  return [
    [user.area_code, user.mobile],
    [user.backup_area_code, user.backup_mobile],
  ].flatMap(([area_code, mobile]) =>
    area_code && mobile ? [{ area_code, mobile, number: nationalNumber(area_code, mobile) }] : [],
  )
}

/** Undefined for a user without a name. Undefined, too, if the mask hides the last digits: a pair would reveal them. */
export function namesakeOf(number: string, nameKey: string): string | undefined {
  if (nameKey === '' || !isEndShown(number)) return undefined
  return userFacet.namesake(number.slice(-shownEnd), nameKey)
}

function reversed(digits: string): string {
  return Array.from(digits).reverse().join('')
}

const maxHanNameLength = 8

/** A Chinese name is also found by its given name, which follows the family name. */
function wordFacets(word: string): string[] {
  const letters = Array.from(word)
  const suffixes = isHan(word) && letters.length <= maxHanNameLength ? letters.length - 2 : 0
  return [
    userFacet.name(word),
    ...Array.from({ length: Math.max(0, suffixes) }, (_, n) => userFacet.name(letters.slice(n + 1).join(''))),
  ]
}

/** The name columns of a user. */
export type NamedUser = Pick<FacetedUser, 'name' | 'first_name' | 'last_name'>

/** The initials of the words of a name. Users and their orders are found by them. */
export function initialsOf(user: NamedUser): string[] {
  return [...new Set(namesOf(user).flatMap(initialsOfWord))]
}

export function isInitial(facet: string): boolean {
  return facet.startsWith(userFacet.initial(''))
}

function initialsOfWord(word: string): string[] {
  const letters = Array.from(word)
  const lengths = isHan(word) ? [1] : [1, 2]
  return lengths.map((length) => userFacet.initial(letters.slice(0, length).join('')))
}

/** All words of the names of a user. */
function namesOf(user: NamedUser): string[] {
  return [fullName(user), user.first_name, user.last_name].flatMap((text) => wordsOf(text ?? ''))
}

/** An address and its mailbox. */
function addressesOf(email: string): string[] {
  const address = plain(email)
  return [...new Set([address, mailboxOf(address)])]
}

/** Strips the tag after a plus sign, which the owner of a mailbox chooses freely. */
export function mailboxOf(address: string): string {
  return address.replace(/^([^+@]+)\+[^@]*@/, '$1@')
}

/** A user before and after a change. A new user has no `before`, a removed one no `after`. */
export interface UserTransition {
  before?: FacetedUser
  after?: FacetedUser
}

/** The facet entries that transitions add and remove. */
export function entryChangesOf(transitions: UserTransition[]): EntryChanges {
  const changes: EntryChanges = { added: [], removed: [] }
  for (const { before, after } of transitions) {
    const [old, now] = [
      before ? facetsOf(before) : new Set<string>(),
      after ? facetsOf(after) : new Set<string>(),
    ]
    // A new user has no order. A removed user loses its order facets, too.
    if (!before) now.add(userFacet.order('none'))
    if (!after) for (const facet of orderFacets) old.add(facet)
    if (after) changes.added.push(...entriesOf(after, now.difference(old)))
    if (before) changes.removed.push(...entriesOf(before, old.difference(now)))
  }
  return changes
}

export function entriesOf(user: { user_id: string; ctime: Date }, facets: Iterable<string>): FacetEntry[] {
  const { user_id: id, ctime: time } = user
  return Array.from(facets, (facet) => ({ list: 'users', facet, time, id }))
}

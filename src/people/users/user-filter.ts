import { shownEnd } from '../../contract/contacts.ts'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { ApiError, type InputFault, invalid } from '../../contract/errors.ts'
import {
  described,
  Id,
  Name,
  OrganizationId,
  oneOf,
  oneOfOr,
  optionalLine,
  optionalText,
} from '../../contract/fields.ts'
import { longest } from '../../contract/lengths.ts'
import { createRateCounter } from '../../contract/limits/rate-counter.ts'
import {
  dayParameters,
  instantsOf,
  pageParameters,
  rangeIsNotReversed,
  windowOf,
} from '../../contract/paging.ts'
import { type Static, Type } from '../../contract/type.ts'
import type { Queryable } from '../../database/database.ts'
import { readFacetPage } from '../../search/facet-page-store.ts'
import type { FacetQuery } from '../../search/facet-query-store.ts'
import { findAttribute } from '../tag-groups/tag-group-store.ts'
import { readTagValue, requirements } from '../user-tags/tag-value.ts'
import { userOfPage } from './profile-store.ts'
import { add, emailRange, type FacetConditions, nameFacets, numberRanges } from './read-query.ts'
import { plain, typedNumber } from './search-words.ts'
import { orderFilters, userFacet } from './user-facets.ts'
import { type ContactView, contactViewOf, named, type UserRow } from './user-row.ts'

/** The filters of lists of users. A user must match every filter that is sent. */
export const userFilter = {
  corp_id: OrganizationId,
  ...pageParameters,
  ...dayParameters,
  sort: oneOfOr('oldest', ['oldest', 'newest'], 'By creation time of the users'),
  name: optionalLine(
    longest.name,
    'Words of the name or their beginnings; one character is enough for a Chinese name',
  ),
  mobile: optionalLine(
    longest.shortText,
    'The number in any notation, or its beginning or end; for staff the whole number or its last four digits',
  ),
  email: optionalLine(longest.email, 'The e-mail address, or its beginning; for staff the whole address'),
  pool: Type.Optional(described(Name, 'Pool of the users')),
  owner_id: Type.Optional(described(Id, 'Owner of the users')),
  order_status: Type.Optional(
    oneOf(orderFilters, 'Status of an order of the users; none: users without orders'),
  ),
  course_code: optionalLine(undefined, 'Course in a lead of the users'),
  import_id: Type.Optional(described(Id, 'Import of a lead file that had a lead of the users')),
  tags_group_id: Type.Optional(described(Id, 'Tag group of a tag of the users')),
  tag_value: optionalText(undefined, 'Value of that tag, as it is assigned'),
}

const Filter = Type.Object(userFilter)
export type UserFilter = Static<typeof Filter>

export function filterIsSound(input: Partial<UserFilter>, isSent: (name: string) => boolean): InputFault[] {
  const faults = rangeIsNotReversed(input)
  if (isSent('tag_value') && !isSent('tags_group_id'))
    faults.push({ param: 'tag_value', reason: 'requires tags_group_id' })
  if (input.mobile !== undefined && numberRanges(input.mobile, 'whole') === undefined)
    faults.push({ param: 'mobile', reason: 'must be a number of at least three digits' })
  return faults
}

/** Reads a page of users, and records where it ended for the next page of the caller. */
export async function answerUsers(
  context: OrganizationContext,
  input: UserFilter,
  conditions: FacetConditions,
  q?: string,
) {
  await limitContactSearches(context, q, input.mobile, input.email)
  const { db, organization, account, cursors } = context
  const query = await queryOf(context, input, conditions)
  const { corp_id, page, page_size } = query
  const after = await cursors.endOfPageBefore(account.app_id, 'users', query)
  const found = await readFacetPage<UserRow>(db, query, after, userOfPage(corp_id, organization.time_zone))
  await cursors.noteEnd(account.app_id, 'users', query, found.end)
  return { total: found.total, page, page_size, list: found.rows.map(named) }
}

/** The query of a filter, with further conditions. */
export async function queryOf(
  context: OrganizationContext,
  input: UserFilter,
  conditions: FacetConditions,
): Promise<FacetQuery> {
  const { db, organization } = context
  const { corp_id } = input
  add(conditions, filteredBy(input, contactViewOf(context)))
  if (input.tags_group_id !== undefined)
    conditions.facets.push(await tagFacet(db, input, input.tags_group_id))
  const range = instantsOf(input, organization.time_zone)
  const isDescending = input.sort === 'newest'
  const { page, page_size } = windowOf(input)
  return { corp_id, list: 'users', ...conditions, ...range, isDescending, page, page_size }
}

function filteredBy(input: UserFilter, view: ContactView): FacetConditions {
  const conditions: FacetConditions = { facets: [], ranges: [] }
  const { name, mobile, email, pool, owner_id, order_status, course_code, import_id } = input
  if (name !== undefined) add(conditions, nameFacets(name))
  if (mobile !== undefined) conditions.ranges.push(numberRanges(mobile, view) ?? [])
  if (email !== undefined) conditions.ranges.push([emailRange(email, view)])
  if (pool !== undefined) conditions.facets.push(userFacet.pool(pool))
  if (owner_id !== undefined) conditions.facets.push(userFacet.owner(owner_id))
  if (order_status !== undefined) conditions.facets.push(userFacet.order(order_status))
  if (course_code !== undefined) conditions.facets.push(userFacet.course(course_code))
  if (import_id !== undefined) conditions.facets.push(userFacet.import(import_id))
  return conditions
}

/** The attribute of the group decides how values compare: as numbers, 5.0 equals 5. */
async function tagFacet(
  db: Queryable,
  { corp_id, tag_value }: UserFilter,
  tags_group_id: string,
): Promise<string> {
  const attribute = await findAttribute(db, corp_id, tags_group_id)
  if (!attribute) throw new ApiError('tagGroupNotFound')
  if (tag_value === undefined) return userFacet.tag(tags_group_id)
  const { [attribute]: value } = readTagValue(tag_value)
  if (value === null) throw invalid('tag_value', requirements[attribute])
  return userFacet.tagValue(tags_group_id, String(value))
}

/** More than a person types, and too few to guess the hidden digits of a number. */
const maxPerMinute = 60
const searches = createRateCounter(10_000)

/** Staff find a masked contact by its whole value. Without a limit they could guess the hidden digits. */
export async function limitContactSearches(
  { role, account, now }: Pick<OrganizationContext, 'role' | 'account' | 'now'>,
  ...texts: (string | undefined)[]
): Promise<void> {
  if (contactViewOf({ role }) === 'whole' || !texts.some(namesContact)) return
  const { count, endsAtMs } = await searches.count('calls', account.app_id, 1, now.getTime())
  if (count <= maxPerMinute) return
  throw new ApiError('tooManyRequests', {
    msg: `You have searched for ${maxPerMinute} numbers or addresses in this minute, the maximum. Try again in a minute.`,
    extra: { reason: 'contact_searches', most: String(maxPerMinute) },
    retryAfterSeconds: Math.ceil((endsAtMs - now.getTime()) / 1000),
  })
}

/** Whether the text contains an address, or more digits of a number than a mask shows. */
function namesContact(text: string | undefined): boolean {
  if (text === undefined) return false
  const parts = [text, ...plain(text).split(/\s+/)]
  return parts.some((part) => part.includes('@') || (typedNumber(part)?.digits.length ?? 0) > shownEnd)
}

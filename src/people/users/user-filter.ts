import { type Static, Type } from 'typebox'
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
import {
  dayParameters,
  instantsOf,
  pageParameters,
  rangeIsNotReversed,
  windowOf,
} from '../../contract/paging.ts'
import type { Queryable } from '../../database/database.ts'
import { readFacetPage } from '../../search/facet-page-store.ts'
import { findAttribute } from '../tag-groups/tag-group-store.ts'
import { readTagValue, requirements } from '../user-tags/tag-value.ts'
import { type ContactView, contactViewOf } from './contact-view.ts'
import { limitContactSearches } from './limit-contact-searches.ts'
import { add, emailRange, nameFacets, numberRanges, type SoughtFacets } from './read-query.ts'
import { orderFilters, userFacet } from './user-facets.ts'
import { userOfPage } from './user-list-store.ts'
import { named, type UserRow } from './user-row.ts'

/** What lists of users can be asked for; everything that is sent must hold. */
export const userFilter = {
  corp_id: OrganizationId,
  ...pageParameters,
  ...dayParameters,
  sort: oneOfOr('oldest', ['oldest', 'newest'], 'By the time that users were made'),
  name: optionalLine(
    longest.name,
    'Words of the name, or how they begin; Chinese names from the first character',
  ),
  mobile: optionalLine(
    longest.shortText,
    'The number however it is written, or its beginning or end; for staff the whole number or its last four digits',
  ),
  email: optionalLine(longest.email, 'The e-mail address, or its beginning; for staff the whole address'),
  pool: Type.Optional(described(Name, 'The pool that users are in')),
  owner_id: Type.Optional(described(Id, 'An owner of users')),
  order_status: Type.Optional(oneOf(orderFilters, 'A state that an order of theirs has; none: no order yet')),
  course_code: optionalLine(undefined, 'A course that users have asked about in a lead'),
  tags_group_id: Type.Optional(described(Id, 'A tag group of which users have a tag')),
  tag_value: optionalText(undefined, 'The value of that tag, as it would be assigned'),
}

const Filter = Type.Object(userFilter)
export type UserFilter = Static<typeof Filter>

export function filterIsSound(input: Partial<UserFilter>, isSent: (name: string) => boolean): InputFault[] {
  const faults = rangeIsNotReversed(input)
  if (isSent('tag_value') && !isSent('tags_group_id'))
    faults.push({ param: 'tag_value', reason: 'must come with tags_group_id' })
  if (input.mobile !== undefined && numberRanges(input.mobile, 'whole') === undefined)
    faults.push({ param: 'mobile', reason: 'must be a number of at least three digits' })
  return faults
}

/** Answers a page of users, and remembers where it ended for the caller's next one. */
export async function answerUsers(
  context: OrganizationContext,
  input: UserFilter,
  sought: SoughtFacets,
  q?: string,
) {
  await limitContactSearches(context, q, input.mobile, input.email)
  const { db, organization, account, cursors } = context
  const { corp_id } = input
  const { page, page_size } = windowOf(input)
  add(sought, filteredBy(input, contactViewOf(context)))
  if (input.tags_group_id !== undefined) sought.facets.push(await tagFacet(db, input, input.tags_group_id))
  const range = instantsOf(input, organization.time_zone)
  const isDescending = input.sort === 'newest'
  const query = { corp_id, list: 'users' as const, ...sought, ...range, isDescending, page, page_size }
  const after = await cursors.endOfPageBefore(account.app_id, 'users', query)
  const found = await readFacetPage<UserRow>(db, query, after, userOfPage(corp_id, organization.time_zone))
  await cursors.noteEnd(account.app_id, 'users', query, found.end)
  return { total: found.total, page, page_size, list: found.rows.map(named) }
}

function filteredBy(input: UserFilter, view: ContactView): SoughtFacets {
  const sought: SoughtFacets = { facets: [], ranges: [] }
  const { name, mobile, email, pool, owner_id, order_status, course_code } = input
  if (name !== undefined) add(sought, nameFacets(name))
  if (mobile !== undefined) sought.ranges.push(numberRanges(mobile, view) ?? [])
  if (email !== undefined) sought.ranges.push([emailRange(email, view)])
  if (pool !== undefined) sought.facets.push(userFacet.pool(pool))
  if (owner_id !== undefined) sought.facets.push(userFacet.owner(owner_id))
  if (order_status !== undefined) sought.facets.push(userFacet.order(order_status))
  if (course_code !== undefined) sought.facets.push(userFacet.course(course_code))
  return sought
}

/** A value is compared as the attribute of the group reads it: 5.0 is 5 where it is a number. */
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

import { endpoint, exampleIds, type OrganizationContext } from '../../contract/endpoint.ts'
import {
  dayParameters,
  examplePage,
  instantsOf,
  modifyHasNoFilter,
  pageOf,
  pageParameters,
  timeRangeParameter,
  windowOf,
} from '../../contract/paging.ts'
import { Type } from '../../contract/type.ts'
import { readModifiedPage } from '../../search/modified-record-store.ts'
import { userOfPage } from './profile-store.ts'
import { answerUsers, filterIsSound, type UserFilter, userFilter } from './user-filter.ts'
import { exampleUser, named, UserRow } from './user-row.ts'

/** The users of an organization. */
export const listUsers = endpoint({
  id: 'listUsers',
  method: 'GET',
  path: '/api/v5/entity/user/list',
  group: 'Users',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone', limit: 'searches by contact' },
  summary: 'List users',
  description:
    'Ascending by creation time, then by ID. A user must match every filter that is sent. With `time_range_type` modify: ' +
    'ascending by the time of the last change, without other filters. Changed users appear at the end, so a caller who ' +
    'requests each next page within five minutes misses none.',
  input: Type.Object({ ...userFilter, ...timeRangeParameter }),
  rules: (input, isSent) => [
    ...filterIsSound(input, isSent),
    ...modifyHasNoFilter(input, isSent, otherFilters),
  ],
  data: pageOf(UserRow),
  example: {
    input: { corp_id: exampleUser.corp_id, pool: 'alive', owner_id: exampleIds.owner_id },
    data: examplePage(exampleUser),
  },

  errors: ['tagGroupNotFound'],

  handle: (context, { time_range_type, ...input }) =>
    time_range_type === 'modify'
      ? answerModified(context, input)
      : answerUsers(context, input, { facets: [], ranges: [] }),
})

const { corp_id: _, sort: __, ...filters } = userFilter
const shared = Object.keys({ ...pageParameters, ...dayParameters })
const otherFilters = Object.keys(filters).filter((name) => !shared.includes(name))

/** Reads a page of modified users, and records where it ended for the next page of the caller. */
async function answerModified(
  { db, organization, account, cursors }: OrganizationContext,
  input: UserFilter,
) {
  const { corp_id } = input
  const { page, page_size } = windowOf(input)
  const range = instantsOf(input, organization.time_zone)
  const isDescending = input.sort === 'newest'
  const query = { corp_id, list: 'users' as const, ...range, isDescending, page, page_size }
  const walk = { ...query, timeColumn: 'mtime' as const }
  const after = await cursors.endOfPageBefore(account.app_id, 'users', walk)
  const record = userOfPage(corp_id, organization.time_zone)
  const found = await readModifiedPage<UserRow>(db, query, after, record)
  await cursors.noteEnd(account.app_id, 'users', walk, found.end ?? after)
  return { total: found.total, page, page_size, list: found.rows.map(named) }
}

import { endpoint } from '../../contract/endpoint.ts'
import { ApiError } from '../../contract/errors.ts'
import { described, Id, OrganizationId, oneOfOr, optionalLine } from '../../contract/fields.ts'
import {
  dayParameters,
  examplePage,
  instantsOf,
  modifyHasNoFilter,
  pageOf,
  pageParameters,
  rangeIsNotReversed,
  timeRangeParameter,
  windowOf,
} from '../../contract/paging.ts'
import { recordOf } from '../../contract/record-of.ts'
import { Type } from '../../contract/type.ts'
import { readFacetPage } from '../../search/facet-page-store.ts'
import { readModifiedPage } from '../../search/modified-record-store.ts'
import { isUser } from '../users/user-store.ts'
import { leadFacet, listedFields } from './lead-facets.ts'
import { exampleLead, exampleListedLead, ListedLead, leadRowOf, type StoredListedLead } from './lead-row.ts'
import { leadOfPage } from './lead-store.ts'

const fieldParameters = recordOf(listedFields, (name) =>
  optionalLine(undefined, `Only leads with this ${name}`),
)

/** The leads of an organization. */
export const listLeads = endpoint({
  id: 'listLeads',
  method: 'GET',
  path: '/api/v5/entity/leads/list',
  group: 'Leads',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone' },
  summary: 'List leads',
  description:
    'Ascending by creation time, then by ID. A lead must match every filter. Filters compare the original values. The ' +
    'fields of a lead are the original ones; `user` is the current user. With `time_range_type` modify: ascending by the ' +
    'time of the last change, without other filters. Changed leads appear at the end, so a caller who requests each next ' +
    'page within five minutes misses none.',
  input: Type.Object({
    corp_id: OrganizationId,
    ...pageParameters,
    ...dayParameters,
    sort: oneOfOr('oldest', ['oldest', 'newest'], 'By creation time of the leads'),
    ...fieldParameters,
    owner_id: Type.Optional(described(Id, 'Only leads that name this owner')),
    user_id: Type.Optional(described(Id, 'Only leads of this user')),
    ...timeRangeParameter,
  }),
  rules: (input, isSent) => [
    ...rangeIsNotReversed(input),
    ...modifyHasNoFilter(input, isSent, [...listedFields, 'owner_id', 'user_id']),
  ],
  data: pageOf(ListedLead),
  example: {
    input: { corp_id: exampleLead.corp_id, utm_source: 'open-day', start_date: '2026-11-01' },
    data: examplePage(exampleListedLead),
  },

  errors: ['userNotFound'],

  async handle({ db, organization, account, cursors }, { corp_id, owner_id, user_id, ...input }) {
    if (user_id !== undefined && !(await isUser(db, { corp_id, user_id }))) throw new ApiError('userNotFound')
    const { page, page_size } = windowOf(input)
    const facets = listedFields.flatMap((name) => {
      const value = input[name]
      return value === undefined ? [] : [leadFacet.field(name, value)]
    })
    if (owner_id !== undefined) facets.push(leadFacet.owner(owner_id))
    if (user_id !== undefined) facets.push(leadFacet.user(user_id))
    const range = instantsOf(input, organization.time_zone)
    const isDescending = input.sort === 'newest'
    const query = { corp_id, list: 'leads' as const, ...range, isDescending, page, page_size }
    const isModify = input.time_range_type === 'modify'
    const walk = { ...query, facets, ...(isModify && { timeColumn: 'mtime' as const }) }
    const after = await cursors.endOfPageBefore(account.app_id, 'leads', walk)
    const record = leadOfPage(corp_id, organization.time_zone)
    const found = isModify
      ? await readModifiedPage<StoredListedLead>(db, query, after, record)
      : await readFacetPage<StoredListedLead>(db, { ...query, facets, ranges: [] }, after, record)
    await cursors.noteEnd(account.app_id, 'leads', walk, found.end ?? (isModify ? after : undefined))
    const list = found.rows.map(({ user, ...lead }) => ({ ...leadRowOf(corp_id, lead), user }))
    return { total: found.total, page, page_size, list }
  },
})

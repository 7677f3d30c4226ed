import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { pageOf } from '../../contract/paging.ts'
import { Type } from '../../contract/type.ts'
import { answerUsers, filterIsSound, userFilter } from './user-filter.ts'
import { exampleUser, UserRow } from './user-row.ts'

/** The users of an organization. */
export const listUsers = endpoint({
  id: 'listUsers',
  method: 'GET',
  path: '/api/v5/entity/user/list',
  group: 'Users',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone', limit: 'searches by contact' },
  summary: 'List users',
  description: 'Ascending by creation time, then by ID. A user must match every filter that is sent.',
  input: Type.Object(userFilter),
  rules: filterIsSound,
  data: pageOf(UserRow),
  example: {
    input: { corp_id: exampleUser.corp_id, pool: 'alive', owner_id: exampleIds.owner_id },
    data: { total: 1, page: 0, page_size: 10, list: [exampleUser] },
  },

  errors: ['tagGroupNotFound'],

  handle: (context, input) => answerUsers(context, input, { facets: [], ranges: [] }),
})

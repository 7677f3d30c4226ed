import { endpoint, exampleIds } from '../../contract/endpoint.ts'
import { described, ShortText } from '../../contract/fields.ts'
import { examplePage, pageOf } from '../../contract/paging.ts'
import { Type } from '../../contract/type.ts'
import { readQuery } from './read-query.ts'
import { answerUsers, filterIsSound, userFilter } from './user-filter.ts'
import { contactViewOf, exampleUser, UserRow } from './user-row.ts'

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
    data: examplePage(exampleUser),
  },

  errors: ['tagGroupNotFound'],

  handle: (context, input) => answerUsers(context, input, { facets: [], ranges: [] }),
})

/** Searches users by free text. */
export const searchUsers = endpoint({
  id: 'searchUsers',
  method: 'GET',
  path: '/api/v5/entity/user/search',
  group: 'Users',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone', limit: 'searches by contact' },
  summary: 'Search users by name, mobile or e-mail',
  description:
    '`q` is a mobile number in any notation (with or without calling code, spaces, hyphens, full-width digits), its ' +
    'beginning, or at least its last four digits. Or `q` has words, each the beginning of a word of the name, of an ' +
    'e-mail address, or of such a number. One character is enough for a Chinese name. Width, letter case and accents are ' +
    'ignored. The filters of `user/list` apply in addition. Staff see masked contacts: they find a number only by the ' +
    'whole number or its last four digits, and an address only by the whole address.',
  input: Type.Object({ ...userFilter, q: described(ShortText, 'Search text') }),
  rules: filterIsSound,
  data: pageOf(UserRow),
  example: {
    input: { corp_id: exampleUser.corp_id, q: '+86 138-0013-8000' },
    data: examplePage(exampleUser),
  },

  errors: ['tagGroupNotFound'],

  handle: (context, { q, ...input }) => answerUsers(context, input, readQuery(q, contactViewOf(context)), q),
})

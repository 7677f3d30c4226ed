import { Type } from 'typebox'
import { endpoint } from '../../contract/endpoint.ts'
import { described, ShortText } from '../../contract/fields.ts'
import { pageOf } from '../../contract/paging.ts'
import { contactViewOf } from './contact-view.ts'
import { readQuery } from './read-query.ts'
import { answerUsers, filterIsSound, userFilter } from './user-filter.ts'
import { exampleUser, UserRow } from './user-row.ts'

/** Users by what somebody types into a search box. */
export const searchUsers = endpoint({
  id: 'searchUsers',
  method: 'GET',
  path: '/api/v5/entity/user/search',
  group: 'Users',
  since: 'Ver5.2026-11-15',
  permission: 'read',
  guard: { effect: 'reads', people: 'everyone', limit: 'searches by contact' },
  summary: 'Search users by name, mobile or e-mail',
  description:
    '`q` is a mobile number however it is written (with or without its calling code, spaces, hyphens, full-width ' +
    'digits), its beginning or its last four digits and more; or words, each of which is the beginning of a word of ' +
    'the name, of an e-mail address, or such a number. Chinese names are found from the first character. Width, ' +
    'letter case and accents do not count. The filters of `user/list` may stand beside it. Staff, who see contacts ' +
    'masked, find a number by the whole number or by its last four digits only, and an address by the whole address only.',
  input: Type.Object({ ...userFilter, q: described(ShortText, 'What to look for') }),
  rules: filterIsSound,
  data: pageOf(UserRow),
  example: {
    input: { corp_id: exampleUser.corp_id, q: '+86 138-0013-8000' },
    data: { total: 1, page: 0, page_size: 10, list: [exampleUser] },
  },

  errors: ['tagGroupNotFound'],

  handle: (context, { q, ...input }) => answerUsers(context, input, readQuery(q, contactViewOf(context)), q),
})

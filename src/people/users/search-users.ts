import { endpoint, type OrganizationContext } from '../../contract/endpoint.ts'
import { described, oneOfOr, ShortText } from '../../contract/fields.ts'
import { examplePage, pageOf } from '../../contract/paging.ts'
import { type Static, Type } from '../../contract/type.ts'
import { readFacetPage } from '../../search/facet-page-store.ts'
import { countOfFacet } from '../../search/facet-query-store.ts'
import { positionsOf, readRankedPage } from '../../search/ranked-page-store.ts'
import { userOfPage } from './profile-store.ts'
import { type FoundUsers, findUsers } from './search/find-users.ts'
import { FoundUser, matchesOf } from './search/matches.ts'
import { readSearch } from './search/read-search.ts'
import { isHan } from './search-words.ts'
import { userFacet } from './user-facets.ts'
import { answerUsers, filterIsSound, limitContactSearches, queryOf, userFilter } from './user-filter.ts'
import { contactViewOf, exampleUser, named, type UserRow } from './user-row.ts'

const Input = Type.Object({
  ...userFilter,
  sort: oneOfOr(
    'best',
    ['best', 'newest', 'oldest'],
    'The best match first, or by creation time of the users',
  ),
  q: described(ShortText, 'Search text'),
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
    '`q` has one or more words. A user is found if every word matches: any part of a Chinese name, in simplified or ' +
    'traditional characters; its pinyin or the initials of its pinyin (`chenxiaoming`, `chen xiao ming`, `cxm`), with ' +
    'every reading of a character; a word of a Latin name or at least three letters of it, in any order; a mobile number ' +
    'in any notation, its first three digits, or at least four digits from its middle or end; at least three characters ' +
    'of an e-mail address, a WeChat id or an external id. Names and contacts of merged users find the survivor. Width, letter case and accents are ' +
    'ignored. If nothing matches, a word of at least five letters may have one typing error. The best match comes ' +
    'first: the whole word, its beginning, a part of it, pinyin, a typing error; then the newest user. `matches` says ' +
    'where a user matches. A text that begins the names of more than 1,000 users with one Chinese character or two ' +
    'letters finds these, newest first. With more than 4,000 candidates, `total` may include users that have all pieces ' +
    'of a word in another order. The filters of `user/list` apply in addition. Staff see masked contacts: they find a ' +
    'number only by the whole number or its last four digits, and an address or a WeChat id only by the whole.',
  input: Input,
  rules: filterIsSound,
  data: pageOf(FoundUser),
  example: {
    input: { corp_id: exampleUser.corp_id, q: '+86 138-0013-8000' },
    data: examplePage<Static<typeof FoundUser>>({
      ...exampleUser,
      matches: [{ member: 'mobile', start: 0, end: 11 }],
    }),
  },

  errors: ['tagGroupNotFound'],

  async handle(context, { q, sort = 'best', ...filter }) {
    const { db, account, cursors, organization } = context
    const { corp_id } = filter
    const view = contactViewOf(context)
    const initial = await commonInitial(context, corp_id, q)
    const input = { ...filter, sort: sort === 'oldest' ? ('oldest' as const) : ('newest' as const) }
    if (initial !== undefined) {
      const page = await answerUsers(context, input, { facets: [initial], ranges: [] }, q)
      return { ...page, list: withMatches(page.list, { search: readSearch(q, view) }) }
    }
    await limitContactSearches(context, q, input.mobile, input.email)
    const query = await queryOf(context, input, { facets: [], ranges: [] })
    const { page, page_size } = query
    const found = await findUsers(db, corp_id, q, view)
    const record = userOfPage(corp_id, organization.time_zone)
    if (sort === 'best') {
      const { total, rows } = await readRankedPage<UserRow>(db, query, found, record)
      return { total, page, page_size, list: withMatches(rows.map(named), found) }
    }
    const walk = { ...query, q }
    const after = await cursors.endOfPageBefore(account.app_id, 'users', walk)
    const source = positionsOf(corp_id, found)
    const { total, rows, end } = await readFacetPage<UserRow>(db, query, after, record, [source])
    await cursors.noteEnd(account.app_id, 'users', walk, end)
    return { total, page, page_size, list: withMatches(rows.map(named), found) }
  },
})

function withMatches(users: UserRow[], { search }: Pick<FoundUsers, 'search'>) {
  return users.map((user) => ({ ...user, matches: matchesOf(search, user) }))
}

/** A letter that this many names begin with finds those only, from their stored counts. */
const manyUsers = 1000

async function commonInitial(
  { db }: OrganizationContext,
  corp_id: string,
  q: string,
): Promise<string | undefined> {
  const { terms } = readSearch(q, 'masked')
  const [word = '', ...others] = terms.flatMap(({ words }) => words)
  const { length } = Array.from(word)
  if (others.length > 0 || length === 0 || length > (isHan(word) ? 1 : 2)) return undefined
  const facet = userFacet.initial(word)
  return (await countOfFacet(db, { corp_id, list: 'users', facet })) > manyUsers ? facet : undefined
}

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hireStaff, type TestColleague } from '../../../test/harness/staff.ts'
import { type SearchedPerson, searchedPeople, searchForms } from '../../../test/support/search-forms.ts'
import { updateEmail } from '../../changes/contacts/update-contact.ts'
import { mergeUsers, unmergeUsers } from '../../changes/merging/merge-users.ts'
import { rebuildDerivedData } from '../../derived/derived-data.ts'
import type { KeyExpression } from '../../search/key-expression.ts'
import { indexDocuments } from '../../search/search-index-store.ts'
import { importLead } from '../leads/import-leads.ts'
import { createUser } from './create-user.ts'
import { rankOf } from './search/match-user.ts'
import { candidatesOf, readSearch } from './search/read-search.ts'
import { loadSearchKeys, searchKeysOf } from './search/search-keys.ts'
import { parseSearchText, searchTextOf } from './search/search-text.ts'
import { searchUsers } from './search-users.ts'
import { updateUser } from './update-user.ts'

let server: TestServer
let school: TestOrganization
let viewer: TestColleague
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server)
  viewer = await hireStaff(server, school.corp_id, 'viewer')
  for (const person of searchedPeople) await meet(person)
})
afterAll(() => server?.close())

const ids = new Map<string, string>()
let nextMobile = 15_000_000_000

async function meet({ name, email, area_code, mobile, ...members }: SearchedPerson): Promise<string> {
  const number = { area_code: area_code ?? '86', mobile: mobile ?? String(nextMobile++) }
  const { user_id } = (await school.call(createUser, number)).data
  if (name) expect((await school.call(updateUser, { user_id, name, ...members })).code).toBe(0)
  if (email) expect((await school.call(updateEmail, { user_id, email })).code).toBe(0)
  if (name) ids.set(name, user_id)
  return user_id
}

async function find(q: string, input: object = {}) {
  const { data } = await school.call(searchUsers, { q, ...input })
  return data as { total: number; list: { user_id: string; name: string; matches: object[] }[] }
}

describe.each([
  { state: 'before it is indexed', prepare: async () => undefined },
  { state: 'after it is indexed', prepare: () => index() },
  {
    state: 'after a rebuild',
    prepare: () => rebuildDerivedData(server.database.app.of(school.corp_id), school.corp_id),
  },
])('a person is found $state', ({ prepare }) => {
  beforeAll(async () => {
    await prepare()
  })

  test.each(searchForms)('by %s: %s', async (_, q, name) => {
    const { list } = await find(q)
    expect(list[0]?.name).toBe(name)
  })

  test.each([
    ['a syllable that is cut in front', 'enxiaoming'],
    ['digits that are not in any number', '0987654'],
    ['two errors', 'Mihceal Shcmidt x'],
    ['a short word with an error', 'Tim'],
    ['nothing to look for', '!!!'],
    ['characters in another order', '明晓'],
  ])('but not by %s: %s', async (_, q) => {
    expect(await find(q)).toMatchObject({ total: 0, list: [] })
  })
})

function index() {
  return indexDocuments(server.database.app.of(school.corp_id), school.corp_id, loadSearchKeys, { fewest: 1 })
}

test('the best match comes first, then the newest', async () => {
  const own = await openOrganization(server)
  const made: string[] = []
  for (const name of ['Annabel Lee', 'Joanna', 'Anna', 'Ana', '安娜', 'Anna']) {
    const { user_id } = (await own.call(createUser, { area_code: '86', mobile: String(nextMobile++) })).data
    await own.call(updateUser, { user_id, name })
    made.push(user_id)
  }
  const namesOf = async (q: string, input: object = {}) => {
    const { data } = await own.call(searchUsers, { q, ...input })
    return data.list.map(({ user_id }: { user_id: string }) => made.indexOf(user_id))
  }
  expect(await namesOf('anna')).toEqual([5, 2, 0, 1, 4])
  expect(await namesOf('anna', { page: 1, page_size: 2 })).toEqual([0, 1])
  expect(await namesOf('anna', { sort: 'oldest' })).toEqual([0, 1, 2, 4, 5])
})

test('a search returns the matching members', async () => {
  const matchesOf = async (q: string) => (await find(q)).list[0]?.matches
  expect(await matchesOf('晓东')).toEqual([{ member: 'name', start: 1, end: 3 }])
  expect(await matchesOf('xiaodong')).toEqual([{ member: 'name', start: 1, end: 3 }])
  expect(await matchesOf('cxm')).toEqual([{ member: 'name', start: 0, end: 3 }])
  expect(await matchesOf('學友')).toEqual([{ member: 'name', start: 1, end: 3 }])
  expect(await matchesOf('oconnor')).toEqual([{ member: 'name', start: 6, end: 14 }])
  expect(await matchesOf('garcia')).toEqual([{ member: 'name', start: 11, end: 17 }])
  expect(await matchesOf('Micheal')).toEqual([{ member: 'name', start: 0, end: 7 }])
  expect(await matchesOf('23456')).toEqual([{ member: 'mobile', start: 4, end: 9 }])
  expect(await matchesOf('hk-music')).toEqual([{ member: 'email', start: 13, end: 21 }])
  expect(await matchesOf('wxid_dong-77')).toEqual([{ member: 'wechat_id', start: 0, end: 12 }])
  expect(await matchesOf('0815')).toEqual([{ member: 'external_id', start: 9, end: 13 }])
})

test('a merged person is found by the names and contacts of both, and separately after an undo', async () => {
  const survivor = await meet({ name: '赵云', mobile: '13511110000' })
  const merged = await meet({
    name: 'Zilong Zhao',
    mobile: '13522229876',
    email: 'zilong@changshan.example',
    wechat_id: 'white-horse-silver-gun',
    external_id: 'SHU-5',
  })
  await school.call(updateUser, { user_id: survivor, wechat_id: 'long-dan', external_id: 'SHU-1' })
  const texts = ['zilong', '29876', 'changshan', 'horse-silver', 'SHU-5', '赵云']
  const foundBy = async () =>
    Promise.all(texts.map(async (q) => (await find(q)).list.map(({ user_id }) => user_id)))
  const merge = await school.call(mergeUsers, { user_id: survivor, merged_user_id: merged })
  expect(await foundBy()).toEqual(texts.map(() => [survivor]))
  await index()
  await rebuildDerivedData(server.database.app.of(school.corp_id), school.corp_id)
  expect(await foundBy()).toEqual(texts.map(() => [survivor]))
  await school.call(unmergeUsers, { merge_id: merge.data.merge_id })
  expect(await foundBy()).toEqual([...texts.slice(1).map(() => [merged]), [survivor]])
})

test('a renamed person is found by the new name, and not by the old one', async () => {
  const user_id = await meet({ name: '诸葛亮' })
  await index()
  await school.call(updateUser, { user_id, name: '诸葛孔明' })
  expect((await find('诸葛亮')).total).toBe(0)
  expect((await find('kongming')).list[0]?.user_id).toBe(user_id)
})

test('filters apply in addition', async () => {
  await school.call(importLead, { user_id: ids.get('陈晓东'), course_code: 'EMBA' })
  expect((await find('chen')).list.map(({ name }) => name).sort()).toEqual(['陈晓东', '陈晓明'])
  expect((await find('chen', { course_code: 'EMBA' })).list.map(({ name }) => name)).toEqual(['陈晓东'])
  expect((await find('chen', { mobile: '5678' })).list.map(({ name }) => name)).toEqual(['陈晓明'])
})

describe('a caller who sees masked contacts', () => {
  const seenBy = async (q: string) => (await viewer.call(searchUsers, { q })).data.list

  test.each([
    '23456',
    '138123',
    'example',
    'sunny.day',
    'day+mba',
    '@example.com',
    'hk-music',
    'lily_fox',
    '1381234567',
    'dong-77',
    'wxid_dong',
  ])('finds nobody by a part of a contact: %s', async (q) => {
    expect((await viewer.call(searchUsers, { q })).data).toMatchObject({ total: 0, list: [] })
  })

  test.each([
    '13812345678',
    '+8613812345678',
    '5678',
    '138••••5678',
    'sunny.day@example.com',
    '陈晓明',
    'cxm',
    '2024-0817',
  ])('finds a person by the whole, and learns nothing of the contact: %s', async (q) => {
    const [first] = await seenBy(q)
    expect(first).toMatchObject({ name: '陈晓明', mobile: '138••••5678' })
    expect(first.matches.every(({ member }: { member: string }) => /^(name|external_id)$/.test(member))).toBe(
      true,
    )
  })
})

/** Random people, and forms that are derived from what they have. */
describe('for random people', () => {
  beforeAll(async () => {
    await loadSearchKeys()
  })
  const han = fc.string({
    unit: fc.constantFrom(...'王李張陈曾单解区乐晓明東阳娜𠮷尉迟吕覃'),
    minLength: 2,
    maxLength: 4,
  })
  const latin = fc
    .array(fc.string({ unit: fc.constantFrom(...'abcdeéñorstüz'), minLength: 2, maxLength: 9 }), {
      minLength: 1,
      maxLength: 3,
    })
    .map((words) => words.join(' '))
  const someone = fc.record({
    name: fc.oneof(han, latin),
    first_name: fc.constant(null),
    last_name: fc.constant(null),
    area_code: fc.constantFrom('86', '1', '44'),
    mobile: fc.stringMatching(/^[1-9][0-9]{7,10}$/),
    backup_area_code: fc.constant(null),
    backup_mobile: fc.constant(null),
    email: fc.stringMatching(/^[a-z][a-z0-9.+_]{1,10}@[a-z]{2,8}\.(com|cn)$/),
    wechat_id: fc.oneof(fc.constant(null), fc.stringMatching(/^[a-z][a-z0-9_-]{0,9}$/)),
    external_id: fc.oneof(fc.constant(null), fc.stringMatching(/^[A-Z0-9]{1,3}[-/ ]?[0-9]{0,6}$/)),
  })
  const cut = fc.tuple(fc.nat(30), fc.nat(30))
  const part = (text: string, [a, b]: [number, number], least: number) => {
    const characters = Array.from(text)
    const from = a % Math.max(1, characters.length - least + 1)
    return characters
      .slice(from, from + least + (b % Math.max(1, characters.length - from - least + 1)))
      .join('')
  }
  const derived = fc.tuple(someone, cut, fc.nat(6)).map(([person, at, form]) => {
    const words = person.name.split(' ')
    const q = [
      () => person.name,
      () => (/\p{Script=Han}/u.test(person.name) ? part(person.name, at, 1) : words[0]!),
      () => words.toReversed().join(' '),
      () => part(person.mobile, at, Math.min(4, person.mobile.length)),
      () => part(person.email, at, 3),
      () => `+${person.area_code} ${person.mobile}`,
      () => person.email.split('@')[1]!,
    ][form]!()
    return { person, q }
  })
  /** As the database finds candidates. */
  const isFoundBy = (expression: KeyExpression, keys: Set<string>): boolean => {
    if ('key' in expression) return keys.has(expression.key)
    if ('any' in expression) return expression.any.some((part) => isFoundBy(part, keys))
    return expression.all.length > 0 && expression.all.every((part) => isFoundBy(part, keys))
  }
  const reachesOf = (q: string, text: string, view: 'whole' | 'masked') => {
    const keys = searchKeysOf(text)
    return candidatesOf(readSearch(q, view)).map((expression) => isFoundBy(expression, keys))
  }
  const isCandidate = (q: string, text: string, view: 'whole' | 'masked') => reachesOf(q, text, view).at(-1)

  test('the person is found, by its keys and by comparison', () => {
    fc.assert(
      fc.property(derived, ({ person, q }) => {
        const text = searchTextOf(person)
        const rank = rankOf(readSearch(q, 'whole'), parseSearchText(text))
        expect(rank, `${q} in ${text}`).toBeDefined()
        expect(isCandidate(q, text, 'whole'), `${q} in ${text}`).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })

  test('every match of any text is a candidate, so the index misses nobody', () => {
    const typed = fc
      .tuple(someone, cut)
      .map(([{ name, mobile, email, wechat_id, external_id }, at]) =>
        part(`${name} ${mobile} ${email} ${wechat_id} ${external_id}`, at, 1),
      )
    fc.assert(
      fc.property(someone, typed, fc.constantFrom('whole' as const, 'masked' as const), (person, q, view) => {
        const text = searchTextOf(person)
        if (rankOf(readSearch(q, view), parseSearchText(text)) !== undefined)
          expect(isCandidate(q, text, view), `${q} in ${text}`).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })
})

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Role, roleNames } from '../src/access/staff/roles.ts'
import { maskEmail, maskMobile } from '../src/contract/contacts.ts'
import { createOrder } from '../src/orders/create-order.ts'
import { searchOrders } from '../src/orders/listing/search-orders.ts'
import { createUser } from '../src/people/users/create-user.ts'
import { listDuplicates } from '../src/people/users/list-duplicates.ts'
import { listUsers } from '../src/people/users/list-users.ts'
import { searchUsers } from '../src/people/users/search-users.ts'
import { updateUser } from '../src/people/users/update-user.ts'
import { attemptsOf } from './harness/attempts.ts'
import { openOrganization, type TestOrganization } from './harness/organization.ts'
import { startTestServer, type TestServer } from './harness/server.ts'
import { hireStaff, type TestColleague } from './harness/staff.ts'

/** Staff see contacts masked: no search reveals a digit or a letter that the mask hides. */

interface Contact {
  area_code?: string
  mobile?: string
  email?: string
}

/** Two people whom staff cannot distinguish: their contacts differ only in hidden characters. */
const twins: [name: string, one: Contact, other: Contact][] = [
  ['Sun', { area_code: '86', mobile: '18612344504' }, { area_code: '86', mobile: '18698764504' }],
  ['Poulsen', { area_code: '298', mobile: '212345' }, { area_code: '298', mobile: '217745' }],
  ['Olafsson', { area_code: '354', mobile: '6123456' }, { area_code: '354', mobile: '6987656' }],
  ['Shaw', { area_code: '44', mobile: '07911123456' }, { area_code: '44', mobile: '07955523456' }],
  ['Qian', { area_code: '86', mobile: '8613800018000' }, { area_code: '86', mobile: '8613955518000' }],
  ['Lin', { email: 'wang.fang@example.com' }, { email: 'wu+school@example.com' }],
]

let server: TestServer
let school: TestOrganization
const staff = {} as Record<Role, TestColleague>
const ids: [one: string, other: string][] = []

beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server)
  for (const role of roleNames) staff[role] = await hireStaff(server, school.corp_id, role)
  for (const [name, ...contacts] of twins) {
    const made = []
    for (const contact of contacts) made.push(await makePerson(name, contact))
    ids.push(made as [string, string])
  }
})
afterAll(() => server?.close())

async function makePerson(name: string, contact: Contact): Promise<string> {
  const { user_id } = (await school.call(createUser, { ...contact })).data
  expect((await school.call(updateUser, { user_id, name })).code).toBe(0)
  const order = { user_id, listed_price: 100, external_id: `order of ${user_id}` }
  expect((await school.call(createOrder, order)).code).toBe(0)
  return user_id
}

type Caller = Pick<TestColleague, 'call'>

/** The result of a search: ids in order, and the total. */
interface Outcome {
  found: string[]
  total: number
}

const page = { page_size: 1000 }
let skewMs = 0
/** Searches by contact are limited per minute, so the attack waits for the next one. */
async function outcomeOf(ask: () => ReturnType<Caller['call']>): Promise<Outcome> {
  let { code, data } = await ask()
  if (code === 42901) {
    skewMs += 61_000
    server.setNow(new Date(Date.now() + skewMs))
    ;({ code, data } = await ask())
    expect(code).not.toBe(42901)
  }
  if (code !== 0) return { found: [], total: 0 }
  return { found: data.list.map(({ user_id }: { user_id: string }) => user_id), total: data.total }
}

/** Every search that takes a contact. */
const searches: Record<string, (by: Caller, text: string, name: string) => Promise<Outcome>> = {
  'user/search': (by, q) => outcomeOf(() => by.call(searchUsers, { q, ...page })),
  'user/search, newest first': (by, q) =>
    outcomeOf(() => by.call(searchUsers, { q, sort: 'newest', ...page })),
  'user/search, beside a name': (by, text, name) =>
    outcomeOf(() => by.call(searchUsers, { q: `${name} ${text}`, ...page })),
  'user/search, filter mobile': (by, mobile, name) =>
    outcomeOf(() => by.call(searchUsers, { q: name, mobile, ...page })),
  'user/search, filter email': (by, email, name) =>
    outcomeOf(() => by.call(searchUsers, { q: name, email, ...page })),
  'user/list, filter mobile': (by, mobile) => outcomeOf(() => by.call(listUsers, { mobile, ...page })),
  'user/list, filter email': (by, email) => outcomeOf(() => by.call(listUsers, { email, ...page })),
  'user/list, filters mobile and name': (by, mobile, name) =>
    outcomeOf(() => by.call(listUsers, { mobile, name, ...page })),
  'order/search': (by, q) => outcomeOf(() => by.call(searchOrders, { q, ...page })),
  'order/search, beside a name': (by, text, name) =>
    outcomeOf(() => by.call(searchOrders, { q: `${name} ${text}`, ...page })),
}
const searchNames = Object.keys(searches)

/**
 * The attack: it adds a character before or after the known ones, and keeps it if the search still finds the person.
 * Returns the known characters at the end.
 */
async function recover(isFound: (text: string) => Promise<boolean>, known: string, isBackwards: boolean) {
  const characters =
    known.includes('@') || /[a-z]/.test(known) ? 'abcdefghijklmnopqrstuvwxyz.@+' : '0123456789'
  let text = known
  let tries = 0
  for (let grew = true; grew && text.length < 30; ) {
    grew = false
    for (const character of characters) {
      const longer = isBackwards ? character + text : text + character
      tries++
      if (!(await isFound(longer))) continue
      text = longer
      grew = true
      break
    }
  }
  return { text, tries }
}

/** All staff see the same mask: each search is attacked in one of the roles here, and in all by `npm run test:long`. */
const rolesPerSearch = attemptsOf('MATRICULA_MASKED_ROLES', 1)

describe.each(roleNames)('a %s who sees contacts masked', (role) => {
  const place = roleNames.indexOf(role)
  const isAttacked = (_: string, n: number) => (n + place) % roleNames.length < rolesPerSearch
  const attacked = searchNames.filter(isAttacked)

  test.each(attacked)('recovers no hidden digit by %s', async (search) => {
    const [name] = twins[0]!
    const [target] = ids[0]!
    const isFound = async (text: string) => {
      const { found, total } = await searches[search]!(staff[role], text, name)
      return found.includes(target) || total > 0
    }
    expect((await recover(isFound, '186', false)).text).toBe('186')
    expect((await recover((rest) => isFound(`+86 ${rest}`), '186', false)).text).toBe('186')
    expect((await recover(isFound, '4504', true)).text).toBe('4504')
  })

  test('recovers no hidden letter of an e-mail address', async () => {
    const [name] = twins.at(-1)!
    const [target] = ids.at(-1)!
    for (const search of attacked) {
      const isFound = async (text: string) =>
        (await searches[search]!(staff[role], text, name)).found.includes(target)
      expect((await recover(isFound, 'w', false)).text, search).toBe('w')
      expect((await recover(isFound, '@example.com', true)).text, search).toBe('@example.com')
    }
  })

  test('finds a person by the whole number or address, or by the last four digits, which the mask shows', async () => {
    const whole = [
      '18612344504',
      '186 1234 4504',
      '+86 186-1234-4504',
      '8618612344504',
      '１８６１２３４４５０４',
    ]
    const found = async (search: string, text: string) =>
      (await searches[search]!(staff[role], text, twins[0]![0])).found
    for (const search of ['user/search', 'user/list, filter mobile', 'order/search']) {
      for (const text of whole) expect(await found(search, text), `${search} ${text}`).toEqual([ids[0]![0]])
      expect(await found(search, '4504'), search).toEqual(expect.arrayContaining(ids[0]!))
    }
    // The best match first, then the newest.
    expect(await found('user/search', '186••••4504')).toEqual(ids[0]!.toReversed())
    expect(await found('user/search', '+298 212345')).toEqual([ids[1]![0]])
    expect(await found('user/search', '07911123456')).toEqual([ids[3]![0]])
    for (const search of ['user/search', 'user/list, filter email', 'order/search'])
      expect(await found(search, 'Wang.Fang@example.com'), search).toEqual([ids.at(-1)![0]])
  })
})

test('the two people look the same to staff', async () => {
  for (const [at, [name, one, other]] of twins.entries()) {
    const { data } = await staff.viewer.call(listUsers, { name, ...page })
    const shown = data.list.map(({ mobile, email }: Contact) => ({ mobile, email }))
    expect(shown, name).toEqual(Array(2).fill(shown[0]))
    expect(maskMobile(one.mobile ?? '')).toBe(maskMobile(other.mobile ?? ''))
    expect(maskEmail(one.email ?? '')).toBe(maskEmail(other.email ?? ''))
    expect(data.list.map(({ user_id }: { user_id: string }) => user_id)).toEqual(ids[at])
  }
})

test('no search distinguishes two people whose contacts differ in hidden characters only, unless it has a whole contact', async () => {
  /** A piece of one or two contacts, as a person may type it. */
  const piece = fc
    .tuple(fc.nat(), fc.boolean(), fc.nat(20), fc.integer({ min: 1, max: 20 }))
    .map(([n, isOther, from, length]) => {
      const contact = twins[n % twins.length]![isOther ? 2 : 1]
      return (contact.mobile ?? contact.email!).slice(from % 12, (from % 12) + length)
    })
  const front = fc.constantFrom('', '', '0', '00', '+', '+86', '+86 ', '86', '+44', '44', '+298', '+354 ')
  const gap = fc.constantFrom('', '', ' ', '-', '••••', '@')
  const typed = fc.tuple(front, piece, gap, fc.oneof(fc.constant(''), piece)).map((parts) => parts.join(''))
  const isWhole = (text: string, { mobile, email }: Contact) => {
    const digits = text.normalize('NFKC').replaceAll(/[^0-9]/g, '')
    const national = mobile?.replace(/^0|^86(?=.{11})/, '')
    const mailbox = email?.replace(/\+[^@]*/, '')
    return (
      (national !== undefined && digits.includes(national)) ||
      (mailbox !== undefined && (text.includes(mailbox) || text.includes(email!)))
    )
  }
  await fc.assert(
    fc.asyncProperty(
      typed,
      fc.constantFrom(...searchNames),
      fc.constantFrom(...roleNames),
      async (text, search, role) => {
        for (const [at, [name, one, other]] of twins.entries()) {
          if (isWhole(text, one) || isWhole(text, other)) continue
          const { found, total } = await searches[search]!(staff[role], text, name)
          const [isOneFound, isOtherFound] = ids[at]!.map((user_id) => found.includes(user_id))
          expect(isOneFound, `${search} ${text}: ${one.mobile ?? one.email}`).toBe(isOtherFound)
          expect(total).toBe(found.length)
        }
      },
    ),
    { numRuns: attemptsOf('MATRICULA_MASKED_SEARCHES', 25) },
  )
})

test('likely duplicates reveal no hidden digit either: a namesake with other hidden digits is listed too', async () => {
  const candidates = ['2999', '2345', '6345', '7745'].map((end) => ({ area_code: '298', mobile: `90${end}` }))
  for (const contact of candidates) await makePerson('Poulsen', contact)
  const pairs = await Promise.all(
    ids[1]!.map(async (user_id) => (await staff.counsellor.call(listDuplicates, { user_id })).data.list),
  )
  expect(pairs).toEqual([[], []])
})

test('a program, which sees whole contacts, searches by any beginning and end', async () => {
  for (const search of ['user/search', 'user/list, filter mobile', 'order/search'])
    for (const text of ['186', '1861234', '+86 186123', '12344504', '344504', '18612344504'])
      expect((await searches[search]!(school, text, 'Sun')).found, `${search} ${text}`).toContain(ids[0]![0])
  for (const text of ['wang.f', 'wang.fang@ex', 'WANG'])
    expect((await searches['user/list, filter email']!(school, text, '')).found).toEqual([ids.at(-1)![0]])
  expect((await searches['user/search']!(school, '2345', '')).found).toContain(ids[1]![0])
})

test('a member of staff searches for sixty contacts a minute, and by names or the shown digits without a limit', async () => {
  const { call } = await hireStaff(server, school.corp_id, 'counsellor')
  server.setNow(new Date(Date.now() + skewMs))
  const search = async (q: string, n: number) => {
    const answers = await Promise.all(Array.from({ length: n }, () => call(searchUsers, { q })))
    return answers.map(({ code }) => code).filter((code) => code === 42901).length
  }
  expect(await search('18612344504', 70)).toBe(10)
  expect((await call(searchOrders, { q: 'wang.fang@example.com' })).code).toBe(42901)
  expect((await call(listUsers, { mobile: '18612344504' })).headers.get('retry-after')).toMatch(/^[0-9]+$/)
  expect(await search('4504', 70)).toBe(0)
  expect(await search('Sun', 70)).toBe(0)
})

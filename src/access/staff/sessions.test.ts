import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { representativesOf } from '../../../test/conformance/representatives.ts'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hire, linkFor, openTab, password, sameOrigin } from '../../../test/harness/staff.ts'
import { newId } from '../../contract/new-id.ts'
import { catalogue } from '../../endpoints.ts'
import { createSession, endSession, fetchSession } from './create-session.ts'
import { changePassword, choosePassword } from './enter-by-link.ts'
import { changeRole, disableStaff } from './manage-staff.ts'
import { beginSession } from './sessions.ts'
import { findStaff } from './staff-store.ts'

let server: TestServer
let school: TestOrganization
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server)
})
afterAll(() => server?.close())

const owner = ({ corp_id }: { corp_id: string }) => server.database.owner.of(corp_id)
const isAlive = async (cookie: string) =>
  (await server.call(fetchSession, {}, { token: null, headers: { Cookie: cookie } })).code === 0

describe('a stolen cookie opens nothing', () => {
  const endings: Record<string, (person: Awaited<ReturnType<typeof hire>>) => Promise<unknown>> = {
    'after signing out': ({ tab }) => tab.call(endSession),
    'after signing out everywhere, elsewhere': async ({ email }) => {
      const other = openTab(server)
      await other.call(createSession, { email, password })
      await other.call(endSession, { everywhere: true })
    },
    'after a new password': ({ tab }) =>
      tab.call(changePassword, { password, new_password: 'another long one' }),
    'after a new password by a link': async (person) => {
      const link = await linkFor(server, person)
      await openTab(server).call(choosePassword, { link, password })
    },
    'once its owner is disabled': (person) => disableStaff(owner(person), person, true, new Date()),
    'once its owner has left': (person) => changeRole(owner(person), { ...person, role: null }, new Date()),
  }

  test.each(Object.entries(endings))('%s', async (_, end) => {
    const person = await hire(server, 'viewer', school.corp_id)
    const stolen = person.tab.cookie!
    expect(await isAlive(stolen)).toBe(true)
    await end(person)
    expect(await isAlive(stolen)).toBe(false)
  })
})

describe('a new password', () => {
  test('requires the old one, and keeps this browser signed in', async () => {
    const { tab, email } = await hire(server, 'viewer', school.corp_id)
    const new_password = 'another long one'
    expect((await tab.call(changePassword, { password: 'not this one', new_password })).code).toBe(40108)
    expect((await tab.call(changePassword, { password, new_password })).code).toBe(0)
    expect((await tab.call(fetchSession)).code).toBe(0)
    expect((await openTab(server).call(createSession, { email, password })).code).toBe(40108)
    expect((await openTab(server).call(createSession, { email, password: new_password })).code).toBe(0)
  })
})

test('no session starts with a password that was changed during its check', async () => {
  const person = await hire(server, 'viewer', school.corp_id)
  const { password_hash } = (await findStaff(owner(person), person))!
  const begin = () =>
    owner(person).transaction((tx) => beginSession(tx, person, { password_hash: password_hash! }, new Date()))
  await begin()
  await person.tab.call(changePassword, { password, new_password: 'another long one' })
  await expect(begin()).rejects.toMatchObject({ code: 40107 })
})

test('a disabled person signs in again once enabled', async () => {
  const person = await hire(server, 'viewer', school.corp_id)
  const { email } = person
  await disableStaff(owner(person), person, true, new Date())
  expect((await openTab(server).call(createSession, { email, password })).code).toBe(40108)
  await disableStaff(owner(person), person, false, new Date())
  expect((await openTab(server).call(createSession, { email, password })).code).toBe(0)
})

test('a planted session is not adopted: signing in creates another one', async () => {
  const [attacker, victim] = [
    await hire(server, 'viewer', school.corp_id),
    await hire(server, 'viewer', school.corp_id),
  ]
  const planted = attacker.tab.cookie!
  const headers = { ...sameOrigin, Cookie: planted }
  const answer = await server.call(createSession, { email: victim.email, password }, { token: null, headers })
  const given = answer.headers.getSetCookie()[0]!.split(';')[0]!
  expect(given).not.toBe(planted)
  const seen = await server.call(fetchSession, {}, { token: null, headers: { Cookie: planted } })
  expect(seen.data.staff_id).toBe(attacker.staff_id)
})

describe('behind TLS', () => {
  const tls = { ...sameOrigin, 'X-Forwarded-Proto': 'https' }

  test('the cookie belongs to this host alone, and is sent encrypted only', async () => {
    const { email } = await hire(server, 'viewer', school.corp_id)
    const answer = await openTab(server).call(createSession, { email, password }, tls)
    const cookie = answer.headers.getSetCookie()[0]!
    expect(cookie).toMatch(/^__Host-matricula_session=[\w-]+\.[\w-]{43}; /)
    for (const part of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']) expect(cookie).toContain(`; ${part}`)
    expect(cookie).not.toContain('Domain')
  })

  test('a cookie under the plain name, which a sibling site could plant, is ignored', async () => {
    const { tab } = await hire(server, 'viewer', school.corp_id)
    const headers = { Cookie: tab.cookie!, 'X-Forwarded-Proto': 'https' }
    expect((await server.call(fetchSession, {}, { token: null, headers })).code).toBe(40101)
  })
})

/** Headers of calls by a page of another site, by no page, and by our own page. */
const origins: [headers: Record<string, string>, isOurs: boolean][] = [
  [{ 'Sec-Fetch-Site': 'same-origin' }, true],
  [{ 'Sec-Fetch-Site': 'none' }, true],
  [{ 'Sec-Fetch-Site': 'same-site' }, false],
  [{ 'Sec-Fetch-Site': 'cross-site' }, false],
  [{ 'Sec-Fetch-Site': '' }, false],
  [{ 'Sec-Fetch-Site': 'cross-site', Origin: 'OURS' }, false],
  [{ 'Sec-Fetch-Site': 'same-site', Origin: 'OURS' }, false],
  [{ Origin: 'OURS' }, true],
  [{ Origin: 'null' }, false],
  [{ Origin: 'https://evil.example' }, false],
  [{ Origin: 'OURS.evil.example' }, false],
  [{ Origin: 'https://evil.example/OURS' }, false],
  [{}, false],
]

test('another site can call no changing operation with a session', async () => {
  const { tab } = await hire(server, 'admin', school.corp_id)
  const Cookie = tab.cookie!
  const writes = catalogue.filter(
    ({ method, scope, group }) => method === 'POST' && (scope !== 'public' || group === 'Console'),
  )
  expect(writes.length).toBeGreaterThan(40)
  const representatives = new Set(representativesOf(writes))
  for (const [n, write] of writes.entries()) {
    const { path } = write
    // All operations share the check: representatives get every origin, the others one each.
    const some = representatives.has(write) ? origins : [origins[n % origins.length]!]
    for (const [named, isOurs] of some) {
      const headers = { Cookie, ...ours(named), 'Content-Type': 'application/json' }
      const { code } = await server.send(path, { method: 'POST', headers, body: 'no object' })
      expect(code === 40305, `${path} ${JSON.stringify(named)}`).toBe(!isOurs)
    }
  }
})

function ours(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace('OURS', server.url)]),
  )
}

/** `npm run test:faults` tries 50,000, with tokens among them. */
const forgeries = 500

test(`of ${forgeries} forged sessions none is accepted`, async () => {
  const { tab } = await hire(server, 'admin', school.corp_id)
  const genuine = tab.cookie!.split('=')[1]!
  const [named, secret] = genuine.split('.') as [string, string]
  const elsewhere = Buffer.from((await openOrganization(server)).corp_id).toString('base64url')
  const hash = createHash('sha256').update(genuine).digest('hex')
  const shapes = fc
    .sample(
      fc.oneof(
        fc.constant(undefined).map(() => `${named}.${randomBytes(32).toString('base64url')}`),
        fc
          .tuple(fc.nat(genuine.length - 1), fc.constantFrom(...'ABCxyz019_-.'))
          .map(([at, by]) => genuine.slice(0, at) + by + genuine.slice(at + 1)),
        fc.nat(genuine.length - 1).map((length) => genuine.slice(0, length)),
        fc.constantFrom(
          secret,
          `${elsewhere}.${secret}`,
          `.${secret}`,
          ...['\u001faddress\u001fx', ''].map(
            (scope) => `${Buffer.from(scope).toString('base64url')}.${secret}`,
          ),
          genuine.toUpperCase(),
          `${genuine}A`,
          ` ${genuine} x`,
          hash,
          `%00${genuine}`,
          "' or 1=1 --",
          '{}',
          '',
        ),
        fc.string({ maxLength: 60 }).map((text) => encodeURIComponent(text.toWellFormed())),
      ),
      forgeries,
    )
    .filter((forged) => decoded(forged) !== genuine)
  let accepted = 0
  for (let at = 0; at < shapes.length; at += 50) {
    const answers = shapes.slice(at, at + 50).map((forged) => codeWith(`matricula_session=${forged}`))
    accepted += (await Promise.all(answers)).filter((code) => code !== 40107 && code !== 40101).length
  }
  expect(accepted).toBe(0)
  expect(await codeWith(`matricula_session=${genuine}`)).toBe(0)
})

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).trim()
  } catch {
    return text
  }
}

async function codeWith(Cookie: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const headers = { Cookie: Cookie.replaceAll(/[^\x20-\x7e]/g, '?') }
  request(`${server.url}${fetchSession.path}`, { headers }, async (response) =>
    resolve(JSON.parse(await text(response)).code),
  )
    .on('error', reject)
    .end()
  return promise
}

test('guessing the password of a person locks out neither others nor that person at another address', async () => {
  const own = await startTestServer('matricula', { trustProxy: 1 })
  const place = await openOrganization(own)
  const [victim, other] = [await hire(own, 'viewer', place.corp_id), await hire(own, 'viewer', place.corp_id)]
  const from = (address: string) => ({ ...sameOrigin, 'X-Forwarded-For': address })
  const trying = (email: string, secret: string, address: string) =>
    openTab(own).call(createSession, { email, password: secret }, from(address))
  for (let n = 0; n < 12; n++) await trying(victim.email, `guess ${newId()}`, '198.51.100.7')
  expect((await trying(victim.email, password, '198.51.100.7')).code).toBe(42901)
  expect((await trying(victim.email, password, '203.0.113.9')).code).toBe(0)
  expect((await trying(other.email, password, '198.51.100.7')).code).toBe(0)
  await own.close()
})

describe('of one address', () => {
  const from = (address: string) => ({ ...sameOrigin, 'X-Forwarded-For': address })
  let own: TestServer
  beforeAll(async () => {
    own = await startTestServer('matricula', { trustProxy: 1 })
  })
  afterAll(() => own?.close())
  const guess = (n: number, address: string) =>
    openTab(own).call(createSession, { email: `${n}@example.com`, password: 'guess' }, from(address))

  test('thirty failures over many accounts block that address, and no other', async () => {
    const { corp_id } = await openOrganization(own)
    const { email } = await hire(own, 'viewer', corp_id)
    const answers = []
    for (let n = 0; n < 40; n++) answers.push(await guess(n, '198.51.100.7'))
    expect(answers.slice(0, 30).map(({ code }) => code)).toEqual(Array(30).fill(40108))
    expect(answers.slice(30).map(({ code }) => code)).toEqual(Array(10).fill(42901))
    expect(Number(answers.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(0)
    const right = { email, password }
    expect((await openTab(own).call(createSession, right, from('198.51.100.7'))).code).toBe(42901)
    expect((await openTab(own).call(createSession, right, from('198.51.100.8'))).code).toBe(0)
  })

  test('of many concurrent guesses, thirty are refused as wrong and the others with Retry-After', async () => {
    const crowd = Array.from({ length: 120 }, (_, n) => guess(n, '198.51.100.20'))
    const codes = (await Promise.all(crowd)).map(({ code }) => code).sort()
    expect(codes).toEqual([...Array(30).fill(40108), ...Array(90).fill(42901)])
  })

  test('failures count for the /64 network of an IPv6 address', async () => {
    for (let n = 0; n < 30; n++) await guess(n, `2001:db8:1:2::${n.toString(16)}`)
    expect((await guess(99, '2001:db8:1:2:ffff::1')).code).toBe(42901)
    expect((await guess(99, '2001:db8:1:3::1')).code).toBe(40108)
  })

  test('any number of wrong links blocks no valid link and no password', async () => {
    const { corp_id } = await openOrganization(own)
    const person = await hire(own, 'viewer', corp_id)
    const { email } = person
    const address = from('198.51.100.9')
    const link = await linkFor(own, person)
    const codes = []
    for (let n = 0; n < 40; n++) {
      const forged = link.slice(0, -43) + randomBytes(32).toString('base64url')
      codes.push((await openTab(own).call(choosePassword, { link: forged, password }, address)).code)
    }
    expect(new Set(codes)).toEqual(new Set([40109, 42901]))
    expect((await openTab(own).call(createSession, { email, password }, address)).code).toBe(0)
    expect((await openTab(own).call(choosePassword, { link, password }, address)).code).toBe(0)
  })
})

describe('at a public address of https', () => {
  test('the cookie is Secure and belongs to this host alone, even if the proxy names another scheme', async () => {
    const own = await startTestServer('matricula', { publicUrl: new URL('https://matricula.example.edu') })
    const { corp_id } = await openOrganization(own)
    const { email } = await hire(own, 'viewer', corp_id)
    const saying = (scheme: string) => ({ ...sameOrigin, 'X-Forwarded-Proto': scheme })
    for (const headers of [sameOrigin, saying('http'), saying('https')]) {
      const tab = openTab(own)
      const answer = await tab.call(createSession, { email, password }, headers)
      const cookie = answer.headers.getSetCookie()[0]!
      expect(cookie).toMatch(/^__Host-matricula_session=/)
      for (const part of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax'])
        expect(cookie).toContain(`; ${part}`)
      expect((await tab.call(fetchSession, {}, headers)).code).toBe(0)
      const planted = tab.cookie!.replace('__Host-', '')
      expect((await own.call(fetchSession, {}, { token: null, headers: { Cookie: planted } })).code).toBe(
        40101,
      )
    }
    await own.close()
  })
})

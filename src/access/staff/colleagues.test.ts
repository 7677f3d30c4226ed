import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hire as hireStaff, linkFor, openTab, password } from '../../../test/harness/staff.ts'
import { listApiAccounts } from '../../backoffice/settings/api-accounts.ts'
import { newId } from '../../contract/new-id.ts'
import { listFinancialRows } from '../../orders/listing/list-financial-rows.ts'
import { createRefund } from '../../orders/payments/create-refund.ts'
import { createUser } from '../../people/users/create-user.ts'
import { fetchProfile } from '../../people/users/fetch-profile.ts'
import { inviteColleague, listStaff, resetColleague, updateRole } from './colleagues.ts'
import { confirmSession } from './confirm-session.ts'
import { createSession, endSession, fetchSession } from './create-session.ts'
import { choosePassword } from './enter-by-link.ts'
import { disableStaff } from './manage-staff.ts'
import type { Role } from './roles.ts'
import { confirmationMs, idleLimitMs, sessionLimitMs } from './sessions.ts'

let server: TestServer
let school: TestOrganization
beforeAll(async () => {
  server = await startTestServer('sample')
  school = await openOrganization(server)
})
afterAll(() => server?.close())

const browser = () => openTab(server)
const hire = (role: Role, corp_id = school.corp_id, email?: string) => hireStaff(server, role, corp_id, email)

const signIn = async (email: string, secret = password) => {
  const tab = browser()
  return { tab, answer: await tab.call(createSession, { email, password: secret }) }
}

describe('signing in', () => {
  test('sets a cookie that no script can read and no other site sends', async () => {
    const { email } = await hire('viewer')
    const { answer } = await signIn(email.toUpperCase())
    expect(answer.data).toMatchObject({
      session: { email, organization: { corp_id: school.corp_id, role: 'viewer', permissions: ['read'] } },
      schools: [],
    })
    const cookie = answer.headers.get('set-cookie')!
    expect(cookie).toMatch(/; HttpOnly/)
    expect(cookie).toMatch(/; SameSite=Lax/)
    expect(cookie).not.toMatch(/Secure/)
  })

  test('has the same response to a wrong password and an unknown address', async () => {
    const { email } = await hire('viewer')
    const wrong = (await signIn(email, 'not this one')).answer
    const unknown = (await signIn('nobody@example.com')).answer
    expect([wrong.code, wrong.msg]).toEqual([unknown.code, unknown.msg])
    expect(wrong.code).toBe(40108)
  })

  test('is slowed down for the network that guesses, and for no other', async () => {
    const [victim, other] = [await hire('viewer'), await hire('viewer')]
    const codes: number[] = []
    for (let tries = 0; tries < 12; tries++) codes.push((await signIn(victim.email, 'guess')).answer.code)
    expect(codes.slice(0, 10)).toEqual(Array(10).fill(40108))
    expect(codes.slice(10)).toEqual([42901, 42901])
    expect((await signIn(other.email)).answer.code).toBe(0)
  })

  test('by many with right passwords makes all wait, and refuses none', async () => {
    const crowd = await Promise.all(Array.from({ length: 40 }, () => hire('viewer')))
    const codes = (await Promise.all(crowd.map(({ email }) => signIn(email)))).map(
      ({ answer }) => answer.code,
    )
    expect(new Set(codes)).toEqual(new Set([0]))
  })

  test('gives a new session every time, so a planted one is not adopted', async () => {
    const { email } = await hire('viewer')
    const [one, two] = [await signIn(email), await signIn(email)]
    expect(one.tab.cookie).not.toBe(two.tab.cookie)
  })
})

test('no table holds a password, or the token of a session, a link or a program', async () => {
  const { tab, corp_id, staff_id } = await hire('viewer')
  const link = await linkFor(server, { corp_id, staff_id })
  const secrets = { password, session: tab.cookie?.split('=')[1], link, program: school.token }
  const { superuser } = server.database
  const { rows: tables } = await superuser.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  )
  expect(tables.length).toBeGreaterThan(40)
  for (const [kind, secret] of Object.entries(secrets))
    for (const { name } of tables) {
      const found = await superuser.query(`select from "${name}" t where t::text like $1`, [`%${secret}%`])
      expect(found.rowCount, `${kind} in ${name}`).toBe(0)
    }
})

describe('a session', () => {
  test('ends at once where it is signed out, and only there', async () => {
    const { email } = await hire('viewer')
    const [here, there] = [(await signIn(email)).tab, (await signIn(email)).tab]
    const stolen = here.cookie!
    await here.call(endSession)
    expect(here.cookie).toBeUndefined()
    expect((await server.call(fetchSession, {}, { token: null, headers: { Cookie: stolen } })).code).toBe(
      40107,
    )
    expect((await there.call(fetchSession)).code).toBe(0)
  })

  test('ends in all browsers on request', async () => {
    const { email } = await hire('viewer')
    const [here, there] = [(await signIn(email)).tab, (await signIn(email)).tab]
    await here.call(endSession, { everywhere: true })
    expect((await there.call(fetchSession)).code).toBe(40107)
  })

  test.each([
    ['unused', idleLimitMs],
    ['old', sessionLimitMs],
  ])('ends when it is %s', async (_, limitMs) => {
    const { tab } = await hire('viewer')
    const { rows } = await server.database.superuser.query('select max(ctime) as at from staff_sessions')
    const begun = rows[0].at.getTime()
    try {
      // With occasional use, it lives until its own limit.
      for (let ms = 0; limitMs === sessionLimitMs && ms < limitMs; ms += idleLimitMs) {
        server.setNow(new Date(begun + ms))
        expect((await tab.call(fetchSession)).code).toBe(0)
      }
      server.setNow(new Date(begun + limitMs + 1000))
      expect((await tab.call(fetchSession)).code).toBe(40107)
    } finally {
      server.setNow(undefined)
    }
  })

  test('cannot be used by pages of other sites', async () => {
    const { tab } = await hire('counsellor')
    const input = { corp_id: school.corp_id, email: 'planted@example.com' }
    const hostile: Record<string, string>[] = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      {},
    ]
    for (const headers of hostile) expect((await tab.call(createUser, input, headers)).code).toBe(40305)
    const { host } = new URL(server.url)
    expect((await tab.call(createUser, input, { Origin: `http://${host}` })).code).toBe(0)
  })

  test('cannot be started by pages of other sites', async () => {
    const { email } = await hire('viewer')
    const answer = await browser().call(
      createSession,
      { email, password },
      { 'Sec-Fetch-Site': 'cross-site' },
    )
    expect(answer.code).toBe(40305)
  })
})

describe('a role', () => {
  test.each([
    ['viewer', { read: 0, write: 40303, finance: 40303, admin: 40303 }],
    ['counsellor', { read: 0, write: 0, finance: 40303, admin: 40303 }],
    ['finance', { read: 0, write: 0, finance: 0, admin: 40303 }],
    ['admin', { read: 0, write: 0, finance: 0, admin: 0 }],
  ] as const)('%s may do what it says', async (role, wanted) => {
    const { tab } = await hire(role)
    const { corp_id } = school
    const { data } = await school.call(createUser, { email: `${newId()}@example.com` })
    const found = {
      read: (await tab.call(fetchProfile, { corp_id, user_id: data.user_id })).code,
      write: (await tab.call(createUser, { corp_id, email: `${newId()}@example.com` })).code,
      finance: (await tab.call(listFinancialRows, { corp_id })).code,
      admin: (await tab.call(listApiAccounts, { corp_id })).code,
    }
    expect(found).toEqual(wanted)
  })

  test('applies in its organization only, and another one looks nonexistent', async () => {
    const other = await openOrganization(server)
    const { tab, email } = await hire('admin')
    await hire('viewer', other.corp_id, email)
    expect((await tab.call(listApiAccounts, { corp_id: school.corp_id })).code).toBe(0)
    expect((await tab.call(listApiAccounts, { corp_id: other.corp_id })).code).toBe(40301)
    expect((await tab.call(listApiAccounts, { corp_id: 'nowhere' })).code).toBe(40301)
  })

  test('changes the permissions of open sessions at once; removing it ends them', async () => {
    const admin = await hire('admin')
    const { tab, staff_id } = await hire('viewer')
    const { corp_id } = school
    await admin.tab.call(updateRole, { corp_id, staff_id, role: 'counsellor' })
    expect((await tab.call(createUser, { corp_id, email: `${newId()}@example.com` })).code).toBe(0)
    await admin.tab.call(updateRole, { corp_id, staff_id, role: 'none' })
    expect((await tab.call(fetchSession)).code).toBe(40107)
  })

  test('of the last administrator cannot be removed', async () => {
    const lonely = await openOrganization(server)
    const { tab, staff_id } = await hire('admin', lonely.corp_id)
    const answer = await tab.call(updateRole, { corp_id: lonely.corp_id, staff_id, role: 'viewer' })
    expect(answer.code).toBe(40904)
  })

  test('is not changed by an invitation; an unaccepted invitation can be repeated', async () => {
    const admin = await hire('admin')
    const colleague = await hire('finance')
    const { corp_id } = school
    const invite = (email: string, role: Role, name = 'X') =>
      admin.tab.call(inviteColleague, { corp_id, email, name, role })
    for (const role of ['finance', 'viewer'] as const)
      expect(await invite(colleague.email.toUpperCase(), role)).toMatchObject({
        code: 40901,
        msg: 'email belongs to a colleague with the role finance.',
        data: { reason: 'works_here', role: 'finance' },
      })
    const roleOf = async (id: string) =>
      (await admin.tab.call(listStaff, { corp_id })).data.list.find(
        ({ staff_id }: { staff_id: string }) => staff_id === id,
      )?.role
    expect(await roleOf(colleague.staff_id)).toBe('finance')

    const email = `${newId()}@example.com`
    const first = await invite(email, 'viewer')
    expect((await invite(email, 'admin')).data).toMatchObject({ reason: 'is_invited', role: 'viewer' })
    const second = await invite(email, 'viewer')
    expect(second.data).toMatchObject({ staff_id: first.data.staff_id, role: 'viewer' })
    expect((await browser().call(choosePassword, { link: first.data.link, password })).code).toBe(40109)
    expect((await browser().call(choosePassword, { link: second.data.link, password })).code).toBe(0)
  })

  test('that is removed removes all credentials; a new invitation restores the same person', async () => {
    const admin = await hire('admin')
    const colleague = await hire('finance')
    const { corp_id, staff_id } = colleague
    const stale = await linkFor(server, colleague)
    await admin.tab.call(updateRole, { corp_id, staff_id, role: 'none' })
    expect((await admin.tab.call(resetColleague, { corp_id, staff_id })).code).toBe(40420)
    expect((await signIn(colleague.email)).answer.code).toBe(40108)
    const input = { corp_id, email: colleague.email, name: 'Back again', role: 'viewer' }
    const { data } = await admin.tab.call(inviteColleague, input)
    expect(data).toMatchObject({ staff_id, name: 'Back again', role: 'viewer', is_active: false })
    expect((await browser().call(choosePassword, { link: stale, password })).code).toBe(40109)
    expect((await signIn(colleague.email)).answer.code).toBe(40108)
    expect((await colleague.tab.call(fetchSession)).code).toBe(40107)
    expect((await browser().call(choosePassword, { link: data.link, password })).code).toBe(0)
  })

  test('admin cannot be given to an account', async () => {
    expect((await school.call(listApiAccounts)).code).toBe(40303)
    expect((await server.call(fetchSession, {}, { token: school.token })).code).toBe(40107)
  })
})

describe('a link', () => {
  test('works once', async () => {
    const link = await linkFor(server, await hire('viewer'))
    const uses = await Promise.all([1, 2, 3].map(() => browser().call(choosePassword, { link, password })))
    expect(uses.map(({ code }) => code).sort()).toEqual([0, 40109, 40109])
  })

  test('for a new password ends earlier sessions', async () => {
    const person = await hire('viewer')
    const { tab } = person
    const link = await linkFor(server, person)
    expect((await tab.call(fetchSession)).code).toBe(0)
    await browser().call(choosePassword, { link, password: 'another long one' })
    expect((await tab.call(fetchSession)).code).toBe(40107)
  })

  test('ends older links, and none is created for, or works for, a disabled person', async () => {
    const admin = await hire('admin')
    const person = await hire('viewer')
    const { corp_id, staff_id, email } = person
    const on = server.database.owner.of(corp_id)
    const older = await linkFor(server, person)
    const newer = (await admin.tab.call(resetColleague, { corp_id, staff_id })).data.link
    expect((await browser().call(choosePassword, { link: older, password })).code).toBe(40109)
    await disableStaff(on, person, true, new Date())
    expect((await browser().call(choosePassword, { link: newer, password })).code).toBe(40109)
    expect((await admin.tab.call(resetColleague, { corp_id, staff_id })).code).toBe(40904)
    await admin.tab.call(updateRole, { corp_id, staff_id, role: 'none' })
    const again = { corp_id, email, name: 'X', role: 'viewer' }
    expect((await admin.tab.call(inviteColleague, again)).code).toBe(40904)
  })

  test('cannot be created for a person of another organization', async () => {
    const other = await openOrganization(server)
    const { staff_id } = await hire('viewer', other.corp_id)
    const admin = await hire('admin')
    const answer = await admin.tab.call(resetColleague, { corp_id: school.corp_id, staff_id })
    expect(answer.code).toBe(40420)
  })
})

test('a refund asks staff for a recent confirmation; a program is not asked', async () => {
  const { tab } = await hire('finance')
  const { corp_id } = school
  const refund = { corp_id, order_id: 'none', price: 1, reason: 'Agreed' }
  expect((await tab.call(createRefund, refund)).code).toBe(40402)
  try {
    server.setNow(new Date(Date.now() + confirmationMs + 60_000))
    expect((await tab.call(createRefund, refund)).code).toBe(40304)
    await tab.call(confirmSession, { password })
    expect((await tab.call(createRefund, refund)).code).toBe(40402)
  } finally {
    server.setNow(undefined)
  }
  expect((await school.call(createRefund, refund)).code).toBe(40402)
})

test('a confirmation replaces the session by a new one', async () => {
  const { tab } = await hire('finance')
  const before = tab.cookie!
  expect((await tab.call(confirmSession, { password: 'wrong' })).code).toBe(40108)
  expect((await tab.call(confirmSession, { password })).code).toBe(0)
  expect(tab.cookie).not.toBe(before)
  expect((await server.call(fetchSession, {}, { token: null, headers: { Cookie: before } })).code).toBe(40107)
})

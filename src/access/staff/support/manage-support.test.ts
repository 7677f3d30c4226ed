import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openOrganization, type TestOrganization } from '../../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../../test/harness/server.ts'
import { hireStaff, openTab, type Tab, type TestColleague } from '../../../../test/harness/staff.ts'
import { isOpenToSupport } from '../../../contract/guard.ts'
import { newId } from '../../../contract/new-id.ts'
import { catalogue } from '../../../endpoints.ts'
import { createUser } from '../../../people/users/create-user.ts'
import { fetchContact } from '../../../people/users/fetch-contact.ts'
import { listUsers } from '../../../people/users/list-users.ts'
import { updateUser } from '../../../people/users/update-user.ts'
import { linkEntries } from '../../audit/link-entries.ts'
import { listAudit } from '../../audit/list-audit.ts'
import { suspendOrganization } from '../../organizations/suspend-organization.ts'
import { inviteColleague } from '../colleagues.ts'
import { endSession, fetchSession } from '../create-session.ts'
import { changePassword, enterByLink } from '../enter-by-link.ts'
import { grantSupport, listSupportGrants, revokeSupport } from './manage-support.ts'
import { makeSupportLink } from './support-link.ts'

const hourMs = 60 * 60 * 1000

let server: TestServer
let school: TestOrganization
let admin: TestColleague
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server)
  admin = await hireStaff(server, school.corp_id, 'admin')
})
afterAll(() => server?.close())
beforeEach(() => server.setNow(undefined))

async function grant(more: object = {}) {
  const email = `${newId()}@operator.example`
  const { code, data } = await admin.call(grantSupport, { email, name: 'Kim Lee', hours: 1, ...more })
  expect(code).toBe(0)
  return { ...data, email: data.email as string, grant_id: data.grant_id as string }
}

const linkFor = async (email: string, corp_id = school.corp_id, now = new Date()) =>
  (await makeSupportLink(server.database.owner.of(corp_id), { corp_id, email }, now)).link

/** A browser of the support person, signed in. */
async function enter(email: string): Promise<Tab> {
  const tab = openTab(server)
  const answer = await tab.call(enterByLink, { link: await linkFor(email) })
  expect(answer.code).toBe(0)
  return tab
}

const list = { page_size: 1 }
const read = (tab: Tab, corp_id = school.corp_id) => tab.call(listUsers, { corp_id, ...list })

describe('without a grant', () => {
  test('no link is created, for any address or any other school', async () => {
    await expect(linkFor('nobody@operator.example')).rejects.toThrow('granted no access')
    const { email } = await grant()
    const other = await openOrganization(server)
    await expect(linkFor(email, other.corp_id)).rejects.toThrow('granted no access')
  })

  test('only administrators grant, for at most 72 hours, and no administration', async () => {
    const wanted = { email: 'x@operator.example', name: 'X', hours: 1 }
    for (const role of ['viewer', 'counsellor', 'finance'] as const) {
      const colleague = await hireStaff(server, school.corp_id, role)
      expect((await colleague.call(grantSupport, wanted)).code).toBe(40303)
    }
    for (const wrong of [{ hours: 73 }, { hours: 0 }, { role: 'admin' }])
      expect((await admin.call(grantSupport, { ...wanted, ...wrong })).code).toBe(40002)
  })
})

describe('a link', () => {
  test('works once, for ten minutes, and for one school', async () => {
    const { email } = await grant()
    const link = await linkFor(email)
    const first = openTab(server)
    expect((await first.call(enterByLink, { link })).code).toBe(0)
    expect((await openTab(server).call(enterByLink, { link })).code).toBe(40109)
    const other = await openOrganization(server)
    expect((await read(first, other.corp_id)).code).toBe(40301)
    const late = await linkFor(email)
    server.setNow(new Date(Date.now() + 10 * 60_000 + 1))
    expect((await openTab(server).call(enterByLink, { link: late })).code).toBe(40109)
  })

  test('used twice at the same moment opens one session', async () => {
    const { email } = await grant()
    const link = await linkFor(email)
    const codes = await Promise.all(
      [1, 2, 3].map(async () => (await openTab(server).call(enterByLink, { link })).code),
    )
    expect(codes.toSorted()).toEqual([0, 40109, 40109])
  })

  test('ends with the grant', async () => {
    const { email, grant_id } = await grant()
    const link = await linkFor(email)
    await admin.call(revokeSupport, { grant_id })
    expect((await openTab(server).call(enterByLink, { link })).code).toBe(40109)
    await expect(linkFor(email)).rejects.toThrow('granted no access')
  })
})

describe('the access', () => {
  test('expires, also in an open session', async () => {
    const { email } = await grant()
    const tab = await enter(email)
    server.setNow(new Date(Date.now() + hourMs - 5000))
    expect((await read(tab)).code).toBe(0)
    server.setNow(new Date(Date.now() + hourMs + 5000))
    expect((await read(tab)).code).toBe(40107)
    expect((await tab.call(fetchSession)).code).toBe(40107)
  })

  test('ends at once when it is revoked while it is in use', async () => {
    const { email, grant_id } = await grant()
    const tab = await enter(email)
    let revokedAtMs = Number.POSITIVE_INFINITY
    const seen: { beganMs: number; code: number }[] = []
    const use = async () => {
      while (seen.every(({ code }) => code === 0)) {
        const beganMs = performance.now()
        seen.push({ beganMs, code: (await read(tab)).code })
      }
    }
    const using = [use(), use(), use()]
    await read(tab)
    expect((await admin.call(revokeSupport, { grant_id })).data.is_open).toBe(false)
    revokedAtMs = performance.now()
    await Promise.all(using)
    const after = seen.filter(({ beganMs }) => beganMs > revokedAtMs)
    expect(new Set(after.map(({ code }) => code))).not.toContain(0)
    expect((await read(tab)).code).toBe(40107)
  })

  test('is revoked once; a second revocation changes nothing', async () => {
    const { grant_id } = await grant()
    const first = (await admin.call(revokeSupport, { grant_id })).data
    expect((await admin.call(revokeSupport, { grant_id })).data).toEqual(first)
    expect((await admin.call(revokeSupport, { grant_id: newId() })).code).toBe(40433)
  })

  test('of a person is open once, also where two administrators grant it at the same moment', async () => {
    const wanted = { email: `${newId()}@operator.example`, name: 'Kim', hours: 1 }
    const codes = await Promise.all([1, 2].map(async () => (await admin.call(grantSupport, wanted)).code))
    expect(codes.toSorted()).toEqual([0, 40901])
    expect((await admin.call(listSupportGrants)).data.list[0]).toMatchObject({ email: wanted.email })
  })

  test('of an expired grant can be given again', async () => {
    const { email, grant_id } = await grant()
    await server.database.superuser.query(
      `update support_grants set ends_at = now() - interval '1 second' where grant_id = $1`,
      [grant_id],
    )
    expect((await admin.call(grantSupport, { email, name: 'Kim', hours: 1 })).code).toBe(0)
  })

  test('is refused while the school is suspended', async () => {
    const own = await openOrganization(server)
    const head = await hireStaff(server, own.corp_id, 'admin')
    const email = `${newId()}@operator.example`
    await head.call(grantSupport, { email, name: 'Kim', hours: 1 })
    const tab = openTab(server)
    await tab.call(enterByLink, { link: await linkFor(email, own.corp_id) })
    await suspendOrganization(server.database.owner, own.corp_id, 'test', new Date())
    expect((await read(tab, own.corp_id)).code).toBe(40310)
  })
})

describe('support', () => {
  test('sees its identity and its expiry, and signs out', async () => {
    const { email } = await grant()
    const tab = await enter(email)
    const { data } = await tab.call(fetchSession)
    expect(data).toMatchObject({ email, organization: { role: 'viewer' }, ways_to_confirm: [] })
    expect(Date.parse(data.support_until)).toBeGreaterThan(Date.now())
    expect((await tab.call(endSession, { everywhere: true })).code).toBe(0)
    expect((await read(tab)).code).not.toBe(0)
  })

  test('with a role that writes changes records, and reveals, grants and confirms nothing', async () => {
    const { data } = await school.call(createUser, { email: `${newId()}@person.example` })
    const { email } = await grant({ role: 'finance' })
    const tab = await enter(email)
    const { corp_id } = school
    const changed = await tab.call(updateUser, { corp_id, user_id: data.user_id, name: 'Ann' })
    expect(changed.code).toBe(0)
    const contact = { corp_id, user_id: data.user_id, contact_type: 'email' }
    expect((await tab.call(fetchContact, contact)).code).toBe(40303)
    const invited = { corp_id, email: 'a@b.example', name: 'A', role: 'viewer' }
    expect((await tab.call(inviteColleague, invited)).code).toBe(40303)
    const passwords = { password: 'correct horse battery', new_password: 'another horse battery' }
    expect((await tab.call(changePassword, passwords)).code).toBe(40303)
    for (const endpoint of catalogue.filter((each) => each.scope !== 'public' && !isOpenToSupport(each))) {
      const input = { ...endpoint.example.input, ...(endpoint.scope === 'organization' && { corp_id }) }
      expect([endpoint.id, (await tab.call(endpoint, input)).code]).toEqual([endpoint.id, 40303])
    }
  })

  test('leaves each of its calls in the activity log, marked as support', async () => {
    const { email, grant_id } = await grant({ role: 'counsellor' })
    const tab = await enter(email)
    const { corp_id } = school
    await read(tab)
    await tab.call(createUser, { corp_id, email: `${newId()}@person.example` })
    // Failed calls are logged too.
    await tab.call(updateUser, { corp_id, user_id: newId(), name: 'Ann' })
    await linkEntries(server.database.app, corp_id, 10)
    const { data } = await admin.call(listAudit, { actor_id: grant_id, page_size: 100 })
    const own = data.list.filter(({ actor_kind }: { actor_kind: string }) => actor_kind === 'support')
    const operations = new Set(own.map(({ operation }: { operation: string }) => operation))
    expect(operations).toEqual(new Set(['enterByLink', 'listUsers', 'createUser', 'updateUser']))
    // The change itself has an entry besides the call.
    expect(own.filter(({ operation }: { operation: string }) => operation === 'createUser').length).toBe(2)
  })

  test('gets no stream of events', async () => {
    const { email } = await grant()
    const tab = await enter(email)
    const path = `/api/v5/entity/event/stream?corp_id=${school.corp_id}`
    const headers = { Cookie: tab.cookie!, 'Sec-Fetch-Site': 'same-origin' }
    expect((await server.send(path, { headers })).code).toBe(40303)
  })
})

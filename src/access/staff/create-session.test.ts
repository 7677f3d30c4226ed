import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { type Answer, startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hire, linkFor, openTab, password, sameOrigin, type Tab } from '../../../test/harness/staff.ts'
import { newId } from '../../contract/new-id.ts'
import { listUsers } from '../../people/users/list-users.ts'
import { createSession, endSession, fetchSession } from './create-session.ts'
import { changePassword, choosePassword } from './enter-by-link.ts'
import { changeRole, disableStaff } from './manage-staff.ts'

let server: TestServer
let one: TestOrganization
let two: TestOrganization
beforeAll(async () => {
  server = await startTestServer('matricula', { trustProxy: 1 })
  one = await openOrganization(server)
  two = await openOrganization(server)
})
afterAll(() => server?.close())

/** A person with an account in both schools and the same password. */
async function inBoth() {
  const email = `${newId()}@example.com`
  const [first, second] = [
    await hire(server, 'viewer', one.corp_id, email),
    await hire(server, 'admin', two.corp_id, email),
  ]
  return { email, first, second }
}

let address = 0
/** From a separate address, so that failures of the tests do not add up. */
async function signIn(input: object): Promise<{ tab: Tab; answer: Answer }> {
  const tab = openTab(server)
  const headers = { ...sameOrigin, 'X-Forwarded-For': `198.51.${address >> 8}.${address++ & 255}` }
  return { tab, answer: await tab.call(createSession, { password, ...input }, headers) }
}

describe('a password that opens accounts in several schools', () => {
  test('lists the schools and starts no session; naming a school starts one for it alone', async () => {
    const { email, first, second } = await inBoth()
    const { tab, answer } = await signIn({ email })
    expect(answer.data.session).toBeNull()
    expect(answer.data.schools).toEqual(
      [one, two]
        .map(({ corp_id }) => ({ corp_id, name: 'Organization in UTC' }))
        .sort((a, b) => (a.corp_id < b.corp_id ? -1 : 1)),
    )
    expect(tab.cookie).toBeUndefined()

    for (const [{ corp_id, staff_id }, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const entered = await signIn({ email, corp_id })
      expect(entered.answer.data).toMatchObject({
        session: { staff_id, organization: { corp_id } },
        schools: [],
      })
      expect((await entered.tab.call(listUsers, { corp_id })).code).toBe(0)
      expect((await entered.tab.call(listUsers, { corp_id: other.corp_id })).code).toBe(40301)
    }
  })

  test('belongs to each account: a change, a sign-out or a lockout in one school does not affect the other', async () => {
    const { email, first, second } = await inBoth()
    const new_password = 'of the first school alone'
    expect((await first.tab.call(changePassword, { password, new_password })).code).toBe(0)
    expect((await second.tab.call(fetchSession)).code).toBe(0)
    expect((await signIn({ email, password: new_password })).answer.data.session.organization.corp_id).toBe(
      one.corp_id,
    )
    expect((await signIn({ email })).answer.data.session.organization.corp_id).toBe(two.corp_id)
    await first.tab.call(endSession, { everywhere: true })
    expect((await second.tab.call(fetchSession)).code).toBe(0)
    await disableStaff(server.database.owner.of(one.corp_id), first, true, new Date())
    expect((await second.tab.call(fetchSession)).code).toBe(0)

    const here = { ...sameOrigin, 'X-Forwarded-For': '203.0.113.50' }
    const tryIn = async (corp_id: string, secret: string) =>
      (await openTab(server).call(createSession, { email, corp_id, password: secret }, here)).code
    for (let n = 0; n < 11; n++) await tryIn(one.corp_id, 'guess')
    expect(await tryIn(one.corp_id, 'guess')).toBe(42901)
    expect(await tryIn(two.corp_id, password)).toBe(0)
  })

  test('offers no school whose account is disabled, removed or never accepted', async () => {
    const disabled = await inBoth()
    await disableStaff(server.database.owner.of(one.corp_id), disabled.first, true, new Date())
    const left = await inBoth()
    await changeRole(server.database.owner.of(one.corp_id), { ...left.first, role: null }, new Date())
    for (const { email } of [disabled, left]) {
      const { data } = (await signIn({ email })).answer
      expect(data).toMatchObject({ session: { organization: { corp_id: two.corp_id } }, schools: [] })
      expect((await signIn({ email, corp_id: one.corp_id })).answer.code).toBe(40108)
    }
  })
})

test('without the right password, nothing reveals where an address has accounts', async () => {
  const { email } = await inBoth()
  const single = await hire(server, 'viewer', one.corp_id)
  const wrong = 'not the password'
  const answers = []
  for (const input of [
    { email },
    { email, corp_id: one.corp_id },
    { email, corp_id: 'no-such-school' },
    { email: single.email },
    { email: single.email, corp_id: one.corp_id },
    { email: single.email, corp_id: two.corp_id },
    { email: `${newId()}@example.com` },
    { email: `${newId()}@example.com`, corp_id: one.corp_id },
  ])
    answers.push((await signIn({ ...input, password: wrong })).answer)
  const bodies = answers.map(({ status, code, msg, data: { request_id: _, ...data } }) =>
    JSON.stringify({ status, code, msg, data }),
  )
  expect(new Set(bodies).size).toBe(1)
  // The right password reveals nothing either, in another school.
  const elsewhere = (await signIn({ email: single.email, corp_id: two.corp_id })).answer
  expect([elsewhere.code, elsewhere.msg]).toEqual([answers[0]!.code, answers[0]!.msg])
})

test('a link opens only the account that it was created for', async () => {
  const { email, first, second } = await inBoth()
  const link = await linkFor(server, first)
  const tab = openTab(server)
  const chosen = await tab.call(choosePassword, { link, password: 'by the link of one' })
  expect(chosen.data.organization.corp_id).toBe(one.corp_id)
  expect((await second.tab.call(fetchSession)).code).toBe(0)
  expect((await signIn({ email })).answer.data.session.organization.corp_id).toBe(two.corp_id)
})

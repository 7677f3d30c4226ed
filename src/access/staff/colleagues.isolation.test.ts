import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hire, openTab, password, type Tab } from '../../../test/harness/staff.ts'
import { newId } from '../../contract/new-id.ts'
import { createUser } from '../../people/users/create-user.ts'
import { listUsers } from '../../people/users/list-users.ts'
import { listAudit } from '../audit/list-audit.ts'
import { inviteColleague, listStaff, resetColleague } from './colleagues.ts'
import { createSession, fetchSession } from './create-session.ts'
import { choosePassword } from './enter-by-link.ts'
import type { Role } from './roles.ts'

/** Two schools with the same person. E tries to get data of L. */
let server: TestServer
let e: TestOrganization
let l: TestOrganization
let adminOfE: Tab
let adminOfL: Tab
beforeAll(async () => {
  server = await startTestServer('matricula')
  e = await openOrganization(server)
  l = await openOrganization(server)
  adminOfE = (await hire(server, 'admin', e.corp_id)).tab
  adminOfL = (await hire(server, 'admin', l.corp_id)).tab
  await l.call(createUser, { email: 'applicant@l.example' })
})
afterAll(() => server?.close())

const invite = async (by: Tab, corp_id: string, email: string, role: Role, name = 'Head') =>
  (await by.call(inviteColleague, { corp_id, email, name, role })).data
const choose = (link: string, secret: string, tab = openTab(server)) =>
  tab.call(choosePassword, { link, password: secret })
const reaches = async (tab: Tab, { corp_id }: TestOrganization) =>
  (await tab.call(listUsers, { corp_id })).code === 0

describe('an administrator of E who knows an address of L gets nothing of L', () => {
  const ofAttacker = 'known to E alone'
  const attacks: Record<string, (email: string) => Promise<() => Promise<Tab>>> = {
    'with a link that E kept': async (email) => {
      const { link } = await invite(adminOfE, e.corp_id, email, 'viewer')
      return async () => {
        const tab = openTab(server)
        await choose(link, ofAttacker, tab)
        return tab
      }
    },
    'with a password that E chose first': async (email) => {
      const { link } = await invite(adminOfE, e.corp_id, email, 'viewer')
      await choose(link, ofAttacker)
      return async () => {
        const tab = openTab(server)
        await tab.call(createSession, { email, password: ofAttacker })
        return tab
      }
    },
    'with a reset link that E made earlier': async (email) => {
      const { link, staff_id } = await invite(adminOfE, e.corp_id, email, 'viewer')
      await choose(link, password)
      const reset = (await adminOfE.call(resetColleague, { corp_id: e.corp_id, staff_id })).data
      return async () => {
        const tab = openTab(server)
        await choose(reset.link, ofAttacker, tab)
        return tab
      }
    },
  }

  test.each(Object.entries(attacks))('%s', async (_, prepare) => {
    const email = `head-${newId()}@l.example`
    const attack = await prepare(email)
    const invited = await invite(adminOfL, l.corp_id, email, 'admin')
    const attacker = await attack()
    expect(await reaches(attacker, l), 'E reads the users of L').toBe(false)
    expect(await reaches(attacker, e)).toBe(true)

    expect(invited.link).toEqual(expect.any(String))
    const head = openTab(server)
    await choose(invited.link, password, head)
    expect(await reaches(head, l)).toBe(true)
    expect(await reaches(head, e)).toBe(false)
    // Later actions of E end nothing of L either.
    const again = (await adminOfE.call(listStaff, { corp_id: e.corp_id })).data.list.find(
      (each: { email: string }) => each.email === email,
    )
    const { link } = (await adminOfE.call(resetColleague, { corp_id: e.corp_id, staff_id: again.staff_id }))
      .data
    await choose(link, 'another of E alone')
    expect((await head.call(fetchSession)).code).toBe(0)
  })
})

test('E learns nothing about a person of L whom it invites, and L is not affected', async () => {
  const email = `finance-${newId()}@l.example`
  const { link, staff_id } = await invite(adminOfL, l.corp_id, email, 'finance', 'Her Real Name')
  const tab = openTab(server)
  await choose(link, password, tab)

  const invited = await invite(adminOfE, e.corp_id, email, 'viewer', 'Typed by E')
  expect(invited).toMatchObject({ name: 'Typed by E', is_active: false, link: expect.any(String) })
  expect(invited.staff_id).not.toBe(staff_id)
  await openTab(server).call(createSession, { email, password })
  await openTab(server).call(createSession, { email, password: 'a wrong one' })
  const seenByE = JSON.stringify([
    (await adminOfE.call(listStaff, { corp_id: e.corp_id })).data,
    (await adminOfE.call(listAudit, { corp_id: e.corp_id, page_size: 1000 })).data,
  ])
  expect(seenByE).not.toContain('Her Real Name')
  expect(seenByE).not.toContain(staff_id)
  const { rows } = await server.database.superuser.query(
    `select record_type from audit_entries where corp_id = $1 and record_id = $2
        and record_type in ('staff_sessions', 'failed_sign_ins')`,
    [e.corp_id, invited.staff_id],
  )
  expect(rows).toEqual([])

  const reset = await adminOfL.call(resetColleague, { corp_id: l.corp_id, staff_id })
  expect(reset.data.link).toEqual(expect.any(String))
  expect((await tab.call(fetchSession)).code).toBe(0)
})

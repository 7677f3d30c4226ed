import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hireStaff, type TestColleague } from '../../../test/harness/staff.ts'
import { createAccount } from '../../access/organizations/manage-accounts.ts'
import { inviteColleague, listStaff } from '../../access/staff/colleagues.ts'
import { issueToken } from '../../access/tokens/issue-token.ts'
import { signatureOf } from '../../access/tokens/signature.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { newId } from '../../contract/new-id.ts'
import { createUser } from '../../people/users/create-user.ts'
import { listUsers } from '../../people/users/list-users.ts'
import { endOldApiSecret, rotateApiAccount } from './api-account-secrets.ts'
import {
  createApiAccount,
  disableApiAccount,
  enableApiAccount,
  listApiAccounts,
  updateApiAccount,
} from './api-accounts.ts'
import { fetchOrganization, updateOrganization } from './organization-settings.ts'

let server: TestServer
let school: TestOrganization
let other: TestOrganization
let admin: TestColleague
let counsellor: TestColleague
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server)
  other = await openOrganization(server)
  admin = await hireStaff(server, school.corp_id, 'admin')
  counsellor = await hireStaff(server, school.corp_id, 'counsellor')
})
afterAll(() => server?.close())

describe('the settings of an organization', () => {
  test('change only if they are sent, and 0 removes a rule', async () => {
    const before = (await admin.call(fetchOrganization)).data
    const change = {
      name: 'Lakeside',
      pools: ['alive', 'dead', 'public', 'later'],
      most_held: 5,
      idle_days: 30,
    }
    expect((await admin.call(updateOrganization, change)).data).toEqual({ ...before, ...change })
    expect((await admin.call(updateOrganization, { most_held: 0 })).data).toMatchObject({
      ...{ name: 'Lakeside', most_held: null, idle_days: 30 },
    })
    expect((await counsellor.call(fetchOrganization)).data).toMatchObject({ name: 'Lakeside' })
  })

  test('events are kept for 90 days by default, or for 7 to 730 days', async () => {
    expect((await admin.call(fetchOrganization)).data.event_days).toBe(90)
    expect((await admin.call(updateOrganization, { event_days: 30 })).data.event_days).toBe(30)
    expect((await admin.call(fetchOrganization)).data.event_days).toBe(30)
    for (const event_days of [6, 731])
      expect(await admin.call(updateOrganization, { event_days })).toMatchObject({ code: 40002 })
    expect((await admin.call(updateOrganization, { name: 'Lakeside' })).data.event_days).toBe(30)
  })

  test('refuse to remove a pool with users', async () => {
    await school.call(createUser, { area_code: '86', mobile: '13811110000' })
    const answer = await admin.call(updateOrganization, { name: 'Other', pools: ['alive'] })
    expect(answer).toMatchObject({
      code: 40002,
      msg: expect.stringMatching(/The pool public cannot be removed/),
    })
    expect((await admin.call(fetchOrganization)).data.name).not.toBe('Other')
    expect((await admin.call(updateOrganization, { country: 'ZZ' })).code).toBe(40002)
  })
})

describe('API accounts', () => {
  const made = async () =>
    (await admin.call(createApiAccount, { name: 'Portal', permissions: ['read'] })).data
  const storedAccount = async (app_id: string) =>
    (
      await server.database.superuser.query(
        `select a::text, (select array_agg(s::text order by s.secret_id) from account_secrets s where s.app_id = a.app_id)
           from accounts a where a.app_id = $1`,
        [app_id],
      )
    ).rows
  const codeOf = async (token: string) =>
    (await server.call(listUsers, { corp_id: school.corp_id }, { token })).code

  test('are created with a valid secret, for this organization only', async () => {
    const account = await made()
    const token = await server.tokenOf(account)
    expect(await codeOf(token)).toBe(0)
    expect((await server.call(listUsers, { corp_id: other.corp_id }, { token })).code).toBe(40301)
    const { list } = (await admin.call(listApiAccounts)).data
    expect(list.map(({ app_id }: { app_id: string }) => app_id)).toEqual([
      school.account.app_id,
      account.app_id,
    ])
    expect(JSON.stringify(list)).not.toContain(account.user_api_secret)
  })

  test('issue eight tokens to eight processes within one second, unless another rule was chosen', async () => {
    const renewedBy = async (wanted: object) => {
      const { data } = await admin.call(createApiAccount, { name: 'Portal', ...wanted })
      const time_stamp = String(Math.floor(Date.now() / 1000))
      const signature = signatureOf(data.app_id, time_stamp, data.user_api_secret)
      const input = { app_id: data.app_id, time_stamp, signature }
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => server.call(issueToken, input, { token: null })),
      )
      return answers.map(({ code }) => code).toSorted()
    }
    expect(await renewedBy({})).toEqual(Array(8).fill(0))
    expect(await renewedBy({ time_stamps: 'recent' })).toEqual(Array(8).fill(0))
    expect(await renewedBy({ time_stamps: 'once' })).toEqual([0, ...Array(7).fill(40106)])
  })

  test('lose the tokens of an ended secret', async () => {
    const account = await made()
    const { app_id } = account
    const token = await server.tokenOf(account)
    expect(await codeOf(token)).toBe(0)
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    const second = (await admin.call(rotateApiAccount, { app_id, keep_old_until: day })).data
    const ofSecond = await server.tokenOf(second)
    server.forgetAccounts()
    expect([await codeOf(token), await codeOf(ofSecond)]).toEqual([0, 0])
    await admin.call(endOldApiSecret, { app_id })
    server.forgetAccounts()
    expect([await codeOf(token), await codeOf(ofSecond)]).toEqual([40104, 0])
    const third = (await admin.call(rotateApiAccount, { app_id })).data
    server.forgetAccounts()
    expect([await codeOf(ofSecond), await codeOf(await server.tokenOf(third))]).toEqual([40104, 0])
  })

  test('are rotated, disabled and enabled', async () => {
    const account = await made()
    const token = await server.tokenOf(account)
    const { user_api_secret } = (await admin.call(rotateApiAccount, { app_id: account.app_id })).data
    await expect(server.tokenOf(account)).rejects.toThrow('40105')
    await server.tokenOf({ ...account, user_api_secret })
    expect((await admin.call(disableApiAccount, { app_id: account.app_id })).data.is_disabled).toBe(true)
    server.forgetAccounts()
    expect(await codeOf(token)).toBe(40104)
    await admin.call(enableApiAccount, { app_id: account.app_id })
    server.forgetAccounts()
    expect(await codeOf(token)).toBe(40104)
    expect(await codeOf(await server.tokenOf({ ...account, user_api_secret }))).toBe(0)
  })

  test('have two secrets during a rotation, until the old one is ended', async () => {
    const account = (await admin.call(createApiAccount, { name: 'Portal' })).data
    const { app_id } = account
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    const rotation = { app_id, keep_old_until: day, expires_on: '2999-12-31' }
    const { data } = await admin.call(rotateApiAccount, rotation)
    expect(data.secrets).toMatchObject([
      { expires_at: expect.stringMatching(/^3000-01-01|^2999-12-31/) },
      { expires_at: expect.stringContaining(' ') },
    ])
    const renewed = { ...account, user_api_secret: data.user_api_secret }
    for (const each of [account, renewed]) expect(await server.tokenOf(each)).toBeTruthy()
    expect((await admin.call(endOldApiSecret, { app_id })).data.secrets).toHaveLength(1)
    await expect(server.tokenOf(account)).rejects.toThrow('40105')
    expect(await server.tokenOf(renewed)).toBeTruthy()
    for (const keep_old_until of ['never', '2020-01-01', '2999-02-30', 'soon'])
      expect((await admin.call(rotateApiAccount, { app_id, keep_old_until })).code).toBe(40002)
    expect(await server.tokenOf(renewed)).toBeTruthy()
  })

  test('change only the settings that are sent: expiry, networks, rate limit, permissions', async () => {
    const account = await made()
    const { app_id, user_api_secret: _, ...before } = account
    const change = { allowed_networks: ['198.51.100.0/24'], signs_money: true, time_stamps: 'once' }
    const more = { expires_on: '2999-12-31', rate_limit_per_minute: 0, permissions: ['write', 'finance'] }
    const { data, msg } = await admin.call(updateApiAccount, { app_id, ...change, ...more })
    expect(data, msg).toMatchObject({
      ...{ ...before, ...change, app_id },
      ...{ permissions: ['write', 'finance'], rate_limit_per_minute: null },
      expires_at: expect.stringMatching(/^3000-01-01|^2999-12-31/),
    })
    const lifted = { expires_on: 'never', allowed_networks: [], signs_money: false, time_stamps: 'any' }
    const back = { ...lifted, rate_limit_per_minute: 60_000, permissions: ['read'] }
    expect((await admin.call(updateApiAccount, { app_id, ...back })).data).toEqual({ app_id, ...before })
    for (const bad of [
      { allowed_networks: ['everywhere'] },
      { expires_on: '2020-01-01' },
      { permissions: [] },
      { permissions: ['admin'] },
    ])
      expect((await admin.call(updateApiAccount, { app_id, signs_money: true, ...bad })).code).toBe(40002)
    const { list } = (await admin.call(listApiAccounts)).data
    expect(list.find((each: { app_id: string }) => each.app_id === app_id)).toEqual({ app_id, ...before })
    expect((await counsellor.call(updateApiAccount, { app_id, signs_money: true })).code).toBe(40303)
  })

  test('are refused from other networks', async () => {
    const account = await made()
    const { app_id } = account
    const token = await server.tokenOf(account)
    await admin.call(updateApiAccount, { app_id, allowed_networks: ['198.51.100.7'] })
    server.forgetAccounts()
    expect(await codeOf(token)).not.toBe(0)
    await admin.call(updateApiAccount, { app_id, allowed_networks: [] })
    server.forgetAccounts()
    expect(await codeOf(token)).toBe(0)
  })

  /** Every operation on one account, with input that would change it. */
  const changes: [Endpoint, Record<string, unknown>][] = [
    [updateApiAccount, { signs_money: true, permissions: ['read'], allowed_networks: ['198.51.100.7'] }],
    [rotateApiAccount, {}],
    [rotateApiAccount, { keep_old_until: '2999-12-31' }],
    [endOldApiSecret, {}],
    [disableApiAccount, {}],
    [enableApiAccount, {}],
  ]

  test('of other organizations look missing and do not change', async () => {
    const before = await storedAccount(other.account.app_id)
    for (const [change, input] of changes) {
      const answers = await Promise.all(
        [other.account.app_id, newId()].map((app_id) => admin.call(change, { app_id, ...input })),
      )
      for (const { code, data } of answers)
        expect({ code, data: { ...data, request_id: '' } }, change.id).toEqual({
          code: 40425,
          data: { request_id: '', errors: [] },
        })
    }
    expect(await storedAccount(other.account.app_id)).toEqual(before)
  })

  test('of several organizations cannot be changed by an administrator of one of them', async () => {
    const corp_ids = [school.corp_id, other.corp_id]
    const wanted = { name: 'Both', corp_ids, expires_at: new Date(Date.now() + 3_600_000) }
    const both = await createAccount(server.database.owner, testKeyring, wanted, new Date())
    const before = await storedAccount(both.app_id)
    for (const [change, input] of changes)
      expect((await admin.call(change, { app_id: both.app_id, ...input })).code, change.id).toBe(40904)
    expect(await storedAccount(both.app_id)).toEqual(before)
    expect(await codeOf(await server.tokenOf(both))).toBe(0)
  })

  test('of several organizations are listed with name, permissions and state only', async () => {
    const corp_ids = [school.corp_id, other.corp_id]
    const owned = { name: 'Sync', permissions: ['read'] }
    const details = { allowed_networks: ['198.51.100.7'], signs_money: true, time_stamps: 'once' }
    const wanted = { ...owned, ...details, corp_ids, expires_at: new Date(Date.now() + 3_600_000) }
    const { app_id } = await createAccount(server.database.owner, testKeyring, wanted, new Date())
    const answer = await admin.call(listApiAccounts)
    expect(answer.data.list.find((each: { app_id: string }) => each.app_id === app_id)).toEqual({
      ...{ ...owned, app_id, is_disabled: false, is_shared: true },
      ...{ rate_limit_per_minute: null, expires_at: '', allowed_networks: [], time_stamps: 'any' },
      ...{ signs_money: false, secrets: [] },
    })
    for (const told of [other.corp_id, '198.51.100.7']) expect(JSON.stringify(answer)).not.toContain(told)
  })

  test('and links show their secrets once: a replay by Idempotency-Key has none', async () => {
    const key = { 'Idempotency-Key': newId() }
    const first = await admin.call(createApiAccount, { name: 'Once' }, key)
    const again = await admin.call(createApiAccount, { name: 'Once' }, key)
    expect(first.data.user_api_secret).toMatch(/^[\w-]{32}$/)
    expect(again.data).toEqual({ ...first.data, user_api_secret: '' })
    const invitation = { email: `${newId()}@example.com`, name: 'New', role: 'viewer' }
    const { data } = await admin.call(inviteColleague, invitation, { 'Idempotency-Key': newId() })
    const { rows } = await server.database.superuser.query('select response from idempotency_keys')
    expect(rows.length).toBeGreaterThan(1)
    const kept = JSON.stringify(rows)
    for (const secret of [first.data.user_api_secret, data.link]) expect(kept).not.toContain(secret)
  })
})

test('all staff see the names of colleagues, and administrators their addresses', async () => {
  const { list } = (await counsellor.call(listStaff)).data
  expect(list.map(({ name }: { name: string }) => name)).toContain('A counsellor')
  expect(list.every(({ email }: { email: string }) => email === '')).toBe(true)
  expect((await admin.call(listStaff)).data.list[0].email).toMatch(/@/)
})

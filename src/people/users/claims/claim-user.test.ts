import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testKeyring } from '../../../../test/harness/keyring.ts'
import { atOnce, codesOf } from '../../../../test/harness/ledger.ts'
import { openOrganization, type TestOrganization } from '../../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../../test/harness/server.ts'
import { bulkUpdateUsers } from '../../../changes/bulk-edits/bulk-update.ts'
import { updateEmail } from '../../../changes/contacts/update-contact.ts'
import { mergeUsers } from '../../../changes/merging/merge-users.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { maintainOnce } from '../../../maintenance.ts'
import { createUser } from '../create-user.ts'
import { listUserHistory } from '../fetch-profile.ts'
import { createFollowUp, listFollowUps } from '../follow-ups/follow-ups.ts'
import { listUsers } from '../list-users.ts'
import { updateOwner } from '../update-owner.ts'
import { updatePool } from '../update-pool.ts'
import type { ClaimRules } from './claim-store.ts'
import { claimUser, releaseUser } from './claim-user.ts'
import { changeClaimRules } from './manage-claim-rules.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server.close())

const races = Number(process.env.MATRICULA_CLAIM_RACES ?? 12)
const dayMs = 86_400_000
/** For the long runs. */
const longMs = 3_600_000

async function openSchool(rules: Partial<ClaimRules> = {}): Promise<TestOrganization> {
  const school = await openOrganization(server, 'Asia/Shanghai')
  if (Object.keys(rules).length > 0) await changeClaimRules(server.database.owner, school.corp_id, rules)
  return school
}

let nextMobile = 13_000_000_000
async function makeUser(school: TestOrganization): Promise<string> {
  return (await school.call(createUser, { area_code: '86', mobile: String(nextMobile++) })).data.user_id
}

async function userOf(school: TestOrganization, user_id: string) {
  const { data } = await school.call(listUsers, { page_size: 1000 })
  return data.list.find((user: { user_id: string }) => user.user_id === user_id)
}

async function claimsOf(school: TestOrganization): Promise<Record<string, string>> {
  const { rows } = await server.database.superuser.query(
    'select user_id, owner_id from user_claims where corp_id = $1',
    [school.corp_id],
  )
  return Object.fromEntries(rows.map(({ user_id, owner_id }) => [user_id, owner_id]))
}

const maintainAt = (now: Date) =>
  maintainOnce(server.db, now, pino({ level: 'silent' }), new AbortController().signal, testKeyring)

test(`of 20 concurrent claims one wins, and the others get the name of the holder (${races} races)`, {
  timeout: longMs,
}, async () => {
  const school = await openSchool()
  for (let race = 0; race < races; race++) {
    const user_id = await makeUser(school)
    const answers = await atOnce(20, (n) => school.call(claimUser, { user_id, owner_id: `adviser-${n}` }))
    expect(codesOf(answers)).toEqual({ 0: 1, 40901: 19 })
    const winner = answers.find(({ code }) => code === 0)!.data.owner_id
    expect((await claimsOf(school))[user_id]).toBe(winner)
    for (const { code, msg, data } of answers) {
      expect(data.owner_id).toBe(winner)
      if (code !== 0) expect(msg).toContain(winner)
    }
    const { data } = await school.call(listUserHistory, { user_id })
    expect(data).toMatchObject({ total: 1, list: [{ event: 'claimed', owner_id: winner, version: 2 }] })
  }
})

describe('limits', () => {
  test(`are never exceeded by concurrent claims (${races} races)`, {
    timeout: longMs,
  }, async () => {
    const school = await openSchool({ most_held: 3, most_per_day: 5 })
    for (let race = 0; race < races; race++) {
      const owner_id = `adviser-${race}`
      const users = await atOnce(20, () => makeUser(school))
      const answers = await Promise.all(users.map((user_id) => school.call(claimUser, { user_id, owner_id })))
      expect(codesOf(answers)).toEqual({ 0: 3, 40904: 17 })
      const held = users.filter((_, n) => answers[n]!.code === 0)
      for (const user_id of held) await school.call(releaseUser, { user_id, owner_id })
      // Three of the five claims of today are used up. Ended claims count too.
      const again = await Promise.all(users.map((user_id) => school.call(claimUser, { user_id, owner_id })))
      expect(codesOf(again)).toEqual({ 0: 2, 40904: 18 })
    }
    const perOwner = Object.values(Object.groupBy(Object.values(await claimsOf(school)), (owner) => owner))
    for (const held of perOwner) expect(held!.length).toBeLessThanOrEqual(3)
  })

  test('per day start again with the day of the organization', async () => {
    const school = await openSchool({ most_per_day: 1 })
    const users = [await makeUser(school), await makeUser(school), await makeUser(school)]
    const claimAt = async (time: string, user_id: string | undefined) => {
      server.setNow(new Date(time))
      const token = await server.tokenOf(school.account)
      const input = { corp_id: school.corp_id, user_id, owner_id: 'a' }
      return (await server.call(claimUser, input, { token })).code
    }
    // Midnight in Shanghai is 16:00 UTC.
    const codes = [
      await claimAt('2027-03-01T15:00:00Z', users[0]),
      await claimAt('2027-03-01T15:59:00Z', users[1]),
      await claimAt('2027-03-01T16:01:00Z', users[1]),
      await claimAt('2027-03-01T17:00:00Z', users[2]),
    ]
    server.setNow(undefined)
    expect(codes).toEqual([0, 40904, 0, 40904])
  })

  test('block an owner that released the user, and no other', async () => {
    const school = await openSchool({ hold_off_days: 7 })
    const user_id = await makeUser(school)
    const claim = (owner_id: string) => school.call(claimUser, { user_id, owner_id })
    await claim('a')
    await school.call(releaseUser, { user_id, owner_id: 'a' })
    expect((await claim('a')).code).toBe(40904)
    expect((await claim('b')).code).toBe(0)
    await school.call(releaseUser, { user_id, owner_id: 'b' })
    await server.database.superuser.query(
      `update user_events set at = $2 where corp_id = $1 and owner_id = 'a'`,
      [school.corp_id, new Date(Date.now() - 7 * dayMs)],
    )
    expect((await claim('a')).code).toBe(0)
  })

  const leaving = (owner_id: string) => ({ owner_id, event_type: 'remove' })
  test.each([
    ['a move to public', [[updatePool, { pool: 'public' }]]],
    ['a move to another pool', [[updatePool, { pool: 'dead' }]]],
    ['the removal of the owner', [[updateOwner, leaving('a')]]],
    ['an edit of the pool of many', [[bulkUpdateUsers, { pool: 'public' }]]],
    ['an edit of the owners of many', [[bulkUpdateUsers, { remove_owner_ids: ['b', 'a'] }]]],
    [
      'a move, and the removal of the owner',
      [
        [updatePool, { pool: 'dead' }],
        [updateOwner, leaving('a')],
      ],
    ],
  ] as [string, [Endpoint, object][]][])('hold off an owner that lost a user by %s', async (_, ends) => {
    const school = await openSchool({ hold_off_days: 7 })
    const user_id = await makeUser(school)
    const call = (endpoint: Endpoint, input: object) =>
      school.call(endpoint, {
        user_id,
        ...(endpoint === bulkUpdateUsers && { user_ids: [user_id] }),
        ...input,
      })
    const claim = async (owner_id: string) => (await call(claimUser, { owner_id })).code
    await claim('a')
    for (const [endpoint, change] of ends) expect((await call(endpoint, change)).code).toBe(0)
    const { data } = await school.call(listUserHistory, { user_id })
    expect(data.list[1]).toMatchObject({ before: { holder_id: 'a' }, after: { holder_id: null } })
    await call(updatePool, { pool: 'public' })
    expect(await claim('a')).toBe(40904)
    expect(await claim('b')).toBe(0)
  })

  test('do not block an owner who never held the user', async () => {
    const school = await openSchool({ hold_off_days: 7 })
    const user_id = await makeUser(school)
    await school.call(updateOwner, { user_id, owner_id: 'a', event_type: 'add' })
    await school.call(updateOwner, { user_id, ...leaving('a') })
    expect((await school.call(claimUser, { user_id, owner_id: 'a' })).code).toBe(0)
  })

  test('block from the last end of a claim, on either of two merged users', async () => {
    const school = await openSchool({ hold_off_days: 7 })
    const [user_id, merged_user_id] = [await makeUser(school), await makeUser(school)]
    for (const one of [user_id, merged_user_id]) {
      await school.call(claimUser, { user_id: one, owner_id: 'a' })
      await school.call(releaseUser, { user_id: one, owner_id: 'a' })
    }
    await server.database.superuser.query(
      'update user_events set at = $3 where corp_id = $1 and user_id = $2',
      [school.corp_id, merged_user_id, new Date(Date.now() - 7 * dayMs)],
    )
    await school.call(mergeUsers, { user_id, merged_user_id })
    expect((await school.call(claimUser, { user_id, owner_id: 'a' })).code).toBe(40904)
  })

  test('do not count refused claims, which leave no trace', async () => {
    const school = await openSchool({ most_held: 1, most_per_day: 2 })
    const users = [await makeUser(school), await makeUser(school)]
    await school.call(claimUser, { user_id: users[0], owner_id: 'a' })
    for (let n = 0; n < 5; n++)
      expect((await school.call(claimUser, { user_id: users[1], owner_id: 'a' })).code).toBe(40904)
    await school.call(releaseUser, { user_id: users[0], owner_id: 'a' })
    expect((await school.call(claimUser, { user_id: users[1], owner_id: 'a' })).code).toBe(0)
    const { data } = await school.call(listUserHistory, { user_id: users[1] })
    expect(data.total).toBe(1)
  })
})

describe('a user without follow-ups', () => {
  test('returns to the public pool exactly after the days of the rule, once with any number of servers', async () => {
    const school = await openSchool({ idle_days: 3 })
    const [idle, followed] = [await makeUser(school), await makeUser(school)]
    for (const user_id of [idle, followed]) await school.call(claimUser, { user_id, owner_id: 'a' })
    // As a parameter: a cluster computes no times in updates.
    await server.database.superuser.query('update user_claims set active_at = $2 where corp_id = $1', [
      school.corp_id,
      new Date(Date.now() - 3 * dayMs),
    ])
    await school.call(createFollowUp, { user_id: followed, content: 'Called', owner_id: 'a' })
    await maintainAt(new Date(Date.now() - 60_000))
    expect(Object.keys(await claimsOf(school))).toHaveLength(2)
    await atOnce(3, () => maintainAt(new Date()))
    expect(await claimsOf(school)).toEqual({ [followed]: 'a' })
    expect(await userOf(school, idle)).toMatchObject({ pool: 'public', owner_ids: [], holder_id: null })
    const { data } = await school.call(listUserHistory, { user_id: idle })
    expect(data.list.map(({ event }: { event: string }) => event)).toEqual(['claimed', 'returned'])
    expect(data.list[1]).toMatchObject({
      executor_id: null,
      owner_id: 'a',
      before: { owner_ids: ['a'], pool: 'alive' },
      after: { owner_ids: [], pool: 'public' },
    })
    await maintainAt(new Date(Date.now() + 2 * dayMs))
    expect(await claimsOf(school)).toEqual({ [followed]: 'a' })
    await maintainAt(new Date(Date.now() + 3 * dayMs + 60_000))
    expect(await claimsOf(school)).toEqual({})
  })

  test('stays if the organization has no such rule', async () => {
    const school = await openSchool()
    const user_id = await makeUser(school)
    await school.call(claimUser, { user_id, owner_id: 'a' })
    await maintainAt(new Date(Date.now() + 10_000 * dayMs))
    expect(await claimsOf(school)).toEqual({ [user_id]: 'a' })
  })
})

test('a repeated claim of the holder succeeds, and a user outside the public pool cannot be claimed', async () => {
  const school = await openSchool()
  const user_id = await makeUser(school)
  for (let n = 0; n < 2; n++)
    expect((await school.call(claimUser, { user_id, owner_id: 'a' })).data).toEqual({
      ...{ user_id, owner_id: 'a', pool: 'alive' },
    })
  await school.call(updatePool, { user_id, pool: 'dead' })
  expect(await school.call(claimUser, { user_id, owner_id: 'b' })).toMatchObject({
    code: 40904,
    msg: expect.stringContaining('dead'),
    data: { allowed: ['move the user to public'] },
  })
})

test('only the holder releases a user, idempotently', async () => {
  const school = await openSchool()
  const user_id = await makeUser(school)
  await school.call(claimUser, { user_id, owner_id: 'a' })
  expect(await school.call(releaseUser, { user_id, owner_id: 'b' })).toMatchObject({
    code: 40904,
    data: { owner_id: 'a' },
  })
  for (let n = 0; n < 2; n++)
    expect((await school.call(releaseUser, { user_id, owner_id: 'a' })).data).toEqual({
      user_id,
      pool: 'public',
    })
  expect(await userOf(school, user_id)).toMatchObject({ pool: 'public', owner_ids: [], holder_id: null })
})

test.each([
  ['moved to another pool', updatePool, { pool: 'public' }],
  ['taken from its owner', updateOwner, { owner_id: 'a', event_type: 'remove' }],
])('a user that is %s is held no more', async (_, endpoint, change) => {
  const school = await openSchool({ most_held: 1 })
  const user_id = await makeUser(school)
  await school.call(claimUser, { user_id, owner_id: 'a' })
  await school.call(endpoint, { user_id, ...change })
  expect(await claimsOf(school)).toEqual({})
  const other = await makeUser(school)
  expect((await school.call(claimUser, { user_id: other, owner_id: 'a' })).code).toBe(0)
})

test('every move of a user is in its history, with author, time, before and after; a call without a change is not', async () => {
  const school = await openSchool()
  const user_id = await makeUser(school)
  const moves: [unknown, Record<string, unknown>][] = [
    [updateOwner, { owner_id: 'a', event_type: 'add' }],
    [updateOwner, { owner_id: 'a', event_type: 'add' }],
    [updatePool, { pool: 'public' }],
    [updateEmail, { email: 'x@example.com' }],
    [updateEmail, { email: 'x@example.com' }],
    [claimUser, { owner_id: 'b' }],
    [releaseUser, { owner_id: 'b' }],
    [updateOwner, { owner_id: 'a', event_type: 'remove' }],
    [updatePool, { pool: 'dead' }],
  ]
  for (const [endpoint, input] of moves)
    expect((await school.call(endpoint as never, { user_id, ...input })).code).toBe(0)
  const { data } = await school.call(listUserHistory, { user_id })
  expect(
    data.list.map(({ event, version, before, after }: Record<string, unknown>) => [
      event,
      version,
      before,
      after,
    ]),
  ).toEqual([
    ['owner_added', 2, { owner_ids: [] }, { owner_ids: ['a'] }],
    ['email_changed', 3, { email: null }, { email: 'x@example.com' }],
    ['claimed', 4, { owner_ids: ['a'], pool: 'public' }, { owner_ids: ['a', 'b'], pool: 'alive' }],
    ['released', 5, { owner_ids: ['a', 'b'], pool: 'alive' }, { owner_ids: ['a'], pool: 'public' }],
    ['owner_removed', 6, { owner_ids: ['a'] }, { owner_ids: [] }],
    ['pool_changed', 7, { pool: 'public' }, { pool: 'dead' }],
  ])
  expect(data.total).toBe(6)
  for (const { executor_id, time } of data.list) {
    expect(executor_id).toMatch(/^\w+$/)
    expect(time).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  }
  const page = await school.call(listUserHistory, { user_id, page: 1, page_size: 4 })
  expect(page.data).toMatchObject({ total: 6, list: [{ version: 6 }, { version: 7 }] })
})

test('follow-ups are listed in the order of recording', async () => {
  const school = await openSchool()
  const user_id = await makeUser(school)
  for (const content of ['First\nline', 'Second']) await school.call(createFollowUp, { user_id, content })
  const { data } = await school.call(listFollowUps, { user_id })
  expect(data).toMatchObject({
    total: 2,
    list: [{ content: 'First\nline', owner_id: null }, { content: 'Second' }],
  })
})

test('rules are integers from one on, or none, and omitted ones stay', async () => {
  const school = await openSchool({ most_held: 3, idle_days: 5 })
  const { owner } = server.database
  await expect(changeClaimRules(owner, school.corp_id, { most_held: 0 })).rejects.toThrow(/whole number/)
  await expect(changeClaimRules(owner, school.corp_id, { idle_days: Number.NaN })).rejects.toThrow(
    /whole number/,
  )
  await expect(changeClaimRules(owner, 'nowhere', { most_held: 1 })).rejects.toThrow(/no organization/)
  expect(await changeClaimRules(owner, school.corp_id, { most_held: null })).toEqual({
    ...{ most_held: null, most_per_day: null, hold_off_days: null, idle_days: 5, reveals_per_hour: 60 },
  })
})

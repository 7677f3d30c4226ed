import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok } from '../../../test/harness/expect-success.ts'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { createUser } from '../users/create-user.ts'
import { fetchUser } from '../users/fetch-profile.ts'
import { listFollowUps } from '../users/follow-ups/follow-ups.ts'
import { fetchLead } from './fetch-lead.ts'
import { takeLead } from './take-lead.ts'

let server: TestServer
let school: TestOrganization
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server)
})
afterAll(() => server?.close())

const call = { area_code: '86', mobile: '13800000001', utm_source: 'phone', course_code: 'EMBA' }

test('a lead by phone has its user, source, course, adviser and note', async () => {
  const input = {
    ...call,
    name: 'Mei',
    note: 'Asked for fees',
    owner_id: 'anna',
    next_time: '2027-01-05 09:00:00',
  }
  const taken = await ok(school.call(takeLead, input))
  expect(taken).toMatchObject({ is_user_exists: false, is_owner_set: true })
  const { user_id, lead_id, follow_up_id } = taken
  expect(await ok(school.call(fetchLead, { lead_id }))).toMatchObject({
    ...{ user_id, utm_source: 'phone', course_code: 'EMBA' },
  })
  expect(await ok(school.call(fetchUser, { user_id }))).toMatchObject({
    ...{ name: 'Mei', owner_ids: ['anna'], pool: 'alive' },
  })
  const { list } = await ok(school.call(listFollowUps, { user_id }))
  expect(list).toMatchObject([
    { follow_up_id, content: 'Asked for fees', owner_id: 'anna', next_time: '2027-01-05 09:00:00' },
  ])
  const again = await ok(school.call(takeLead, call))
  expect(again).toMatchObject({ user_id, is_user_exists: true, follow_up_id: '' })
  expect(again.lead_id).not.toBe(lead_id)
})

test('a new person without an adviser waits in the public pool', async () => {
  const { user_id } = await ok(school.call(takeLead, { ...call, mobile: '13800000002' }))
  expect(await ok(school.call(fetchUser, { user_id }))).toMatchObject({ owner_ids: [], pool: 'public' })
})

test('an invalid mobile number, and a next call without a note, are refused', async () => {
  const refused = await school.call(takeLead, {
    ...call,
    mobile: '1380000',
    next_time: '2027-01-05 09:00:00',
  })
  expect(refused.code).toBe(40002)
  expect(refused.data.errors.map(({ param }: { param: string }) => param).sort()).toEqual([
    'mobile',
    'next_time',
  ])
})

test('a refused note leaves no lead', async () => {
  const mobile = '13800000009'
  expect((await school.call(takeLead, { ...call, mobile, note: '\u0000' })).code).toBe(40002)
  expect((await ok(school.call(createUser, { area_code: '86', mobile }))).is_user_exists).toBe(false)
})

import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hire } from '../../../test/harness/staff.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { maintainOnce } from '../../maintenance.ts'
import { createUser } from '../../people/users/create-user.ts'
import { describeOrganization } from './describe-organization.ts'
import { fetchUsage } from './fetch-usage.ts'
import { changeQuotas } from './manage-quotas.ts'
import { findCorpIdsToMeasure, noQuotas } from './usage-store.ts'

let server: TestServer
let school: TestOrganization
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server)
})
afterAll(() => server?.close())

const log = pino({ level: 'silent' })
const day = new Date('2027-03-01T10:00:00Z')
const usedUp = 40311
const people = async () => {
  const { rows } = await server.database.superuser.query('select count(*)::int as people from users')
  return rows[0].people
}

/** The background work of a server, once. */
async function round(now: Date): Promise<void> {
  server.setNow(now)
  await server.usage.flush(now)
  await maintainOnce(server.db, now, log, new AbortController().signal, testKeyring)
  server.forgetAccounts()
}

/** With a token of the server's clock. */
const call = async (endpoint: Endpoint, input = {}) => {
  const token = await server.tokenOf(school.account)
  return server.call(endpoint, { corp_id: school.corp_id, ...input }, { token })
}

/** Sessions begin at the real time. */
async function describeAsStaff(now: Date): Promise<number> {
  const { corp_id } = school
  server.setNow(undefined)
  const { tab } = await hire(server, 'viewer', corp_id)
  const { code } = await tab.call(describeOrganization, { corp_id })
  server.setNow(now)
  return code
}

const quota = (wanted: Partial<typeof noQuotas>) =>
  changeQuotas(server.database.owner, school.corp_id, wanted, day)
const later = (minutes: number) => new Date(day.getTime() + minutes * 60_000)

test('calls are counted in memory, and rows in the background, without idle work', async () => {
  await round(day)
  expect(await findCorpIdsToMeasure(server.db.everyOrganization, day)).toEqual([])
  // Nothing is reported before the first measure.
  expect((await call(fetchUsage)).data).toMatchObject({
    used: { rows: null, bytes: null },
    measured_at: null,
  })
  await call(createUser, { email: 'wren@birds.example' })
  await call(describeOrganization)
  await describeAsStaff(day)
  await round(day)
  const { data } = await call(fetchUsage)
  expect(data).toMatchObject({
    used: { calls_per_day: 3, imports_per_day: 0 },
    quotas: noQuotas,
    used_up: [],
    measured_at: day.toISOString(),
    rows_by_table: { users: 1, staff: 1 },
    days: [{ day: '2027-03-01', program_calls: 3, staff_calls: 1 }],
  })
  // Within the hour it is not measured again.
  await call(createUser, { email: 'rook@birds.example' })
  await round(later(1))
  expect((await call(fetchUsage)).data.rows_by_table.users).toBe(1)
  await round(later(61))
  expect((await call(fetchUsage)).data.rows_by_table.users).toBe(2)
})

test('a quota of rows refuses calls that add rows, and changes nothing; a higher one allows them again', async () => {
  const rows = (await call(fetchUsage)).data.used.rows
  await quota({ rows })
  await round(later(62))
  const before = await people()
  expect(await call(createUser, { email: 'crow@birds.example' })).toMatchObject({
    code: usedUp,
    msg: 'The organization has used up its quota rows.',
  })
  expect(await people()).toBe(before)
  expect((await call(fetchUsage)).data.used_up).toEqual(['rows'])
  expect((await call(describeOrganization)).code).toBe(0)
  await quota({ rows: rows + 1000 })
  await round(later(63))
  expect((await call(createUser, { email: 'crow@birds.example' })).code).toBe(0)
})

test('a quota of calls refuses programs until the next day, and no staff', async () => {
  await quota({ rows: null, calls_per_day: 5 })
  await round(later(64))
  expect((await call(describeOrganization)).code).toBe(usedUp)
  expect((await call(fetchUsage)).data).toMatchObject({ used_up: ['calls_per_day'] })
  expect(await describeAsStaff(later(64))).toBe(0)
  await round(new Date('2027-03-02T00:00:10Z'))
  expect((await call(describeOrganization)).code).toBe(0)
})

test('a quota is a whole number above 0, or none', async () => {
  for (const wrong of [0, -1, 1.5, Number.NaN])
    await expect(quota({ rows: wrong })).rejects.toThrow('must be a whole number')
  expect(await quota({ calls_per_day: null })).toEqual(noQuotas)
})

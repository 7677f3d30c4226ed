import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { newId } from '../../contract/new-id.ts'
import { createUser } from '../users/create-user.ts'
import { fetchProfile, listUserHistory } from '../users/fetch-profile.ts'
import { fetchLead } from './fetch-lead.ts'
import { importLead, importLeads } from './import-leads.ts'
import { listLeads } from './list-leads.ts'

let server: TestServer
let school: TestOrganization
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server.close())

const person = (n: number) => ({ area_code: '86', mobile: String(13_800_000_000 + n) })

async function openSchool(): Promise<TestOrganization> {
  school = await openOrganization(server, 'Asia/Shanghai')
  return school
}

async function count(table: string): Promise<number> {
  const { rows } = await server.database.superuser.query(
    `select count(*)::int as count from ${table} where corp_id = $1`,
    [school.corp_id],
  )
  return rows[0].count
}

describe('a batch', () => {
  test('has an outcome for every lead, in order; an invalid one does not affect the others', async () => {
    await openSchool()
    const { user_id } = (await school.call(createUser, person(1))).data
    await school.call(importLead, { ...person(9), entry_id: 'taken' })
    const leads = [
      { ...person(2), name: 'Ann', entry_id: 'e-1' },
      { name: 'nobody' },
      { user_id },
      { user_id: newId() },
      { ...person(3), city: 7 },
      { ...person(4), entry_id: 'taken' },
      { ...person(2), mobile: 'abc' },
      { ...person(5), area_code: '999' },
      { user_id, ...person(2) },
      { ...person(2), name: 'Ann', entry_id: 'e-1' },
    ]
    const { code, data } = await school.call(importLeads, { leads })
    expect(code).toBe(0)
    expect(data.list.map((row: { index: number; code: number }) => [row.index, row.code])).toEqual([
      [0, 0],
      [1, 40001],
      [2, 0],
      [3, 40401],
      [4, 40002],
      [5, 40901],
      [6, 40002],
      [7, 40002],
      [8, 40901],
      [9, 0],
    ])
    expect(data.list[0].lead_id).toBe(data.list[9].lead_id)
    expect(data.list[2]).toMatchObject({ user_id, msg: 'success' })
    expect(data.list[1]).toMatchObject({
      lead_id: null,
      user_id: null,
      msg: expect.stringContaining('user_id'),
    })
    const { data: taken } = await school.call(importLead, { ...person(4), entry_id: 'taken' })
    expect(data.list[5].lead_id).toBe(taken.lead_id)
    expect(await count('leads')).toBe(3)
    expect(await count('users')).toBe(3)
  })

  test('has the same outcome for each lead as leads/import', async () => {
    await openSchool()
    const leads = [
      { name: 'nobody' },
      { ...person(1), form1_value: 5 },
      { area_code: '86', mobile: '1'.repeat(15) },
    ]
    const { data } = await school.call(importLeads, { leads })
    for (const [n, lead] of leads.entries()) {
      const alone = await school.call(importLead, lead)
      expect(data.list[n]).toMatchObject({ code: alone.code, msg: alone.msg })
    }
  })

  test('repeated with the same entries returns the same leads and changes nothing', async () => {
    await openSchool()
    const leads = Array.from({ length: 200 }, (_, n) => ({
      ...person(n % 150),
      entry_id: `e-${n}`,
      name: `Name ${n}`,
    }))
    const first = await school.call(importLeads, { leads })
    const before = [await count('leads'), await count('users'), await count('facet_entries')]
    const again = await school.call(importLeads, { leads: leads.toReversed() })
    expect(again.data.list.map(({ lead_id }: { lead_id: string }) => lead_id).reverse()).toEqual(
      first.data.list.map(({ lead_id }: { lead_id: string }) => lead_id),
    )
    expect([await count('leads'), await count('users'), await count('facet_entries')]).toEqual(before)
    expect(before.slice(0, 2)).toEqual([200, 150])
    // An entry is the same alone and in a batch.
    expect((await school.call(importLead, leads[7]!)).data.lead_id).toBe(first.data.list[7].lead_id)
  })

  test('concurrent with others of the same people and entries, in any order, creates each once', async () => {
    await openSchool()
    const leads = Array.from({ length: 150 }, (_, n) => ({
      ...person(n % 60),
      entry_id: `e-${n}`,
      name: `Name ${n % 60}`,
      course_code: 'EMBA',
      owner_ids: [`owner-${n % 4}`],
    }))
    const orders = [leads, leads.toReversed(), leads.toSorted((a, b) => (a.name < b.name ? -1 : 1)), leads]
    const answers = await Promise.all(orders.map((each) => school.call(importLeads, { leads: each })))
    for (const { code, data } of answers) {
      expect(code).toBe(0)
      expect(data.list.filter((row: { code: number }) => row.code !== 0)).toEqual([])
    }
    expect([await count('leads'), await count('users')]).toEqual([150, 60])
    expect((await school.call(listLeads, { course_code: 'EMBA' })).data.total).toBe(150)
  })

  test('holds at most a thousand leads', async () => {
    await openSchool()
    const leads = Array.from({ length: 1001 }, (_, n) => person(n))
    expect((await school.call(importLeads, { leads })).code).toBe(40002)
    expect(await count('leads')).toBe(0)
    const { data } = await school.call(importLeads, { leads: leads.slice(1) })
    expect(data.list).toHaveLength(1000)
    expect(await count('users')).toBe(1000)
    expect((await school.call(importLeads, { leads: [] })).code).toBe(40002)
  })

  test('cannot name another organization in a lead', async () => {
    const elsewhere = await openOrganization(server)
    await openSchool()
    const { data } = await school.call(importLeads, { leads: [{ ...person(1), corp_id: elsewhere.corp_id }] })
    expect(data.list[0].code).toBe(0)
    expect(await count('leads')).toBe(1)
  })
})

test('a lead is returned with every field unchanged', async () => {
  await openSchool()
  const lead = {
    ...person(1),
    name: '林梅',
    ...{
      utm_source: 's',
      utm_medium: 'm',
      utm_campaign: 'c',
      utm_channel: 'ch',
      utm_keyword: 'k',
      utm_term: 't',
    },
    ...{ campaign: 'spring', is_corporate_training: true, entry_id: 'e', page_id: 'p', course_code: 'EMBA' },
    ...{ form1_name: 'q1', form1_value: 'a1', form4_name: 'q4', form4_value: 'a\n4' },
    ...{ bd_vid: 'v', company_name: 'C', work_exp: '3', job_title: 'j', department: 'd', city: '上海' },
    ...{ owner_ids: ['a', 'b'], oid: 'c' },
  }
  const { lead_id } = (await school.call(importLead, lead)).data
  const { data } = await school.call(fetchLead, { lead_id })
  expect(data).toMatchObject({ lead_id, ...lead, form2_name: '', corp_id: school.corp_id })
  expect((await school.call(listLeads)).data).toMatchObject({ total: 1, list: [data] })
})

test('the profile shows the first and the last touch, and null where there is none', async () => {
  await openSchool()
  const { user_id } = (await school.call(createUser, person(1))).data
  const none = (await school.call(fetchProfile, { user_id })).data
  expect(none).toMatchObject({ first_touch: null, last_touch: null })
  for (const n of [1, 2, 3]) await school.call(importLead, { user_id, utm_source: `s${n}`, name: 'Mei' })
  const { data } = await school.call(fetchProfile, { user_id })
  expect(data).toMatchObject({
    first_touch: { utm_source: 's1' },
    last_touch: { utm_source: 's3', campaign: '' },
  })
  // Rendered by the other statement, for a user without a name.
  const nameless = (await school.call(createUser, person(2))).data.user_id
  await school.call(importLead, { user_id: nameless, campaign: 'x' })
  expect((await school.call(fetchProfile, { user_id: nameless })).data).toMatchObject({
    last_touch: { campaign: 'x' },
  })
})

test('the history of a user shows the blanks that a lead filled and the owners that it added', async () => {
  await openSchool()
  const { user_id } = (await school.call(createUser, person(1))).data
  await school.call(importLead, { user_id, name: '林梅', city: '上海', owner_ids: ['a'] })
  await school.call(importLead, { user_id, name: 'Other', owner_ids: ['a'] })
  expect((await school.call(listUserHistory, { user_id })).data).toMatchObject({
    total: 1,
    list: [
      {
        event: 'filled',
        before: { name: null, city: null, owner_ids: [] },
        after: { name: '林梅', city: '上海', owner_ids: ['a'] },
      },
    ],
  })
})

describe('leads are listed', () => {
  test('by every filter alone and together, with exact totals', async () => {
    await openSchool()
    const values = ['x', 'y']
    const fields = [
      'utm_source',
      'utm_medium',
      'utm_campaign',
      'utm_channel',
      'utm_keyword',
      'utm_term',
      'campaign',
      'course_code',
    ] as const
    const leads = Array.from({ length: 64 }, (_, n) => ({
      ...person(n % 5),
      ...Object.fromEntries(fields.map((name, bit) => [name, values[(n >> (bit % 6)) & 1]])),
      owner_ids: [`owner-${n % 3}`],
      entry_id: `e-${n}`,
    }))
    const outcomes = (await school.call(importLeads, { leads })).data.list
    const matching = (wanted: object) =>
      leads.flatMap((lead, n) =>
        Object.entries(wanted).every(([name, value]) => lead[name as 'mobile'] === value) ? [`e-${n}`] : [],
      )
    const listed = async (query: Record<string, unknown>) => {
      const { data } = await school.call(listLeads, { page_size: 1000, ...query })
      expect(data.list).toHaveLength(data.total)
      return data.list.map(({ entry_id }: { entry_id: string }) => entry_id).sort()
    }
    for (const name of fields)
      expect(await listed({ [name]: 'x' }), name).toEqual(matching({ [name]: 'x' }).sort())
    const both = { utm_source: 'x', campaign: 'y' }
    expect(await listed(both)).toEqual(matching(both).sort())
    expect(await listed({ owner_id: 'owner-1' })).toEqual(
      leads.flatMap(({ owner_ids, entry_id }) => (owner_ids[0] === 'owner-1' ? [entry_id] : [])).sort(),
    )
    const { user_id } = outcomes[2]
    const ofUser = leads
      .flatMap(({ entry_id }, n) => (outcomes[n].user_id === user_id ? [entry_id] : []))
      .sort()
    expect(await listed({ user_id })).toEqual(ofUser)
    expect(await listed({ user_id, utm_source: 'nobody' })).toEqual([])
  })

  test('by their day of creation in the zone of the organization, page by page', async () => {
    await openSchool()
    for (const [time, entry_id] of [
      ['2027-03-01T15:59:59Z', 'first of March'],
      ['2027-03-01T16:00:00Z', 'second of March'],
      ['2027-03-02T15:59:59Z', 'second of March, late'],
      ['2027-03-02T16:00:00Z', 'third of March'],
    ]) {
      server.setNow(new Date(time!))
      const token = await server.tokenOf(school.account)
      await server.call(importLead, { corp_id: school.corp_id, ...person(1), entry_id }, { token })
    }
    server.setNow(undefined)
    const day = { start_date: '2027-03-02', end_date: '2027-03-02' }
    const entries = async (query: object) =>
      (await school.call(listLeads, { ...query })).data.list.map(
        ({ entry_id }: { entry_id: string }) => entry_id,
      )
    expect(await entries(day)).toEqual(['second of March', 'second of March, late'])
    expect(await entries({ ...day, page_size: 1, page: 1 })).toEqual(['second of March, late'])
    expect(await entries({ start_date: '2027-03-03' })).toEqual(['third of March'])
    expect(await entries({ end_date: '2027-03-01' })).toEqual(['first of March'])
  })
})

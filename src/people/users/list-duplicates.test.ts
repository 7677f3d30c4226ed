import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { updateEmail } from '../../changes/contacts/update-contact.ts'
import { importLead } from '../leads/import-leads.ts'
import { createUser } from './create-user.ts'
import { listDuplicates } from './list-duplicates.ts'

let server: TestServer
let school: TestOrganization
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server.close())

async function openSchool(): Promise<void> {
  school = await openOrganization(server)
}

interface Told {
  area_code?: string
  mobile?: string
  name?: string
  company_name?: string
  email?: string
}

let nextMobile = 13_100_000_000
async function meet(told: Told): Promise<string> {
  const { email, ...lead } = { area_code: '86', mobile: String(nextMobile++), ...told }
  await school.call(importLead, lead)
  const { user_id } = (await school.call(createUser, { area_code: lead.area_code, mobile: lead.mobile })).data
  if (email) expect((await school.call(updateEmail, { user_id, email })).code).toBe(0)
  return user_id
}

interface Pair {
  users: { user_id: string }[]
  reasons: string[]
  score: number
}

async function pairs(input: Record<string, unknown> = {}): Promise<Pair[]> {
  return (await school.call(listDuplicates, input)).data.list
}

describe('two users are alike', () => {
  const same: [string, Told, Told, string[], number][] = [
    [
      'one number with a zero in front',
      { mobile: '13800138000' },
      { mobile: '013800138000' },
      ['mobile'],
      95,
    ],
    [
      'one number with its code again',
      { mobile: '13800138000' },
      { mobile: '8613800138000' },
      ['mobile'],
      95,
    ],
    ['one mailbox', { email: 'a@example.com' }, { email: 'A+fair@Example.com' }, ['email'], 90],
    [
      'one name and company, written differently',
      { name: 'Mei LIN', company_name: 'Harbour Logistics, Ltd.' },
      { name: 'lin mei', company_name: 'HARBOUR LOGISTICS LTD' },
      ['name_and_company'],
      70,
    ],
    [
      'one name and the end of a number',
      { name: '王小明', mobile: '13800138000' },
      { name: '王小明', mobile: '13912348000' },
      ['name_and_mobile_tail'],
      60,
    ],
    [
      'all of it',
      { name: '王小明', company_name: 'C', mobile: '13800138000', email: 'a@example.com' },
      { name: '王小明', company_name: 'C', mobile: '013800138000', email: 'a+1@example.com' },
      ['email', 'mobile', 'name_and_company', 'name_and_mobile_tail'],
      99,
    ],
  ]
  test.each(same)('by %s', async (_, first, second, reasons, score) => {
    await openSchool()
    await meet({ name: 'Somebody else' })
    const ids = [await meet(first), await meet(second)]
    const found = await pairs()
    expect(found).toMatchObject([{ reasons, score }])
    expect(found[0]!.users.map(({ user_id }) => user_id)).toEqual(ids.toSorted())
    for (const user_id of ids) expect(await pairs({ user_id })).toEqual(found)
  })

  test.each<[string, Told, Told]>([
    ['one name', { name: '王小明' }, { name: '王小明' }],
    ['one company', { name: '王小明', company_name: 'C' }, { name: '王芳', company_name: 'C' }],
    [
      'the end of a number',
      { name: '王小明', mobile: '13800138000' },
      { name: '王芳', mobile: '13912348000' },
    ],
    ['one number in two countries', { mobile: '13800138000' }, { area_code: '49', mobile: '13800138000' }],
    ['no name and the end of a number', { mobile: '13800138000' }, { mobile: '13912348000' }],
    ['addresses of one beginning', { email: 'a@example.com' }, { email: 'a@example.org' }],
  ])('but not by %s alone', async (_, first, second) => {
    await openSchool()
    const ids = [await meet(first), await meet(second)]
    expect(await pairs()).toEqual([])
    for (const user_id of ids) expect(await pairs({ user_id })).toEqual([])
  })
})

test('a pair ends with the shared value', async () => {
  await openSchool()
  const user_id = await meet({ email: 'a@example.com' })
  await meet({ email: 'a+1@example.com' })
  expect(await pairs()).toHaveLength(1)
  await school.call(updateEmail, { user_id, email: 'b@example.com' })
  expect(await pairs()).toEqual([])
})

test('the highest scores come first, page by page, with the total', async () => {
  await openSchool()
  for (const n of [1, 2, 3]) {
    await meet({ name: `Name${n}`, company_name: 'C' })
    await meet({ name: `Name${n}`, company_name: 'C' })
  }
  await meet({ mobile: '13800138000' })
  await meet({ mobile: '013800138000' })
  const all = await pairs()
  expect(all.map(({ score }) => score)).toEqual([95, 70, 70, 70])
  for (const page_size of [1, 2, 3, 5])
    for (const page of [0, 1, 2, 3, 4]) {
      const { data } = await school.call(listDuplicates, { page, page_size })
      const list = all.slice(page * page_size, (page + 1) * page_size)
      expect(data).toEqual({ total: 4, page, page_size, list })
    }
})

test('a value that many share makes at most ten pairs', async () => {
  await openSchool()
  const ids: string[] = []
  for (let n = 0; n < 15; n++) ids.push(await meet({ name: '王小明', company_name: 'C' }))
  expect((await pairs({ user_id: ids[14], page_size: 1000 })).length).toBe(10)
})

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { createUser } from './create-user.ts'
import { fetchProfile, listUserHistory } from './fetch-profile.ts'
import { listUsers } from './list-users.ts'
import { updateUser } from './update-user.ts'
import { profileMembers } from './user-store.ts'

let server: TestServer
let school: TestOrganization
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server)
})
afterAll(() => server?.close())

let mobiles = 13_900_000_000
async function newUser(): Promise<string> {
  return (await school.call(createUser, { area_code: '86', mobile: String(mobiles++) })).data.user_id
}

test('only given members change, an empty text clears, and the history shows both', async () => {
  const shown = ['gender', 'city', 'company_name', 'job_title', 'department', 'industry'] as const
  const text = fc.constantFrom('', '上海', 'Harbour', 'O’Connor & Söhne')
  const edits = fc.array(
    fc.record(Object.fromEntries(shown.map((name) => [name, text])), { requiredKeys: [] }),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  await fc.assert(
    fc.asyncProperty(edits, async (edits) => {
      const user_id = await newUser()
      const expected: Record<string, string | null> = Object.fromEntries(shown.map((name) => [name, null]))
      let version = 1
      for (const edit of edits.filter((each) => Object.keys(each).length > 0)) {
        const isChange = Object.entries(edit).some(([name, value]) => (value || null) !== expected[name])
        for (const [name, value] of Object.entries(edit)) expected[name] = value || null
        if (isChange) version++
        expect((await school.call(updateUser, { user_id, ...edit })).data).toEqual({ user_id, version })
      }
      expect((await school.call(fetchProfile, { user_id })).data).toMatchObject(expected)
      const { data: history } = await school.call(listUserHistory, { user_id })
      expect(history.total).toBe(version - 1)
      const last = Object.assign({}, ...history.list.map(({ after }: { after: object }) => after))
      for (const [name, value] of Object.entries(last)) expect(expected[name]).toBe(value)
    }),
    { numRuns: 15 },
  )
})

test('the user is found by the new name, and not by the old one', async () => {
  const user_id = await newUser()
  await school.call(updateUser, { user_id, name: '欧阳小明' })
  const find = async (name: string) =>
    (await school.call(listUsers, { name })).data.list.map((user: { user_id: string }) => user.user_id)
  expect(await find('欧阳')).toContain(user_id)
  await school.call(updateUser, { user_id, name: 'Zoë Quill' })
  expect(await find('欧阳')).not.toContain(user_id)
  expect(await find('quill')).toEqual([user_id])
})

test('a version that is not the current one is 40902 and changes nothing', async () => {
  const user_id = await newUser()
  await school.call(updateUser, { user_id, version: 1, city: 'A' })
  expect(await school.call(updateUser, { user_id, version: 1, city: 'B' })).toMatchObject({ code: 40902 })
  expect((await school.call(fetchProfile, { user_id })).data.city).toBe('A')
  expect(await school.call(updateUser, { user_id, version: 2, city: 'B' })).toMatchObject({ code: 0 })
})

test('a call without members of the profile is 40002', async () => {
  const user_id = await newUser()
  expect(await school.call(updateUser, { user_id })).toMatchObject({ code: 40002 })
  expect(profileMembers).toContain('name')
})

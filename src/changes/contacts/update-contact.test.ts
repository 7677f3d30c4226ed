import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { createUser } from '../../people/users/create-user.ts'
import { fetchContact } from '../../people/users/fetch-contact.ts'
import { listUserHistory } from '../../people/users/fetch-profile.ts'
import { updateUser } from '../../people/users/update-user.ts'
import { mergeUsers } from '../merging/merge-users.ts'
import { listLeftAloneRecords, undoChanges } from '../undo/undo-changes.ts'
import { updateEmail, updateMobile } from './update-contact.ts'

let server: TestServer
let school: TestOrganization
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server)
})
afterAll(() => server?.close())

let mobiles = 13_900_000_000
const nextMobile = () => String(mobiles++)
async function newUser(mobile = nextMobile()): Promise<string> {
  return (await school.call(createUser, { area_code: '86', mobile })).data.user_id
}
const numberOf = async (user_id: string) =>
  (await school.call(fetchContact, { user_id, contact_type: 'mobile' })).data.value[1]

test('the user is found by a corrected number and not by the old one, and an undo restores it', async () => {
  const [old, mobile] = [nextMobile(), nextMobile()]
  const user_id = await newUser(old)
  const { data } = await school.call(updateMobile, { user_id, area_code: '86', mobile })
  expect(await numberOf(user_id)).toBe(mobile)
  const { data: history } = await school.call(listUserHistory, { user_id })
  expect(history.list).toMatchObject([
    { event: 'mobile_changed', version: 2, before: { mobile: old }, after: { mobile } },
  ])
  const undone = await school.call(undoChanges, { batch_id: data.batch_id })
  expect(undone.data).toMatchObject({ is_complete: true, restored: 1, left_alone: 0 })
  expect(await numberOf(user_id)).toBe(old)
  const again = await school.call(updateMobile, { user_id, area_code: '86', mobile: old })
  expect(again.data).toEqual({ user_id, batch_id: '' })
})

test('a number that another user has, or had before a merge, is refused, and the refusal names the user', async () => {
  const [taken, merged] = [nextMobile(), nextMobile()]
  const [user_id, other] = [await newUser(), await newUser(taken)]
  await school.call(mergeUsers, { user_id: other, merged_user_id: await newUser(merged) })
  for (const mobile of [taken, merged])
    expect(await school.call(updateMobile, { user_id, area_code: '86', mobile })).toMatchObject({
      code: 40901,
      data: { user_id: other, errors: [{ param: 'mobile' }] },
    })
})

test('of concurrent changes to one number, one succeeds and the others are refused', async () => {
  const mobile = nextMobile()
  const users = await Promise.all(Array.from({ length: 6 }, () => newUser()))
  const answers = await Promise.all(
    users.map((user_id) => school.call(updateMobile, { user_id, area_code: '86', mobile })),
  )
  expect(answers.map(({ code }) => code).sort()).toEqual([0, ...Array(5).fill(40901)])
})

test('an undo does not restore a number that another user has now, and reports it', async () => {
  const old = nextMobile()
  const user_id = await newUser(old)
  const change = { user_id, area_code: '86', mobile: nextMobile() }
  const { data } = await school.call(updateMobile, change)
  await school.call(mergeUsers, { user_id: await newUser(), merged_user_id: await newUser(old) })
  const { data: undo } = await school.call(undoChanges, { batch_id: data.batch_id })
  expect(undo).toMatchObject({ left_alone: 1 })
  expect(await numberOf(user_id)).toBe(change.mobile)
  const left = await school.call(listLeftAloneRecords, { batch_id: undo.batch_id })
  expect(left.data.list).toEqual([
    {
      record_type: 'users',
      record_id: user_id,
      reason: 'belongs to another user now',
      members: ['area_code', 'mobile'],
    },
  ])
})

test('an address is corrected and restored in the same way', async () => {
  const user_id = await newUser()
  await school.call(updateEmail, { user_id, email: 'first@example.com' })
  const { data } = await school.call(updateEmail, { user_id, email: 'second@example.com' })
  await school.call(undoChanges, { batch_id: data.batch_id })
  const { data: shown } = await school.call(fetchContact, { user_id, contact_type: 'email' })
  expect(shown.value).toEqual(['first@example.com'])
})

test('an invalid mobile number of its country is refused', async () => {
  const user_id = await newUser()
  for (const [area_code, mobile] of [
    ['86', '1390000'],
    ['86', '11111111111'],
    ['86', '01087654321'],
    ['1', '2'],
  ])
    expect((await school.call(updateMobile, { user_id, area_code, mobile })).code, mobile).toBe(40002)
})

test('user/update refuses and names members that it cannot change', async () => {
  const user_id = await newUser()
  const answer = await school.call(updateUser, { user_id, city: 'Wuxi', mobile: '13900000001', pool: 'dead' })
  expect(answer).toMatchObject({ code: 40002 })
  expect(answer.data.errors.map(({ param }: { param: string }) => param)).toEqual(['mobile', 'pool'])
})

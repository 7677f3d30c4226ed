import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hire } from '../../../test/harness/staff.ts'
import { newId } from '../../contract/new-id.ts'
import { inviteColleague, resetColleague, updateRole } from './colleagues.ts'
import { findGrantors } from './staff-store.ts'

let server: TestServer
let school: TestOrganization
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server)
})
afterAll(() => server?.close())

const grantorsOf = async (account_id: string) =>
  (await findGrantors(server.db.of(school.corp_id), school.corp_id, [account_id])).map(
    ({ granted_by }) => granted_by,
  )

test('an invitation, a reset and a role with more permissions grant access; the operator leaves no row', async () => {
  const { corp_id } = school
  const admin = () => hire(server, 'admin', corp_id)
  const admins = [await admin(), await admin(), await admin(), await admin()] as const
  const [inviting, resetting, promoting, demoting] = admins
  for (const { staff_id } of admins) expect(await grantorsOf(staff_id)).toEqual([])
  const wanted = { corp_id, email: `${newId()}@example.com`, name: 'X', role: 'finance' }
  const { staff_id } = (await inviting.tab.call(inviteColleague, wanted)).data
  expect(await grantorsOf(staff_id)).toEqual([inviting.staff_id])
  await demoting.tab.call(updateRole, { corp_id, staff_id, role: 'counsellor' })
  expect(await grantorsOf(staff_id)).toEqual([inviting.staff_id])
  await promoting.tab.call(updateRole, { corp_id, staff_id, role: 'finance' })
  for (let n = 0; n < 2; n++) await resetting.tab.call(resetColleague, { corp_id, staff_id })
  const all = [inviting, promoting, resetting].map((each) => each.staff_id)
  expect(await grantorsOf(staff_id)).toEqual(all.sort())
})

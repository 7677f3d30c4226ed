import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hireStaff, type TestColleague } from '../../../test/harness/staff.ts'
import { updateOrganization } from '../../backoffice/settings/organization-settings.ts'
import { exportUser } from '../../changes/erasure/lift-erasure.ts'
import { createUser } from './create-user.ts'
import { fetchContact } from './fetch-contact.ts'
import { updateOwner } from './update-owner.ts'

let server: TestServer
let school: TestOrganization
let admin: TestColleague
let counsellor: TestColleague
let user_id: string
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server?.close())
beforeEach(async () => {
  server.setNow(new Date())
  school = await openOrganization(server)
  admin = await hireStaff(server, school.corp_id, 'admin')
  counsellor = await hireStaff(server, school.corp_id, 'counsellor')
  user_id = (await school.call(createUser, { area_code: '86', mobile: '13800138000' })).data.user_id
  await school.call(updateOwner, { user_id, owner_id: counsellor.staff_id, event_type: 'add' })
})

const reveal = (by: TestColleague) => by.call(fetchContact, { user_id, contact_type: 'mobile' })

async function auditOf(staff_id: string) {
  const { rows } = await server.database.superuser.query<{
    action: string
    record_type: string
    entries: number
  }>(
    `select action, record_type, count(*)::int as entries from audit_entries
      where corp_id = $1 and actor_id = $2 group by 1, 2 order by 1, 2`,
    [school.corp_id, staff_id],
  )
  return rows.map(({ action, record_type, entries }) => `${action} ${record_type} ${entries}`)
}

describe('the reveals of a member of staff in an hour', () => {
  test('never exceed the limit with 200 concurrent calls, and the refusal is in the audit once', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => reveal(counsellor)))
    const codes = Object.entries(Object.groupBy(answers, ({ code }) => String(code)))
    expect(Object.fromEntries(codes.map(([code, those]) => [code, those!.length]))).toEqual({
      0: 60,
      42901: 140,
    })
    for (const { code, headers, data } of answers) {
      if (code === 0) continue
      const seconds = Number(headers.get('retry-after'))
      expect(seconds).toBeGreaterThan(0)
      expect(seconds).toBeLessThanOrEqual(3600)
      expect(JSON.stringify(data)).not.toContain('13800138000')
    }
    expect(await auditOf(counsellor.staff_id)).toEqual(['changed reveal_hours 1', 'revealed users 60'])
  })

  test('are counted per person, and start again with the next hour', async () => {
    const at = (time: string) => server.setNow(new Date(new Date().toISOString().replace(/T.*/, time)))
    await admin.call(updateOrganization, { reveals_per_hour: 2 })
    at('T10:10:00Z')
    const codes = [await reveal(counsellor), await reveal(counsellor), await reveal(counsellor)]
    expect(codes.map(({ code }) => code)).toEqual([0, 0, 42901])
    expect(codes[2]!.headers.get('retry-after')).toBe('3000')
    expect((await reveal(admin)).code).toBe(0)
    at('T11:00:00Z')
    expect((await reveal(counsellor)).code).toBe(0)
  })

  test('include exports of a person', async () => {
    await admin.call(updateOrganization, { reveals_per_hour: 2 })
    expect((await admin.call(exportUser, { user_id })).code).toBe(0)
    expect((await reveal(admin)).code).toBe(0)
    expect((await admin.call(exportUser, { user_id })).code).toBe(42901)
    expect((await reveal(admin)).code).toBe(42901)
    expect(await auditOf(admin.staff_id)).toContain('exported users 1')
  })

  test('do not count a call that reveals nothing, and are unlimited if the organization removes the limit', async () => {
    await admin.call(updateOrganization, { reveals_per_hour: 1 })
    const nobody = { user_id: 'nobody', contact_type: 'mobile' }
    for (let n = 0; n < 3; n++) expect((await counsellor.call(fetchContact, nobody)).code).toBe(40401)
    expect((await reveal(counsellor)).code).toBe(0)
    expect((await reveal(counsellor)).code).toBe(42901)
    await admin.call(updateOrganization, { reveals_per_hour: 0 })
    for (let n = 0; n < 3; n++) expect((await reveal(counsellor)).code).toBe(0)
  })

  test('are not counted for programs', async () => {
    await admin.call(updateOrganization, { reveals_per_hour: 1 })
    for (let n = 0; n < 5; n++) {
      const { code } = await school.call(fetchContact, { user_id, contact_type: 'mobile' })
      expect(code).toBe(0)
    }
  })
})

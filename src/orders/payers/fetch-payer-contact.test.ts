import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Counter, openCounter } from '../../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hireStaff } from '../../../test/harness/staff.ts'
import { updateOrganization } from '../../backoffice/settings/organization-settings.ts'
import { createPayer } from './create-payer.ts'
import { fetchPayerContact } from './fetch-payer-contact.ts'
import { fetchPayer } from './list-payers.ts'

let server: TestServer
let school: Counter
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openCounter(server)
})
afterAll(() => server?.close())

test('a contact of a payer is masked for staff, revealed one by one, noted and limited', async () => {
  const contacts = { area_code: '86', mobile: '13800138088', email: 'aunt.mei@example.com' }
  const { payer_id } = (await school.call(createPayer, { name: 'Aunt Mei', ...contacts })).data
  const clerk = await hireStaff(server, school.corp_id, 'finance')
  expect((await clerk.call(fetchPayer, { payer_id })).data).toMatchObject({
    ...{ mobile: '138••••8088', email: 'a•••@example.com' },
  })
  const reveal = async (contact_type: string) =>
    (await clerk.call(fetchPayerContact, { payer_id, contact_type })).data.value
  expect(await reveal('mobile')).toEqual(['86', '13800138088'])
  expect(await reveal('email')).toEqual(['aunt.mei@example.com'])
  const { rows } = await server.database.superuser.query(
    `select action, record_type, actor_id from audit_entries
      where corp_id = $1 and record_id = $2 and operation = 'fetchPayerContact'`,
    [school.corp_id, payer_id],
  )
  const entry = { action: 'revealed', record_type: 'payers', actor_id: clerk.staff_id }
  expect(rows).toEqual([entry, entry])

  const admin = await hireStaff(server, school.corp_id, 'admin')
  expect((await admin.call(updateOrganization, { reveals_per_hour: 2 })).code).toBe(0)
  const refused = await clerk.call(fetchPayerContact, { payer_id, contact_type: 'mobile' })
  expect([refused.code, refused.data.reason]).toEqual([42901, 'reveals_per_hour'])
  const counsellor = await hireStaff(server, school.corp_id, 'counsellor')
  expect((await counsellor.call(fetchPayerContact, { payer_id, contact_type: 'mobile' })).code).toBe(40303)
})

test('a payer without a contact has nothing to reveal', async () => {
  const { payer_id } = (await school.call(createPayer, { name: 'Aunt Lin' })).data
  const { data } = await school.call(fetchPayerContact, { payer_id, contact_type: 'email' })
  expect(data).toEqual({ payer_id, contact_type: 'email', value: [] })
})

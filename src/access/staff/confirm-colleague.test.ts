import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callCli } from '../../../test/harness/cli.ts'
import { masterKeyText } from '../../../test/harness/keyring.ts'
import { type Counter, openCounter } from '../../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hireStaff, openTab, password, type Tab, type TestColleague } from '../../../test/harness/staff.ts'
import { approveRequest } from '../../backoffice/approvals/decide-request.ts'
import { newId } from '../../contract/new-id.ts'
import { changeLimits } from '../../orders/limits/manage-refund-limits.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { createRefund } from '../../orders/payments/create-refund.ts'
import { inviteColleague, listStaff, resetColleague } from './colleagues.ts'
import { confirmColleague } from './confirm-colleague.ts'
import { choosePassword } from './enter-by-link.ts'
import type { Role } from './roles.ts'
import { confirmationMs } from './sessions.ts'

let server: TestServer
let school: Counter
let admin: TestColleague
let other: TestColleague
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server?.close())
beforeEach(async () => {
  school = await openCounter(server)
  await changeLimits(server.db.of(school.corp_id), school.corp_id, 'refund', { CNY: 0 }, new Date())
  admin = await hireStaff(server, school.corp_id, 'admin')
  other = await hireStaff(server, school.corp_id, 'admin')
})

interface Invited {
  staff_id: string
  tab: Tab
}
async function invited(role: Role, by: Pick<TestColleague, 'call'> = admin): Promise<Invited> {
  const wanted = { email: `${newId()}@example.com`, name: 'Somebody', role }
  const { link, staff_id } = (await by.call(inviteColleague, wanted)).data
  const tab = openTab(server)
  await tab.call(choosePassword, { link, password })
  return { staff_id, tab }
}
const calling = ({ tab }: Invited): Pick<TestColleague, 'call'> => ({
  call: (endpoint, input = {}) => tab.call(endpoint, { corp_id: school.corp_id, ...input }),
})
const rowOf = async (id: string, by: Pick<TestColleague, 'call'> = admin) =>
  (await by.call(listStaff)).data.list.find(({ staff_id }: { staff_id: string }) => staff_id === id)
async function asks(by: Pick<TestColleague, 'call'>): Promise<string> {
  const { order_id } = await school.order({ listed_price: 100, installment_count: 1 })
  await school.call(createPayment, { order_id, price: 100 })
  return (await by.call(createRefund, { order_id, price: 100, reason: 'Agreed' })).data.request_id
}

test('a colleague counts as the inviter until another administrator confirms them', async () => {
  const colleague = await invited('finance')
  const { staff_id } = colleague
  expect(await rowOf(staff_id)).toMatchObject({ unconfirmed_by: [admin.staff_id] })
  const request_id = await asks(admin)
  const approve = () => calling(colleague).call(approveRequest, { request_id })
  expect((await approve()).code).toBe(40309)
  expect((await other.call(confirmColleague, { staff_id })).data).toEqual({ staff_id, unconfirmed_by: [] })
  expect(await rowOf(staff_id)).toMatchObject({ unconfirmed_by: [] })
  expect((await approve()).code).toBe(0)
})

test('requests from before the confirmation still count as those of the inviter', async () => {
  const colleague = await invited('finance')
  const before = await asks(calling(colleague))
  await other.call(confirmColleague, { staff_id: colleague.staff_id })
  const after = await asks(calling(colleague))
  expect((await admin.call(approveRequest, { request_id: before })).data.reason).toBe('same_person')
  expect((await other.call(approveRequest, { request_id: before })).code).toBe(0)
  expect((await admin.call(approveRequest, { request_id: after })).code).toBe(0)
})

test('nobody confirms themselves, a person they gave access, or a person whom their own grantor gave access', async () => {
  const colleague = await invited('admin')
  const puppet = await invited('admin')
  const { staff_id } = colleague
  for (const by of [admin, calling(colleague), calling(puppet)]) {
    const refused = await by.call(confirmColleague, { staff_id })
    expect([refused.code, refused.data.reason]).toEqual([40309, 'not_independent'])
  }
  const furtherDown = await invited('finance', calling(puppet))
  expect((await admin.call(confirmColleague, { staff_id: furtherDown.staff_id })).code).toBe(40309)
  expect((await other.call(confirmColleague, { staff_id: furtherDown.staff_id })).code).toBe(0)
  expect(await rowOf(staff_id)).toMatchObject({ unconfirmed_by: [admin.staff_id] })
})

test('a new link undoes the confirmation', async () => {
  const { staff_id } = await invited('finance')
  await other.call(confirmColleague, { staff_id })
  await admin.call(resetColleague, { staff_id })
  expect(await rowOf(staff_id)).toMatchObject({ unconfirmed_by: [admin.staff_id] })
})

test('administrators confirm colleagues after a recent confirmation; others do not see who gave access', async () => {
  const { staff_id } = await invited('finance')
  const clerk = await hireStaff(server, school.corp_id, 'finance')
  expect((await clerk.call(confirmColleague, { staff_id })).code).toBe(40303)
  expect(await rowOf(staff_id, clerk)).toMatchObject({ unconfirmed_by: [] })
  expect((await other.call(confirmColleague, { staff_id: newId() })).code).toBe(40420)
  const stranger = await hireStaff(server, (await openCounter(server)).corp_id, 'admin')
  expect((await stranger.call(confirmColleague, { staff_id })).code).toBe(40420)
  try {
    server.setNow(new Date(Date.now() + confirmationMs + 60_000))
    expect((await other.call(confirmColleague, { staff_id })).code).toBe(40304)
  } finally {
    server.setNow(undefined)
  }
  expect(await rowOf(staff_id)).toMatchObject({ unconfirmed_by: [admin.staff_id] })
})

test('the operator confirms by command line, and the audit has both', async () => {
  const { corp_id } = school
  const one = await invited('finance')
  await other.call(confirmColleague, { staff_id: one.staff_id })
  const two = await invited('finance')
  const { email } = (await rowOf(two.staff_id)) as { email: string }
  const words = ['staff', 'confirm', '--org', corp_id, '--email', email, '--json']
  const settings = { ...server.database.settings, MATRICULA_KEY: masterKeyText }
  const { code, stdout, stderr } = await callCli(words, settings)
  expect(stderr).toBe('')
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ staff_id: two.staff_id })])
  expect(await rowOf(two.staff_id)).toMatchObject({ unconfirmed_by: [] })
  const { rows } = await server.database.superuser.query(
    `select record_id, operation, before from audit_entries
      where corp_id = $1 and before ? 'unconfirmed_by' order by entry_id`,
    [corp_id],
  )
  const before = { unconfirmed_by: [admin.staff_id] }
  expect(rows).toEqual([
    { record_id: one.staff_id, operation: 'confirmColleague', before },
    { record_id: two.staff_id, operation: 'matricula staff confirm', before },
  ])
})

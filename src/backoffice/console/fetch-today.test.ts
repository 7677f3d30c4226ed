import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hireStaff, type TestColleague } from '../../../test/harness/staff.ts'
import { declineRequest } from '../../backoffice/approvals/decide-request.ts'
import { createLeadFile } from '../../changes/lead-import/upload-lead-file.ts'
import { mergeUsers } from '../../changes/merging/merge-users.ts'
import { createOrder } from '../../orders/create-order.ts'
import { changeLimits } from '../../orders/limits/manage-refund-limits.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { createRefund } from '../../orders/payments/create-refund.ts'
import { recordReceipt } from '../../orders/payments/record-receipt.ts'
import { claimUser } from '../../people/users/claims/claim-user.ts'
import { createUser } from '../../people/users/create-user.ts'
import { createFollowUp } from '../../people/users/follow-ups/follow-ups.ts'
import { updatePool } from '../../people/users/update-pool.ts'
import { fetchToday } from './fetch-today.ts'

let server: TestServer
let school: TestOrganization
let wang: TestColleague
let li: TestColleague
let clerk: TestColleague
let admin: TestColleague
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server, 'Asia/Shanghai')
  wang = await hireStaff(server, school.corp_id, 'counsellor')
  li = await hireStaff(server, school.corp_id, 'counsellor')
  clerk = await hireStaff(server, school.corp_id, 'finance')
  admin = await hireStaff(server, school.corp_id, 'admin')
})
afterAll(() => server?.close())

let mobiles = 13_600_000_000
const newUser = async (): Promise<string> =>
  (await school.call(createUser, { area_code: '86', mobile: String(mobiles++) })).data.user_id
const claimed = async (who: TestColleague): Promise<string> => {
  const user_id = await newUser()
  await who.call(claimUser, { user_id, owner_id: who.staff_id })
  return user_id
}
const todayOf = async (who: TestColleague) => (await who.call(fetchToday)).data
const totals = async (who: TestColleague) =>
  Object.fromEntries(
    Object.entries(await todayOf(who)).map(([name, section]) => [name, (section as { total: number }).total]),
  )

test('a new user is in the public pool for all, and after a claim in the work of the owner', async () => {
  const before = [await totals(wang), await totals(li)]
  const user_id = await newUser()
  expect((await totals(wang)).unclaimed).toBe(before[0]!.unclaimed! + 1)
  expect((await todayOf(wang)).unclaimed.list[0]).toMatchObject({ user_id, pool: 'public' })
  await wang.call(claimUser, { user_id, owner_id: wang.staff_id })
  expect(await totals(wang)).toMatchObject({
    unclaimed: before[0]!.unclaimed,
    untouched: before[0]!.untouched! + 1,
  })
  expect((await totals(li)).untouched).toBe(before[1]!.untouched)
  await wang.call(createFollowUp, { user_id, content: 'Called' })
  expect((await totals(wang)).untouched).toBe(before[0]!.untouched)
})

test('a partly allocated payment waits with its rest', async () => {
  const user_id = await newUser()
  const order = { user_id, currency: 'CNY', listed_price: 100 }
  const { order_id } = (await school.call(createOrder, order)).data
  const receipt = { payer_name: 'Aunt Mei', price: 150, allocations: [{ order_id, price: 100 }] }
  const { payment_id } = (await school.call(recordReceipt, receipt)).data
  const { unapplied } = await todayOf(clerk)
  const found = unapplied.list.find((row: { payment_id: string }) => row.payment_id === payment_id)
  // The account of a payer cannot be opened like an order.
  expect(found).toMatchObject({ unapplied_price: 50, order_currency: 'CNY', order_id: '' })
})

test('a call is due on its day, for the owner who agreed it, until the next follow-up', async () => {
  const user_id = await claimed(wang)
  const at = (day: string) => server.setNow(new Date(`${day}:00+08:00`))
  try {
    at('2030-03-01T09:00')
    // Sessions last a week at most; the clock moves within it.
    const visitor = await hireAt()
    await visitor.call(createFollowUp, { user_id, content: 'Busy', next_time: '2030-03-03 15:00:00' })
    at('2030-03-02T23:59')
    expect((await todayOf(visitor)).callbacks.total).toBe(0)
    at('2030-03-03T00:01')
    const { callbacks } = await todayOf(visitor)
    expect(callbacks).toMatchObject({ total: 1, list: [{ user_id, next_time: '2030-03-03 15:00:00' }] })
    expect(callbacks.list[0].mobile).toMatch(/••••/)
    await visitor.call(createFollowUp, { user_id, content: 'Reached' })
    expect((await todayOf(visitor)).callbacks.total).toBe(0)
  } finally {
    server.setNow(undefined)
  }
  expect((await todayOf(li)).callbacks.total).toBe(0)

  async function hireAt(): Promise<TestColleague> {
    const colleague = await hireStaff(server, school.corp_id, 'admin')
    await server.database.superuser.query(
      `update staff_sessions set ctime = '2030-03-01', seen_at = '2030-03-03', confirmed_at = '2030-03-01'
        where staff_id = $1`,
      [colleague.staff_id],
    )
    return colleague
  }
})

test('a call follows the person into a merge', async () => {
  const [user_id, merged_user_id] = [await claimed(wang), await claimed(wang)]
  const due = { content: 'Soon', next_time: '2026-01-01 09:00:00' }
  await wang.call(createFollowUp, { user_id: merged_user_id, ...due })
  await wang.call(mergeUsers, { user_id, merged_user_id })
  const { callbacks } = await todayOf(wang)
  expect(callbacks.list.map((row: { user_id: string }) => row.user_id)).toContain(user_id)
})

test('instalments are overdue or due soon, of own people for a counsellor and of all for finance', async () => {
  const mine = await claimed(wang)
  const others = await claimed(li)
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const before = { clerk: await totals(clerk), wang: await totals(wang) }
  for (const user_id of [mine, others]) {
    const sub_orders = [10, 20, 30].map((price, n) => ({
      ...{ total_price: price, payment_deadline: day([-3, 3, 60][n]!) },
    }))
    const order = { user_id, currency: 'CNY', listed_price: 60, type: 'other', sub_orders }
    const { data } = await school.call(createOrder, order)
    // Pays part of the first instalment, so that the rest is overdue.
    await school.call(createPayment, { order_id: data.order_id, price: 4, currency: 'CNY' })
  }
  const after = { clerk: await totals(clerk), wang: await totals(wang) }
  const more = (who: 'clerk' | 'wang', name: string) => after[who][name]! - before[who][name]!
  expect([more('clerk', 'overdue'), more('clerk', 'due_soon')]).toEqual([2, 2])
  expect([more('wang', 'overdue'), more('wang', 'due_soon')]).toEqual([1, 1])
  expect((await todayOf(wang)).overdue.list).toMatchObject([{ user_id: mine, seq: 1, unpaid_price: 6 }])
})

test('a counsellor sees own waiting files, and an administrator sees all', async () => {
  const { import_id } = (await wang.call(createLeadFile, { file_name: 'a.csv', bytes: 9 })).data
  await server.database.superuser.query(`update lead_imports set state = 'planned' where import_id = $1`, [
    import_id,
  ])
  expect((await todayOf(wang)).imports).toMatchObject({ total: 1, list: [{ import_id, file_name: 'a.csv' }] })
  expect((await todayOf(li)).imports.total).toBe(0)
  expect((await todayOf(admin)).imports.total).toBe(1)
})

test('a user in a closed pool is in no list', async () => {
  const user_id = await claimed(li)
  const before = (await totals(li)).untouched!
  await li.call(updatePool, { user_id, pool: 'dead' })
  expect((await totals(li)).untouched).toBe(before - 1)
})

test('a refund above the limit is shown to approvers, not to the requester', async () => {
  const { corp_id } = school
  await changeLimits(server.db.of(corp_id), corp_id, 'refund', { CNY: 0 }, new Date())
  const user_id = await newUser()
  const plan = { user_id, currency: 'CNY', listed_price: 1000, installment_count: 1 }
  const { order_id } = (await school.call(createOrder, plan)).data
  await school.call(createPayment, { order_id, price: 1000 })
  const { request_id } = (await clerk.call(createRefund, { order_id, price: 600, reason: 'Ill' })).data
  const rows = async (who: TestColleague) => (await todayOf(who)).approvals
  expect(await rows(admin)).toMatchObject({ total: 1, list: [{ request_id, order_id, price: 600 }] })
  for (const who of [clerk, wang]) expect(await rows(who)).toEqual({ total: 0, list: [] })
  await admin.call(declineRequest, { request_id, reason: 'No' })
  expect((await rows(admin)).total).toBe(0)
})

test('administrators see webhook endpoints that fail or were disabled for it, others do not', async () => {
  const { corp_id } = school
  const insert = (endpoint_id: string, reason: string | null, failingMinutes: number | null = null) =>
    server.database.superuser.query(
      `with endpoint as (
         insert into webhook_endpoints (corp_id, endpoint_id, url, types, description, is_enabled, disabled_reason,
                                        disabled_at, version, ctime, mtime)
         values ($1, $2, 'https://hooks.example.com/' || $2, '{*}', '', $3::text is null, $3, now(), 1, now(), now()))
       insert into webhook_cursors (corp_id, endpoint_id, seq, error, status, failing_since)
       values ($1, $2, 0, 'refusal', 500, now() - $4::integer * interval '1 minute')`,
      [corp_id, endpoint_id, reason, failingMinutes],
    )
  for (const reason of ['failing', 'gone', 'paused', null]) await insert(reason ?? 'enabled', reason)
  await insert('restarting', null, 1)
  await insert('down', null, 60)
  await insert('paused while down', 'paused', 60)
  const { webhooks } = await todayOf(admin)
  expect(webhooks.total).toBe(3)
  expect(webhooks.list).toMatchObject([
    { endpoint_id: 'failing', disabled_reason: 'failing', error: 'refusal', status: 500 },
    { endpoint_id: 'gone', disabled_reason: 'gone' },
    { endpoint_id: 'down', disabled_reason: null },
  ])
  expect((await todayOf(wang)).webhooks.total).toBe(0)
})

test('only administrators see the first steps of a school', async () => {
  const [first, ...others] = [...(await todayOf(admin)).first_steps]
  expect(first).toEqual({ step: 'school', is_done: false })
  expect(others.map(({ step }) => step)).toEqual(['staff', 'courses', 'people', 'orders'])
  expect((await todayOf(wang)).first_steps).toEqual([])
})

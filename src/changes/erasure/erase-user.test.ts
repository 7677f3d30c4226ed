import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noteAttempts } from '../../../test/harness/attempts.ts'
import { sendStatement } from '../../../test/harness/bank-lines.ts'
import { ok } from '../../../test/harness/expect-success.ts'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { type Counter, openCounter } from '../../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hireStaff } from '../../../test/harness/staff.ts'
import { findTraces as tracesOf } from '../../../test/support/traces.ts'
import { verifyAudit } from '../../access/audit/verify-audit.ts'
import { createAccount } from '../../access/organizations/manage-accounts.ts'
import { declineRequest } from '../../backoffice/approvals/decide-request.ts'
import { saveView } from '../../backoffice/console/views.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { createExport } from '../../backoffice/finance/exports/create-export.ts'
import { fetchExport } from '../../backoffice/finance/exports/fetch-export.ts'
import { confirmCertainMatches } from '../../backoffice/finance/reconciliation/settle-bank-lines.ts'
import { newId } from '../../contract/new-id.ts'
import { maintainOnce } from '../../maintenance.ts'
import { createOrder } from '../../orders/create-order.ts'
import { createRemark } from '../../orders/create-remark.ts'
import { listHistory } from '../../orders/ledger/list-history.ts'
import { changeLimits } from '../../orders/limits/manage-refund-limits.ts'
import { fetchOrder } from '../../orders/listing/fetch-order.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { createRefund } from '../../orders/payments/create-refund.ts'
import { voidPayment } from '../../orders/payments/void-payment.ts'
import { updateOrder } from '../../orders/update-order.ts'
import { updateStatus } from '../../orders/update-status.ts'
import { writeOffOrder } from '../../orders/write-off-order.ts'
import { importLead, importLeads } from '../../people/leads/import-leads.ts'
import { createTagGroup } from '../../people/tag-groups/change-tag-groups.ts'
import { assignUserTag } from '../../people/user-tags/assign-user-tag.ts'
import { claimUser } from '../../people/users/claims/claim-user.ts'
import { createUser } from '../../people/users/create-user.ts'
import { fetchProfile } from '../../people/users/fetch-profile.ts'
import { createFollowUp } from '../../people/users/follow-ups/follow-ups.ts'
import { bulkUpdateUsers } from '../bulk-edits/bulk-update.ts'
import { updateEmail } from '../contacts/update-contact.ts'
import { fetchLeadFile } from '../lead-import/list-lead-files.ts'
import { commitLeadFile, planLeadFile } from '../lead-import/plan-lead-file.ts'
import { appendLeadFile, createLeadFile } from '../lead-import/upload-lead-file.ts'
import { mergeUsers } from '../merging/merge-users.ts'
import { undoChanges } from '../undo/undo-changes.ts'
import { storeLeadMonths } from './erase-store.ts'
import { eraseUser } from './erase-user.ts'
import { exportUser } from './lift-erasure.ts'

let server: TestServer
let school: Counter
let admin: string
let finance: string

beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openCounter(server)
  const wanted = {
    name: 'Administrator',
    corp_ids: [school.corp_id],
    permissions: ['read', 'write', 'admin'],
  }
  admin = await server.tokenOf(await createAccount(server.database.owner, testKeyring, wanted, new Date()))
  const second = { ...wanted, name: 'Second person', permissions: ['read', 'write', 'finance'] }
  finance = await server.tokenOf(await createAccount(server.database.owner, testKeyring, second, new Date()))
})
afterAll(() => server.close())

const canary = {
  mobile: '18877766655',
  backup: '18877766644',
  email: 'canary.wren@birds.example',
  merged_email: 'other.wren@birds.example',
  name: 'Canaria Zilpzalp',
  company: 'Finkenschlag Holding',
  tag: 'sings before dawn',
  talk: 'told us about the aviary',
  remark: 'moulting until Easter',
  comment: 'paid by the ornithologist',
  refund: 'allergic to feathers',
  bounced: 'cheque of the cuckoo',
  cancelled: 'flew south for good',
  payer: 'Nestwerk Zilpzalp',
}

const findTraces = () => tracesOf(server.database, Object.values(canary))

/** Calls of everything that stores or copies personal data. */
async function live(): Promise<{ user_id: string; order_id: string }> {
  const key = () => ({ 'Idempotency-Key': newId() })
  const contact = { area_code: '86', mobile: canary.mobile }
  const { user_id } = await ok(school.call(createUser, contact, key()))
  const told = { name: canary.name, company_name: canary.company }
  await ok(school.call(importLead, { ...contact, ...told, entry_id: canary.email }, key()))
  await ok(school.call(importLeads, { leads: [{ ...contact, comments: canary.talk }] }, key()))
  await ok(school.call(updateEmail, { user_id, email: canary.email }, key()))
  const group = {
    name: 'Song',
    variable_name: 'song',
    description: 'Song',
    attribute: 'string',
    category: 'x',
  }
  const { tags_group_id } = await ok(school.call(createTagGroup, group))
  await ok(school.call(assignUserTag, { user_id, tags_group_id, value: canary.tag }, key()))
  await ok(school.call(claimUser, { user_id, owner_id: 'adviser' }))
  await ok(school.call(createFollowUp, { user_id, content: canary.talk }, key()))
  const { batch_id } = await ok(
    school.call(bulkUpdateUsers, {
      user_ids: [user_id],
      tags: [{ tags_group_id, value: `${canary.tag} and after` }],
    }),
  )
  await ok(school.call(undoChanges, { batch_id }))
  const other = await ok(school.call(createUser, { email: canary.merged_email }, key()))
  await ok(school.call(mergeUsers, { user_id, merged_user_id: other.user_id }, key()))
  const plan = { user_id, currency: 'CNY', listed_price: 30_000, installment_count: 3 }
  const { order_id } = await ok(school.call(createOrder, plan, key()))
  await writeOn(order_id, user_id)
  await importFile()
  const { export_id } = await ok(school.call(createExport, { what: 'financial_rows', format: 'csv' }))
  while ((await ok(school.call(fetchExport, { export_id }))).state !== 'done') await pause(50)
  return { user_id, order_id }
}

/** Calls of everything that stores texts about an order, its money and its user. */
async function writeOn(order_id: string, user_id: string): Promise<void> {
  const key = () => ({ 'Idempotency-Key': newId() })
  const charge_id = newId()
  await ok(
    school.call(createPayment, { order_id, price: 10_000, charge_id, comments: canary.comment }, key()),
  )
  await ok(school.call(createRemark, { order_id, content: canary.remark }, key()))
  const second = await ok(school.call(createPayment, { order_id, price: 300 }))
  await ok(school.call(voidPayment, { payment_id: second.payment_id, reason: canary.bounced }, key()))
  await ok(school.call(createRefund, { order_id, price: 100, reason: canary.refund }, key()))
  const line = { price: 10_000, charge_id, description: canary.payer }
  const other = { price: 77, reference: `of ${canary.mobile}` }
  const run: Parameters<typeof sendStatement>[0] = (operation, input) => ok(school.call(operation, input))
  const { statement_id } = await sendStatement(run, [line, other])
  expect(await run(confirmCertainMatches, { statement_id })).toEqual({ matched: 1, remaining: 0 })
  const limits = { CNY: 0 }
  await changeLimits(server.db.of(school.corp_id), school.corp_id, 'refund', limits, new Date())
  const wanted = { order_id, price: 50, reason: canary.refund }
  const { request_id } = await ok(school.call(createRefund, wanted, key()))
  const decline = { corp_id: school.corp_id, request_id, reason: canary.refund }
  await ok(server.call(declineRequest, decline, { token: finance }))
  await changeLimits(server.db.of(school.corp_id), school.corp_id, 'refund', {}, new Date())
  const plan = { user_id, currency: 'CNY', listed_price: 500, installment_count: 1 }
  const [kept, lost] = [await ok(school.call(createOrder, plan)), await ok(school.call(createOrder, plan))]
  await ok(school.call(createPayment, { order_id: kept.order_id, price: 200 }))
  const cancel = { order_id: kept.order_id, status: 'canceled', retain: true, reason: canary.cancelled }
  await ok(school.call(updateStatus, cancel, key()))
  await ok(school.call(writeOffOrder, { order_id: lost.order_id, reason: canary.cancelled }, key()))
  const colleague = await hireStaff(server, school.corp_id, 'admin')
  for (const filters of [`search=${encodeURIComponent(canary.name)}`, `search=${canary.email}`])
    await ok(colleague.call(saveView, { screen: 'people', name: 'Mine', filters }))
  await ok(colleague.call(saveView, { screen: 'people', name: 'Others', filters: 'pool=public' }))
}

async function importFile(): Promise<void> {
  const rows = [
    'name,mobile,email,area_code',
    `${canary.name},${canary.mobile},,86`,
    `${canary.name},12,${canary.email},86`,
  ]
  const file = Buffer.from(rows.join('\n'))
  const { import_id } = await ok(school.call(createLeadFile, { file_name: 'fair.csv', bytes: file.length }))
  await ok(school.call(appendLeadFile, { import_id, start: 0, content: file.toString('base64') }))
  await ok(school.call(planLeadFile, { import_id }))
  const until = async (state: string) => {
    while ((await ok(school.call(fetchLeadFile, { import_id }))).state !== state) await pause(50)
  }
  await until('planned')
  await ok(school.call(commitLeadFile, { import_id }))
  await until('done')
}

test('an erased person is removed everywhere, the books stay, and a new lead with the same contact is a new person', async () => {
  const { user_id, order_id } = await live()
  const before = await findTraces()
  for (const place of [
    'users.mobile',
    'leads.fields',
    'orders.user_copy',
    'audit_personal.content',
    'financial_read_model.row_start',
    'finance_export_pieces.content',
    ...['payments.comments', 'payment_voids.reason', 'refunds.reason', 'order_remarks.content'],
    ...[
      'order_versions.reason',
      'order_retentions.reason',
      'order_write_offs.reason',
      'approval_requests.input',
    ],
    ...['approval_decisions.reason', 'statement_lines.description', 'statement_lines.reference'],
    'console_views.filters',
  ])
    expect(before).toContain(place)
  const exported = await ok(server.call(exportUser, { corp_id: school.corp_id, user_id }, { token: admin }))
  const text = JSON.stringify(exported)
  for (const told of Object.values(canary)) if (told !== canary.backup) expect(text).toContain(told)
  const { chains } = await checkLedger(server.db, school.corp_id)
  const { chains: audits } = await verifyAudit(server.db, school.corp_id)

  const unconfirmed = { corp_id: school.corp_id, user_id, reason: 'Asked for it' }
  const input = { ...unconfirmed, confirm_debt: true }
  expect((await school.call(eraseUser, input)).code).toBe(40303)
  const refused = await server.call(eraseUser, unconfirmed, { token: admin })
  expect(refused).toMatchObject({ code: 40904, msg: expect.stringMatching(/owes [0-9.]+ CNY/) })
  const erased = await ok(server.call(eraseUser, input, { token: admin }))
  expect(erased).toMatchObject({ user_id, orders: 3 })
  const left = await findTraces()
  noteAttempts(
    'canaries left after erasing',
    before.length,
    left.length,
    'columns that had told of the person',
  )
  expect(left).toEqual([])

  expect(await checkLedger(server.db, school.corp_id, { head: chains[0]!.head })).toMatchObject({
    total: 0,
    discrepancies: [],
  })
  expect(await verifyAudit(server.db, school.corp_id, { head: audits[0]!.head })).toMatchObject({
    total: 0,
    breaches: [],
  })
  const order = await ok(school.call(fetchOrder, { order_id }))
  expect(order).toMatchObject({ user_id, paid_price: 10_000 })
  await ok(school.call(updateOrder, { order_id, version: order.version, contract_id: 'later' }))
  const { list: history } = await ok(school.call(listHistory, { order_id, page_size: 1000 }))
  const remarks = history.filter(({ change }: { change: string }) => change === 'remark')
  expect(remarks).toMatchObject([{ remark: '' }])
  expect(await checkLedger(server.db, school.corp_id)).toMatchObject({ total: 0 })
  expect(await ok(school.call(fetchProfile, { user_id }))).toMatchObject({ name: '', mobile: '' })
  expect(await ok(server.call(eraseUser, input, { token: admin }))).toMatchObject({ records: 0, orders: 3 })

  const again = await ok(school.call(createUser, { area_code: '86', mobile: canary.mobile }))
  expect(again).toMatchObject({ is_user_exists: false })
  expect(again.user_id).not.toBe(user_id)
  await ok(server.call(eraseUser, { ...input, user_id: again.user_id }, { token: admin }))
  expect((await school.call(fetchProfile, { user_id: again.user_id })).code).toBe(40401)
  expect(await findTraces()).toEqual([])
})

test('a text that was removed or changed without an erasure is found', async () => {
  const { order_id } = await school.order()
  await ok(school.call(createRemark, { order_id, content: 'As agreed' }))
  await ok(school.call(updateStatus, { order_id, status: 'locked', reason: 'Under review' }))
  const check = async () => (await checkLedger(server.db, school.corp_id)).discrepancies
  expect(await check()).toEqual([])
  for (const [table, column] of [
    ['order_remarks', 'content'],
    ['order_versions', 'reason'],
  ] as const)
    for (const text of ['', 'As if agreed']) {
      const on = server.database.superuser
      const where = `where order_id = $1 and ${column} is not null`
      const { rows } = await on.query(`select ${column} as text from ${table} ${where}`, [order_id])
      await on.query(`update ${table} set ${column} = $2 ${where}`, [order_id, text])
      expect(await check()).toContainEqual(expect.objectContaining({ order_id }))
      await on.query(`update ${table} set ${column} = $2 ${where}`, [order_id, rows[0].text])
    }
  expect(await check()).toEqual([])
})

test('a copy that was removed without an erasure is found', async () => {
  const { order_id } = await school.order()
  await server.database.superuser.query(
    `update orders set kept_copy_digest = user_copy_digest, user_copy = '{}', user_copy_salt = null where order_id = $1`,
    [order_id],
  )
  const { discrepancies } = await checkLedger(server.db, school.corp_id)
  expect(discrepancies).toContainEqual(
    expect.objectContaining({ order_id, found: 'a user who was not erased' }),
  )
  await server.database.superuser.query(
    `update orders set kept_copy_digest = null, user_copy_salt = $2 where order_id = $1`,
    [order_id, newId()],
  )
})

test('users without orders are erased after the retention period of the organization, and never by default', async () => {
  const own = await openCounter(server)
  const on = server.db.of(own.corp_id)
  await own.order()
  const old = await ok(own.call(createUser, { email: 'old@example.com' }))
  const young = await ok(own.call(createUser, { email: 'young@example.com' }))
  await server.database.superuser.query(
    `update users set ctime = now() - interval '13 months', mtime = now() - interval '13 months'
      where corp_id = $1 and user_id = any($2)`,
    [own.corp_id, [old.user_id, own.user_id]],
  )
  const sweep = () =>
    maintainOnce(server.db, new Date(), pino({ level: 'silent' }), new AbortController().signal, testKeyring)
  const codes = async () =>
    Promise.all(
      [old, young, own].map(async ({ user_id }) => (await own.call(fetchProfile, { user_id })).code),
    )
  await sweep()
  expect(await codes()).toEqual([0, 0, 0])
  await storeLeadMonths(on, own.corp_id, 12)
  await sweep()
  expect(await codes()).toEqual([40401, 0, 0])
  expect(await verifyAudit(server.db, own.corp_id)).toMatchObject({ total: 0 })
})

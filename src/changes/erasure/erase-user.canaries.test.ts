import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendStatement } from '../../../test/harness/bank-lines.ts'
import { ok } from '../../../test/harness/expect-success.ts'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { type Counter, openCounter } from '../../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hireStaff } from '../../../test/harness/staff.ts'
import { openFolder, writeXlsx } from '../../../test/support/sheets.ts'
import { findTraces } from '../../../test/support/traces.ts'
import { createAccount } from '../../access/organizations/manage-accounts.ts'
import { findOrganizations } from '../../access/organizations/organization-store.ts'
import { saveView } from '../../backoffice/console/views.ts'
import { issueDocument } from '../../backoffice/documents/issue-document.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import type { OrganizationContext } from '../../contract/endpoint.ts'
import { newId } from '../../contract/new-id.ts'
import { createOrder } from '../../orders/create-order.ts'
import { createPayer } from '../../orders/payers/create-payer.ts'
import { updatePayer } from '../../orders/payers/update-payer.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { recordReceipt } from '../../orders/payments/record-receipt.ts'
import { importLead } from '../../people/leads/import-leads.ts'
import { createUser } from '../../people/users/create-user.ts'
import { updateUser } from '../../people/users/update-user.ts'
import { createCursors } from '../../search/cursors.ts'
import { updateEmail } from '../contacts/update-contact.ts'
import { fetchLeadFile } from '../lead-import/list-lead-files.ts'
import { commitLeadFile, planLeadFile } from '../lead-import/plan-lead-file.ts'
import { appendLeadFile, createLeadFile, discardLeadFile } from '../lead-import/upload-lead-file.ts'
import { mergeUsers } from '../merging/merge-users.ts'
import { importOrders } from '../order-import/import-orders.ts'
import { undoChanges } from '../undo/undo-changes.ts'
import { eraseUser } from './erase-user.ts'

/** The contacts and names of a person, in many spellings. */
const canary = {
  mobile: '18877766655',
  backup: '18877766644',
  email: 'canary.wren@birds.example',
  merged_email: 'other.wren@birds.example',
  name: 'Canaria Zilpzalp',
  chinese: '莺啼燕语',
  remark: 'moulting until Easter',
  comment: 'paid by the ornithologist',
  wechat_id: 'wren_in_the_hedge',
  external_id: 'aviary-4711',
}
const written = {
  number: '+86 188 7776 6655',
  hyphens: '0086-188-7776-6655',
  fullWidth: '１８８７７７６６６５５',
  spaced: '莺啼 燕语',
  reversed: 'Zilpzalp, Canaria',
}
const told = [...Object.values(canary), ...Object.values(written)]

let server: TestServer
let school: Counter
let admin: string
const folder = await openFolder()
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openCounter(server)
  const wanted = { name: 'Admin', corp_ids: [school.corp_id], permissions: ['read', 'write', 'admin'] }
  admin = await server.tokenOf(await createAccount(server.database.owner, testKeyring, wanted, new Date()))
})
afterAll(async () => {
  await folder.remove()
  await server?.close()
})

async function upload(content: string | Buffer, file_name: string): Promise<string> {
  const file = Buffer.from(content)
  const { import_id } = await ok(school.call(createLeadFile, { file_name, bytes: file.length }))
  await ok(school.call(appendLeadFile, { import_id, start: 0, content: file.toString('base64') }))
  return import_id
}

async function settled(import_id: string): Promise<string> {
  for (;;) {
    const { state } = await ok(school.call(fetchLeadFile, { import_id }))
    if (state !== 'planning' && state !== 'committing') return state
    await pause(20)
  }
}

async function plan(import_id: string, told: object = {}): Promise<string> {
  await ok(school.call(planLeadFile, { import_id, ...told }))
  return settled(import_id)
}

async function commit(import_id: string): Promise<void> {
  await ok(school.call(commitLeadFile, { import_id }))
  expect(await settled(import_id)).toBe('done')
}

/** Files of leads in every state. */
async function bringFiles(): Promise<void> {
  const row = `${canary.name},${written.number},${canary.chinese}`
  await upload(`name,mobile,note\n${row}\n`, 'uploaded.csv')
  expect(await plan(await upload(`name,mobile,note\n${row}\n`, `${canary.name}.csv`))).toBe('planned')
  // Without a header line, the data of the person is read as headers.
  expect(await plan(await upload(`${row}\nx,y,z\n`, 'headless.csv'))).toBe('refused')
  const headless = await upload(`${canary.chinese},${canary.mobile}\nx,13900139000\n`, 'headless-too.csv')
  expect(await plan(headless, { mapping: [{ header: canary.mobile, column: 'mobile' }] })).toBe('planned')
  await commit(headless)
  const values = [{ column: 'campaign', value: canary.name, stands_for: 'spring' }]
  const valued = await upload(`mobile,campaign\n13900139001,${canary.name}\n`, 'values.csv')
  expect(await plan(valued, { values })).toBe('planned')
  await commit(valued)
  const rejected = await upload(`name,mobile,email\n${written.spaced},12,${canary.email}\n`, 'rejected.csv')
  expect(await plan(rejected)).toBe('planned')
  const discarded = await upload(`name,mobile\n${row}\n`, `${canary.chinese}.csv`)
  await ok(school.call(discardLeadFile, { import_id: discarded }))
  const sheet = await writeXlsx(`${folder.folder}/sheet.xlsx`, [
    ['name', 'mobile'],
    [canary.name, Number(canary.mobile)],
  ])
  const { readFile } = await import('node:fs/promises')
  expect(await plan(await upload(await readFile(sheet), 'sheet.xlsx'))).toBe('planned')
}

/** Orders from a file, with texts on them; undone, and imported again. */
async function bringOrders(): Promise<void> {
  const [organization] = await findOrganizations(server.db.shared, [school.corp_id])
  const account = {
    app_id: 'command-line',
    permissions: ['finance'],
  } as unknown as OrganizationContext['account']
  const context = {
    db: server.db.of(school.corp_id),
    organization: organization!,
    account,
    now: new Date(),
    newId,
  }
  const file = await folder.file(
    'orders.csv',
    'external_id,area_code,mobile,name,currency,listed_price,paid_price,charge_id,remark,payment_comments\n' +
      `o-1,86,${canary.mobile},${canary.name},CNY,100,10,c-1,${canary.remark},${canary.comment}\n` +
      `o-2,86,${canary.mobile},${canary.name},CNY,100,,,${canary.remark},\n`,
  )
  const wanted = { ...context, keyring: testKeyring, cursors: createCursors() } as OrganizationContext
  const first = await importOrders(wanted, file, {})
  expect(first.rows).toMatchObject({ create: 2, reject: 0 })
  await ok(school.call(undoChanges, { batch_id: first.batch_id }))
}

/** An invoice and a receipt, which name the payer. */
async function issueDocuments(user_id: string): Promise<void> {
  const { order_id } = await ok(school.call(createOrder, { user_id, currency: 'CNY', listed_price: 100 }))
  const { payment_id } = await ok(school.call(createPayment, { order_id, price: 100 }))
  const invoice = await ok(school.call(issueDocument, { kind: 'invoice', subject_id: order_id }))
  const receipt = await ok(school.call(issueDocument, { kind: 'receipt', subject_id: payment_id }))
  expect([invoice.payer, receipt.payer]).toEqual([canary.name, canary.name])
}

test('after an erasure, no table holds data of the person, in any spelling', async () => {
  const key = () => ({ 'Idempotency-Key': newId() })
  const contact = { area_code: '86', mobile: canary.mobile }
  const { name, wechat_id, external_id } = canary
  const { user_id } = await ok(school.call(createUser, contact, key()))
  await ok(school.call(importLead, { ...contact, name: canary.chinese, form1_value: written.number }, key()))
  await ok(school.call(updateUser, { user_id, name, wechat_id, external_id }, key()))
  await ok(school.call(updateEmail, { user_id, email: canary.email }, key()))
  for (const other of [{ area_code: '86', mobile: canary.backup }, { email: canary.merged_email }]) {
    const { user_id: merged_user_id } = await ok(school.call(createUser, other, key()))
    await ok(school.call(mergeUsers, { user_id, merged_user_id }, key()))
  }
  await bringOrders()
  await issueDocuments(user_id)
  await bringFiles()
  const texts = [
    canary.chinese,
    ...Object.values(written),
    `x${canary.mobile}`,
    `(${canary.backup})`,
    canary.email,
  ]
  const lines = texts.map((description, n) => ({ price: n + 1, description, reference: `no. ${n}` }))
  await sendStatement((operation, input) => ok(school.call(operation, input)), lines)
  const payers = [
    { name: canary.name, kind: 'person', user_id, ...contact, remarks: canary.remark },
    { name: 'Bird Ltd', kind: 'employer', contact_name: canary.chinese, remarks: written.number },
    { name: written.reversed, kind: 'unknown', reference: canary.comment },
    { name: 'Uncle', email: canary.email },
  ]
  for (const payer of payers) {
    const { payer_id } = await ok(school.call(createPayer, payer, key()))
    await ok(school.call(updatePayer, { payer_id, address: `c/o ${canary.name}` }, key()))
  }
  await ok(school.call(recordReceipt, { payer_user_id: user_id, price: 5, comments: canary.comment }, key()))
  const colleague = await hireStaff(server, school.corp_id, 'admin')
  for (const text of texts)
    await ok(
      colleague.call(saveView, {
        screen: 'people',
        name: text,
        filters: `search=${encodeURIComponent(text)}`,
      }),
    )

  const before = await findTraces(server.database, told)
  expect(before.length).toBeGreaterThan(20)
  await ok(
    server.call(
      eraseUser,
      { corp_id: school.corp_id, user_id, reason: 'Asked for it', confirm_debt: true },
      { token: admin },
    ),
  )
  expect(await findTraces(server.database, told)).toEqual([])
  expect(await checkLedger(server.db, school.corp_id)).toMatchObject({ total: 0 })
})

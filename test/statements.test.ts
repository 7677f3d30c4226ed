import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parse } from 'libpg-query'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadSample } from '../sample/load-sample.ts'
import { linkEntries } from '../src/access/audit/link-entries.ts'
import { findOrganizations } from '../src/access/organizations/organization-store.ts'
import { checkLedger } from '../src/backoffice/finance/check-ledger.ts'
import { closingFigures } from '../src/backoffice/finance/explain-closing-store.ts'
import { figures } from '../src/backoffice/finance/explain-store.ts'
import { exportFinancialRows } from '../src/backoffice/finance/export-financial-rows.ts'
import { exportMoney } from '../src/backoffice/finance/export-money.ts'
import { importOrders } from '../src/changes/order-import/import-orders.ts'
import { newId } from '../src/contract/new-id.ts'
import type { Database } from '../src/database/database.ts'
import { rebuildDerivedData } from '../src/derived/derived-data.ts'
import { endpoints } from '../src/endpoints.ts'
import { addEvents } from '../src/events/add-events.ts'
import { maintain } from '../src/maintenance.ts'
import { createCursors } from '../src/search/cursors.ts'
import { createTestDatabase } from './harness/database.ts'
import { testKeyring } from './harness/keyring.ts'
import { insertPlainOrders, insertPlainUser, plainOrder } from './harness/orders.ts'
import { openOrganization } from './harness/organization.ts'
import { recordedStatements } from './harness/recorded-statements.ts'
import { startTestServer, type TestServer } from './harness/server.ts'
import { keyFaults, lintStatement, logicIn, tenantFaults } from './harness/statement-lint.ts'

describe('every statement of the stores', () => {
  const called = new Set<string>()
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer('matricula', {
      publicUrl: new URL('http://localhost:8080'),
      sendsMail: true,
    })
    const school = await openOrganization(server)
    const on = server.db.of(school.corp_id)
    const user_id = await insertPlainUser(on, school.corp_id)
    const order = plainOrder()
    await insertPlainOrders(on, school.corp_id, user_id, [order])

    const call = async (id: string, input: Record<string, unknown>) => {
      called.add(id)
      const { code, msg, data } = await school.call(endpoints.find((endpoint) => endpoint.id === id)!, input)
      if (code !== 0) throw new Error(`${id}: ${code} ${msg}`)
      return data
    }
    const group = {
      name: 'Group',
      variable_name: newId(),
      description: 'Group',
      attribute: 'string',
      category: 'lint',
    }
    const { tags_group_id: entity_id } = await call('createTagGroup', group)
    await call('listTagGroups', { category: 'lint', start_index: 0, step: 10 })
    await call('updateTagGroup', { entity_id, ...group })
    await call('deactivateTagGroup', { entity_id })
    await call('activateTagGroup', { entity_id })
    await call('assignUserTag', { tags_group_id: entity_id, user_id, value: 'x' })
    await call('listUserTags', { user_id })
    await call('createUser', { area_code: '86', mobile: '13800138000' })
    await call('createUser', { email: 'lint@example.com' })
    await call('fetchProfile', { user_id })
    await call('updateOwner', { user_id, owner_id: 'a', event_type: 'add' })
    await call('updateOwner', { user_id, owner_id: 'a', event_type: 'remove' })
    await call('updatePool', { user_id, pool: 'alive' })
    await call('updateEmail', { user_id, email: 'x@example.com' })
    await call('updateMobile', { user_id, area_code: '86', mobile: '13900000098' })
    await call('fetchUser', { user_id })
    await call('updateUser', { user_id, name: 'X', city: 'Y' })
    await call('listLeadFiles', {})
    await call('fetchContact', { user_id, contact_type: 'email' })
    await call('fetchOrder', { order_id: order.order_id })
    for (const list of ['listOrders', 'listFinancialRows']) {
      await call(list, {})
      await call(list, { start_date: '2024-01-01', end_date: '2030-01-01', status: 'created' })
      await call(list, { time_range_type: 'modify', page_size: 1 })
      await call(list, { time_range_type: 'modify', page_size: 1, page: 1 })
    }
    await call('importLead', { user_id, entry_id: 'lint' })
    await callIntake(call, user_id, entity_id)
    await callChanges(call, user_id)
    await callAdditions(call, user_id)
    await workBesideCalls(server.db, school.corp_id)
    await linkEntries(server.db, school.corp_id)
    await addEvents(server.db, school.corp_id)
    await call('describeOrganization', {})
    await call('fetchUsage', {})
    for (const list of ['listUsers', 'listLeads'])
      for (const page of [0, 1]) await call(list, { time_range_type: 'modify', page_size: 1, page })
    for (const page of [0, 1]) await call('listOrders', { include_deleted: true, page_size: 1, page })
    await call('listEventTypes', {})
    const { list } = await call('listEvents', { limit: 1, types: 'user.*' })
    await call('fetchEvent', { event_id: list[0].event_id })
    await call('listRecordEvents', { record_id: user_id })
  })
  afterAll(() => server.close())

  test('was recorded: each operation on records was called', () => {
    const operations = endpoints.filter(({ scope }) => scope === 'organization')
    expect([...called].sort()).toEqual(operations.map(({ id }) => id).sort())
    expect(recordedStatements().length).toBeGreaterThan(80)
  })

  test('passes the lint, which also checks the statements of all other tests at the end of a run', async () => {
    for (const text of recordedStatements()) expect(await lintStatement(text), text).toEqual([])
  })
})

/** Lead files, bulk edits and undos. */
async function callChanges(
  call: (id: string, input: Record<string, unknown>) => Promise<Record<string, never>>,
  user_id: string,
): Promise<void> {
  const file = Buffer.from('mobile\n13800138001\n')
  const { import_id } = await call('createLeadFile', { file_name: 'lint.csv', bytes: file.length })
  await call('appendLeadFile', { import_id, start: 0, content: file.toString('base64') })
  await call('planLeadFile', { import_id })
  while ((await call('fetchLeadFile', { import_id })).state !== ('planned' as never)) await pause(50)
  await call('previewLeadFile', { import_id })
  await call('listLeadFileRows', { import_id })
  await call('listLeadFileValues', { import_id })
  await call('commitLeadFile', { import_id })
  const unwanted = await call('createLeadFile', { file_name: 'lint.csv', bytes: file.length })
  await call('discardLeadFile', { import_id: unwanted.import_id })
  const { batch_id } = await call('bulkUpdateUsers', { user_ids: [user_id], pool: 'dead', dry_run: false })
  await call('fetchChanges', { batch_id })
  await call('listLeftAloneRecords', { batch_id })
  await call('undoChanges', { batch_id })
  const { user_id: merged_user_id } = await call('createUser', { email: 'merged@example.com' })
  await call('previewMerge', { user_id, merged_user_id })
  const { merge_id } = await call('mergeUsers', { user_id, merged_user_id })
  await call('unmergeUsers', { merge_id })
}

/** Leads, lists of people, and work of advisers. */
async function callIntake(
  call: (id: string, input: Record<string, unknown>) => Promise<Record<string, never>>,
  user_id: string,
  tags_group_id: string,
): Promise<void> {
  const contact = { area_code: '86', mobile: '13800138000' }
  const lead = { ...contact, name: '王小明', course_code: 'lint', utm_source: 'lint', owner_ids: ['a'] }
  await call('takeLead', { area_code: '86', mobile: '13900000096', note: 'x' })
  const { list } = await call('importLeads', {
    leads: [lead, { user_id, name: 'Lint', company_name: 'Lint' }],
  })
  const [{ lead_id }] = list as unknown as [{ lead_id: string }]
  await call('fetchLead', { lead_id })
  for (const filter of [
    {},
    { user_id },
    { utm_source: 'lint', course_code: 'lint' },
    { page_size: 1, page: 1 },
  ])
    for (const dates of [{}, { start_date: '2024-01-01', end_date: '2030-01-01' }])
      await call('listLeads', { ...filter, ...dates })
  for (const filter of [
    { pool: 'public' },
    { name: '王小', tags_group_id },
    { tags_group_id, tag_value: 'x' },
  ])
    for (const page of [0, 1]) await call('listUsers', { ...filter, page, page_size: 1 })
  await call('searchUsers', { q: '+86 138-0013-8000' })
  await call('listDuplicates', {})
  await call('listDuplicates', { user_id })
  await call('updatePool', { user_id, pool: 'public' })
  await call('claimUser', { user_id, owner_id: 'a' })
  await call('createFollowUp', { user_id, content: 'lint' })
  await call('listFollowUps', { user_id })
  await call('releaseUser', { user_id, owner_id: 'a' })
  await call('listUserHistory', { user_id })
}

/** Orders from their creation to their refund, and offerings. */
async function callAdditions(
  call: (id: string, input: Record<string, unknown>) => Promise<Record<string, never>>,
  user_id: string,
): Promise<void> {
  const offering = { name: 'Course', currency: 'CNY' }
  const course = { ...offering, course_code: 'lint', listed_price: 1000 }
  const { course_id } = await call('upsertCourse', course)
  await call('upsertCourse', { ...course, course_id, version: 1 })
  const { batch_id } = await call('upsertBatch', { course_id, name: 'Spring' })
  await call('upsertBatch', { batch_id, course_id, name: 'Summer' })
  await call('upsertCoupon', { coupon_id: 'lint', basis_points: 500 })
  await call('upsertCoupon', { coupon_id: 'lint', basis_points: 600 })
  for (const list of ['listCourses', 'listBatches', 'listCoupons']) await call(list, {})
  const order = { user_id, currency: 'CNY', listed_price: 1000 }
  for (const external_id of ['lint', 'lint']) await call('createOrder', { ...order, external_id })
  const made = await call('createOrder', { user_id, course_id, batch_id, coupon_ids: ['lint'] })
  const { order_id } = made
  await call('updateOrder', { order_id, version: 1, contract_id: 'lint' })
  await call('createRemark', { order_id, content: 'lint' })
  const payment = { order_id, price: 500, currency: 'CNY', source: 'payment_gateway', charge_id: 'lint' }
  const completed_time = '2024-03-11 09:30:00'
  for (let n = 0; n < 2; n++) await call('createPayment', { ...payment, completed_time })
  const [sub_order_id] = made.sub_order_ids as unknown as string[]
  for (let n = 0; n < 2; n++)
    await call('createRefund', { order_id, sub_order_id, price: 1, charge_id: 'r', reason: 'Agreed' })
  await call('listApprovals', {})
  await call('listApprovals', { state: 'waiting' })
  for (const id of ['approveRequest', 'declineRequest'])
    await call(id, { request_id: 'none' }).catch(() => undefined)
  await moveMoney(call, { user_id, currency: 'CNY', listed_price: 1000 })
  await call('updateStatus', { order_id, status: 'locked' })
  await call('listHistory', { order_id })
  await call('explainOrder', { order_id })
  await call('ageDebts', {})
  for (const figure of figures) await call('explainFigure', { figure, order_id })
  await call('closePeriod', { until: '2020-01-31' })
  for (const figure of closingFigures) await call('explainFigure', { figure, until: '2020-01-31' })
  await call('reverseClosing', { until: '2020-01-31', reason: 'lint' })
  await reconcile(call)
  await callReports(call, user_id)
}

/** A statement whose lines are matched, booked, ignored and opened again. */
async function reconcile(call: Call): Promise<void> {
  const { account_id } = await call('createBankAccount', { name: 'lint' })
  const opened = { account_id, name: 'lint', opening_price: 0, closing_price: 100 }
  const { statement_id } = await call('openStatement', opened)
  await call('openStatement', opened)
  const lines = [100, -50].map((price) => ({ value_date: '2024-03-11', price }))
  await call('appendStatementLines', { statement_id, first_number: 1, lines })
  await call('confirmCertainMatches', { statement_id })
  for (const filter of [{}, { account_id, state: 'open', amount: 100 }, { statement_id, search: 'lint' }])
    await call('listBankLines', { ...filter, with_proposals: true })
  const { list } = await call('listBankLines', { statement_id })
  const [outgoing, incoming] = (list as unknown as { line_id: string; price: number }[]).toSorted(
    (a, b) => a.price - b.price,
  )
  await call('matchBankLines', { line_ids: [incoming!.line_id], book: [{ as: 'unidentified', price: 100 }] })
  await call('ignoreBankLines', { line_ids: [outgoing!.line_id], reason: 'lint' })
  await call('unmatchBankLines', { line_ids: [incoming!.line_id] })
  await call('unmatchBankLines', { line_ids: [outgoing!.line_id] })
  const content = Buffer.from('date,amount\n2024-03-11,0.50\n').toString('base64')
  const other = await call('createBankAccount', { name: 'lint gateway', provider: 'lint' })
  const uploaded = { account_id: other.account_id, file_name: 'lint.csv' }
  const whole = await call('createStatementFile', { ...uploaded, bytes: 28, content })
  await call('importStatementFile', { file_id: whole.file_id })
  const pieces = await call('createStatementFile', { ...uploaded, bytes: 28 })
  await call('appendStatementFile', { file_id: pieces.file_id, start: 0, content })
  await call('importStatementFile', { file_id: pieces.file_id })
  const received = await call('listBankLines', { account_id: other.account_id })
  const other_line_id = (received.list as unknown as { line_id: string }[])[0]!.line_id
  for (const scope of [{ account_id: other.account_id }, { statement_id, dry_run: true }])
    await call('confirmCertainMatches', scope)
  await call('transferBankLines', { line_id: outgoing!.line_id, other_line_id })
  await call('listBankAccounts', {})
  await call('listStatements', { account_id })
  for (const filter of [{}, { currency: 'CNY', amount: 1, search: 'lint' }])
    for (const list of ['listUnmatchedPayments', 'listUnmatchedRefunds']) await call(list, filter)
}

/** Searches, figures with their rows, and files of them. */
async function callReports(call: Call, user_id: string): Promise<void> {
  for (const filter of [
    {},
    { user_id, status: 'created' },
    { q: 'lint' },
    { owing: 'overdue', page: 1, page_size: 1 },
  ])
    await call('searchOrders', filter)
  const thisYear = { start_date: '2026-01-01', end_date: '2026-12-31' }
  for (const by of ['month', 'channel', 'campaign', 'owner']) {
    await call('readFunnelNumbers', { ...thisYear, by })
    await call('listFunnelLeads', { ...thisYear, by, stage: 'paid' })
  }
  await call('listDebts', { currency: 'CNY' })
  await call('readReceiptsNumbers', thisYear)
  await call('listReceiptsRows', { ...thisYear, currency: 'CNY' })
  await call('listClosings', {})
  const { export_id } = await call('createExport', { what: 'payments', format: 'csv' })
  while ((await call('fetchExport', { export_id })).state !== ('done' as never)) await pause(50)
  await call('listExports', {})
}

type Call = (id: string, input: Record<string, unknown>) => Promise<Record<string, never>>

async function moveMoney(call: Call, order: Record<string, unknown>): Promise<void> {
  const { order_id: from_order_id } = await call('createOrder', order)
  const { order_id: to_order_id } = await call('createOrder', order)
  const { payment_id } = await call('createPayment', { order_id: from_order_id, price: 500 })
  const reason = 'lint'
  await call('unapplyPayment', { payment_id, order_id: from_order_id })
  await call('applyPayment', { payment_id, order_id: from_order_id })
  const { transfer_id } = await call('transferMoney', { from_order_id, to_order_id, price: 100, reason })
  await call('reverseTransfer', { transfer_id, reason })
  await call('issueDocument', { kind: 'receipt', subject_id: payment_id })
  const { refund_id } = await call('createRefund', { order_id: from_order_id, price: 1, reason })
  await call('issueDocument', { kind: 'credit_note', subject_id: refund_id })
  await call('reverseRefund', { refund_id, reason })
  await call('voidPayment', { payment_id, reason })
  await call('reverseVoid', { payment_id, reason })
  const { order_id: dollars } = await call('createOrder', {
    ...order,
    external_id: undefined,
    currency: 'USD',
  })
  await call('movePayment', { payment_id, to_order_id: dollars, settled_price: 7, reason })
  await call('listOrderMoney', { order_id: from_order_id })
  const { payment_request_id, path } = await call('requestPayment', { order_id: from_order_id })
  const payer = await call('createPayer', { kind: 'parent', name: 'Payer', email: 'payer@example.com' })
  const mailed = { payment_request_id, token: String(path).split('/').at(-1), payer_id: payer.payer_id }
  await call('mailPaymentRequest', mailed)
  for (const filter of [{}, { order_id: from_order_id }]) await call('listPaymentRequests', filter)
  await call('revokePaymentRequest', { payment_request_id })
  await call('revokePaymentRequest', { payment_request_id })
  const { document_id } = await call('issueDocument', { kind: 'invoice', subject_id: from_order_id })
  for (const filter of [{}, { kind: 'invoice', order_id: from_order_id, start_date: '2024-01-01' }])
    await call('listDocuments', filter)
  await call('listDocuments', { year: 2024, user_id: order.user_id })
  await call('fetchDocument', { document_id })
  await call('printDocument', { document_id })
  await call('createRefund', { order_id: to_order_id, price: 1, reason: 'Agreed' }).catch(() => undefined)
  await call('writeOffOrder', { order_id: to_order_id, reason })
  await call('reverseWriteOff', { order_id: to_order_id, reason })
  const filter = { start_date: '2024-01-01', end_date: '2024-12-31', method: 'card', provider: 'bank' }
  for (const list of ['listPayments', 'listRefunds']) {
    await call(list, {})
    await call(list, { ...filter, order_id: from_order_id })
  }
  await call('listPayments', { state: 'unapplied' })
  await callPayers(call, { ...order, payment_id, order_id: to_order_id })
}

async function callPayers(
  call: Call,
  { payment_id, user_id, order_id }: Record<string, unknown>,
): Promise<void> {
  const { payer_id } = await call('createPayer', { name: 'lint', user_id })
  await call('updatePayer', { payer_id, name: 'Lint', user_id })
  await call('fetchPayer', { payer_id })
  await call('fetchPayerContact', { payer_id, contact_type: 'email' })
  for (const filter of [{}, { search: 'lint', kind: 'other', user_id }]) await call('listPayers', filter)
  await call('assignPayer', { payment_id, payer_id })
  await call('listPayments', { payer_id })
  const receipt = { price: 10, charge_id: 'lint receipt', allocations: [{ order_id, price: 1 }] }
  for (const payer of [{ payer_user_id: user_id }, { payer_user_id: user_id }, { payer_name: 'lint' }])
    await call('recordReceipt', { ...receipt, ...payer })
  await call('recordReceipt', { payer_name: 'lint', price: 1 })
  const days = { start_date: '2024-01-01', end_date: '2099-12-31' }
  await call('listUnallocated', { payer_id, currency: 'CNY', ...days })
  for (const filter of [{}, { ...days, currency: 'CNY' }]) {
    await call('fetchPayerStatement', { payer_id, ...filter })
    await call('exportPayerStatement', { payer_id, ...filter })
  }
  await call('agePayers', {})
  await call('listDocuments', { payer_id })
  await call('fetchTakings', {})
  const cashUp = { day: '2024-03-11', clerk_id: 'lint', lines: [] }
  const { cash_up_id } = await call('createCashUp', cashUp)
  const line = { method: 'cash', currency: 'CNY', counted_price: 1, reason: 'lint' }
  await call('createCashUp', { ...cashUp, lines: [line], corrects: cash_up_id, reason: 'lint' })
  await call('fetchTakings', { day: '2024-03-11', clerk_id: 'lint' })
  await call('listCashUps', { ...days, clerk_id: 'lint' })
}

/** Work without a request: maintenance, and commands over whole organizations. */
async function workBesideCalls(db: Database, corp_id: string): Promise<void> {
  const ended = new AbortController()
  const maintenance = maintain(db, pino({ level: 'silent' }), 60_000, ended.signal, testKeyring)
  await rebuildDerivedData(db.of(corp_id), corp_id)
  await checkLedger(db, corp_id)
  const folder = await mkdtemp(join(tmpdir(), 'matricula-lint-'))
  const out = join(folder, 'rows.csv')
  await exportFinancialRows({ db }, { corp_id, format: 'csv', out })
  for (const what of ['payments', 'refunds'] as const)
    await exportMoney({ db }, { corp_id, format: 'csv', out: `${out}.${what}`, what })
  const file = join(folder, 'orders.csv')
  for (const contract of ['C-1', 'C-2']) {
    await writeFile(
      file,
      `external_id,email,currency,listed_price,contract_id,paid_price\nimported,a@x.com,CNY,100,${contract},10\n`,
    )
    const [organization] = await findOrganizations(db.shared, [corp_id])
    const context = {
      db: db.of(corp_id),
      organization: organization!,
      now: new Date(),
      newId,
      cursors: createCursors(),
      role: undefined,
      reach: 'everyone' as const,
      keyring: testKeyring,
    }
    const report = await importOrders({ ...context, account: { app_id: 'lint' } as never }, file, {})
    if (report.rows.reject > 0) throw new Error(`${report.first_rejects[0]!.reason}`)
  }
  await rm(folder, { recursive: true })
  const empty = await createTestDatabase()
  await loadSample(empty.owner, testKeyring, async () => undefined)
  await empty.drop()
  ended.abort()
  await maintenance
}

test.each([
  'select name from users where user_id = $1',
  'select o.order_id from orders o join users u on u.user_id = o.user_id where o.corp_id = $1',
  'update users set name = $1 where user_id = $2',
  'delete from leads where lead_id = $1',
  'insert into leads (lead_id) values ($1)',
  'select (select count(*) from payments p where p.order_id = o.order_id) from orders o where o.corp_id = $1',
  'with a as (select user_id from users) select user_id from a',
  'select user_id from users where corp_id = $1 union all select user_id from users where user_id = $2',
  'select user_id from users where user_id = $1 union all select user_id from users where corp_id = $2',
  'select name from users where corp_id = $1 or user_id = $2',
  'select name from users where not corp_id = $1',
  'select name from users where corp_id <> $1',
  'select name from users where corp_id = corp_id',
  'select o.order_id from orders o where o.corp_id = o.corp_id',
  'select u.name from users u left join orders o on u.corp_id = $1 and o.corp_id = $1',
  'update users set owner_ids = $1 from orders o where o.corp_id = $2',
  'select o.order_id from orders o join users u on u.corp_id = o.corp_id',
  'select o.order_id from orders o left join users u on u.user_id = o.user_id where o.corp_id = $1',
  'select name from staff where staff_id = $1',
  'select name from staff where email_key = email_key',
  'select name from staff where email_key = $1 or true',
  'select name from staff where email_key = $1 for update',
  'select s.name from staff s join staff_passkeys k on k.staff_id = s.staff_id where s.email_key = $1',
  'update staff set name = $1 where email_key = $2',
  'delete from staff_passkeys where credential_id = $1',
])('the lint finds the missing organization in: %s', async (text) => {
  expect(tenantFaults(await parse(text))).not.toEqual([])
})

test.each([
  'select o.order_id from orders o left join users u on u.corp_id = o.corp_id where o.corp_id = $1',
  'select o.order_id from orders o join users u on u.corp_id = o.corp_id where u.corp_id = $1',
  'select name from staff where email_key = lower($1) and not is_disabled order by corp_id',
  'select public_key from staff_passkeys where credential_id = $1',
])('the lint takes: %s', async (text) => {
  expect(tenantFaults(await parse(text))).toEqual([])
})

test.each([
  'select distinct o.corp_id from orders o',
  'select s.corp_id from sub_orders s join orders o on o.corp_id = s.corp_id and o.order_id = s.order_id',
  'select c.corp_id from user_claims c where not exists (select from claim_rules r where r.corp_id = c.corp_id)',
  'select h.corp_id from audit_heads h union select w.corp_id from audit_waiting w',
])('the lint takes the survey: %s', async (text) => {
  expect(await lintStatement(`/* survey */${text}`)).toEqual([])
  expect(await lintStatement(text)).not.toEqual([])
})

test.each([
  'select u.corp_id from users u',
  'select o.corp_id, o.external_id from orders o',
  'select o.corp_id from orders o union select o.external_id from orders o',
  'select s.corp_id from sub_orders s join orders o on o.order_id = s.order_id',
  'select c.corp_id from user_claims c where exists (select from claim_rules r where r.idle_days > 1)',
  'select o.corp_id from orders o for update',
  'delete from idempotency_keys k returning k.corp_id',
  'select o.corp_id from organizations o left join quotas q on q.corp_id = o.corp_id where q.corp_id is null',
])('the lint refuses the survey: %s', async (text) => {
  expect(await lintStatement(`/* survey */${text}`)).not.toEqual([])
})

test.each([
  'create table users (corp_id text, user_id text primary key)',
  'create table users (corp_id text, user_id text unique)',
  'create table users (corp_id text, user_id text, primary key (user_id))',
  'create table users (corp_id text, user_id text, primary key (user_id, corp_id))',
  'create table users (corp_id text, user_id text, unique (user_id))',
  'create table leads (corp_id text, user_id text references users (user_id))',
  'create table leads (corp_id text, user_id text, foreign key (user_id) references users (user_id))',
  'create table leads (corp_id text, user_id text, foreign key (corp_id, user_id) references users (user_id, corp_id))',
  'alter table leads add constraint c unique (lead_id)',
  'create unique index i on users (email_key)',
  'create unique index i on users (email_key, corp_id)',
  `create policy p on users using (corp_id = (select current_setting('app.corp_id', true)))`,
  'insert into users (corp_id, user_id) values ($1, $2) on conflict (user_id) do nothing',
  'update users set corp_id = $1 where corp_id = $2',
  `update users set attributes = case when $1 then jsonb_build_object('a', $2) else attributes end where corp_id = $3`,
])('the lint finds the key that would not shard in: %s', async (text) => {
  expect(keyFaults(await parse(text))).not.toEqual([])
})

test('every key of the schema begins with corp_id, and no policy reads a table', async () => {
  const files = await schemaFiles()
  expect(files.length).toBeGreaterThan(2)
  for (const { name, text } of files) expect(keyFaults(await parse(text)), name).toEqual([])
})

test('the schema holds no logic: no triggers, functions, sequences or notifications', async () => {
  for (const { name, text } of await schemaFiles()) expect(logicIn(await parse(text)), name).toEqual([])
})

/** The tables of version 1, and the migrations since. */
async function schemaFiles(): Promise<{ name: string; text: string }[]> {
  const folders = ['schema', 'migrations'].map((name) => join(import.meta.dirname, '..', name))
  const names = await Promise.all(
    folders.map(async (folder) => (await readdir(folder)).map((file) => join(folder, file))),
  )
  const files = names.flat().filter((name) => name.endsWith('.sql'))
  return Promise.all(files.map(async (name) => ({ name, text: await readFile(name, 'utf8') })))
}

test.each([
  'create trigger t before insert on users for each row execute function f()',
  `create function f() returns int language sql as 'select 1'`,
  `create procedure f() language sql as 'select 1'`,
  'create sequence s',
  'create table t (id serial primary key)',
  'create table t (id bigserial)',
  'create table t (id int generated always as identity)',
  `create table t (id int default nextval('s'))`,
  'alter table t alter column id add generated by default as identity',
  'alter table t add column id smallserial',
  'listen c',
  'notify c',
  `select pg_notify('c', '')`,
  'do $$ begin end $$',
  'create rule r as on insert to users do nothing',
])('the lint finds the logic in: %s', async (text) => {
  expect(logicIn(await parse(text))).not.toEqual([])
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendStatement } from '../../../test/harness/bank-lines.ts'
import { ok } from '../../../test/harness/expect-success.ts'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { type Counter, openCounter } from '../../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { hireStaff } from '../../../test/harness/staff.ts'
import { findTraces } from '../../../test/support/traces.ts'
import { createAccount } from '../../access/organizations/manage-accounts.ts'
import { findOrganizations } from '../../access/organizations/organization-store.ts'
import { saveView } from '../../backoffice/console/views.ts'
import { issueDocument } from '../../backoffice/documents/issue-document.ts'
import { fetchDocument } from '../../backoffice/documents/list-documents.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { fetchPayerStatement } from '../../backoffice/finance/payers/fetch-statement.ts'
import { confirmCertainMatches } from '../../backoffice/finance/reconciliation/settle-bank-lines.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { newId } from '../../contract/new-id.ts'
import { createOrder } from '../../orders/create-order.ts'
import { assignPayer } from '../../orders/payers/assign-payer.ts'
import { createPayer } from '../../orders/payers/create-payer.ts'
import { fetchPayer } from '../../orders/payers/list-payers.ts'
import { updatePayer } from '../../orders/payers/update-payer.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { recordReceipt } from '../../orders/payments/record-receipt.ts'
import { createUser } from '../../people/users/create-user.ts'
import { applyErasures } from './apply-erasures.ts'
import { erasePayer } from './erase-payer.ts'
import { readLists } from './erasure-list.ts'
import { liftErasure } from './lift-erasure.ts'
import { listErasures } from './list-erasures.ts'

const canary = {
  mobile: '18866655544',
  email: 'payer.finch@birds.example',
  name: 'Fringilla Buchfink',
  contact: '雀跃枝头',
  address: '7 Aviary Lane',
  tax: 'TAX-FINCH-77',
  reference: 'FINCH-NO-9',
  remarks: 'prefers sunflower seeds',
  comment: 'brought in an envelope by the birdwatcher',
}

let server: TestServer
let school: Counter
let admin: string
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openCounter(server)
  const wanted = { name: 'Admin', corp_ids: [school.corp_id], permissions: ['read', 'write', 'admin'] }
  admin = await server.tokenOf(await createAccount(server.database.owner, testKeyring, wanted, new Date()))
})
afterAll(() => server?.close())

const administer = (endpoint: Endpoint, input: object = {}) =>
  server.call(endpoint, { corp_id: school.corp_id, ...input }, { token: admin })

const erase = (payer_id: string, more: object = {}) =>
  administer(erasePayer, { payer_id, reason: 'Asked for it', ...more })

const key = () => ({ 'Idempotency-Key': newId() })

test('after the erasure of a payer, no table holds its data, and documents and sums stay', async () => {
  const { payer_id } = await ok(
    school.call(
      createPayer,
      {
        ...{ kind: 'parent', name: canary.name, contact_name: canary.contact, area_code: '86' },
        ...{ mobile: canary.mobile, email: canary.email, address: canary.address },
        ...{ tax_number: canary.tax, reference: canary.reference },
      },
      key(),
    ),
  )
  await ok(school.call(updatePayer, { payer_id, remarks: canary.remarks }, key()))
  const company = { kind: 'employer', name: 'Bird Ltd', contact_name: canary.name, remarks: canary.mobile }
  const { payer_id: company_id } = await ok(school.call(createPayer, company, key()))
  const { order_id } = await school.order({ listed_price: 100, installment_count: 1 })
  const allocations = [{ order_id, price: 100 }]
  const charge = { charge_id: 'bird-1', comments: canary.comment, method: 'transfer' }
  const receipt = { payer_id, price: 100, ...charge, allocations }
  const { payment_id } = await ok(school.call(recordReceipt, receipt, key()))
  const other = await school.order({ listed_price: 50, installment_count: 1 })
  const direct = await ok(
    school.call(
      createPayment,
      { order_id: other.order_id, price: 50, payer_id, comments: canary.comment },
      key(),
    ),
  )
  const documents = await Promise.all(
    [payment_id, direct.payment_id].map((subject_id) =>
      ok(school.call(issueDocument, { kind: 'receipt', subject_id }, key())),
    ),
  )
  const lines = [canary.name, canary.mobile, `Buchfink, Fringilla`, canary.email].map((payer, n) => ({
    ...{ price: n + 1, payer, description: `from ${payer}`, reference: `line ${n}` },
  }))
  const matched = { price: 100, charge_id: 'bird-1', payer: 'F. B.', description: canary.comment }
  const run: Parameters<typeof sendStatement>[0] = (operation, input) => ok(school.call(operation, input))
  const { statement_id } = await sendStatement(run, [...lines, matched])
  expect(await run(confirmCertainMatches, { statement_id })).toEqual({ matched: 1, remaining: 0 })
  const colleague = await hireStaff(server, school.corp_id, 'admin')
  const view = { screen: 'people', name: canary.name, filters: `search=${canary.mobile}` }
  await ok(colleague.call(saveView, view))

  const told = Object.values(canary)
  expect((await findTraces(server.database, told)).length).toBeGreaterThan(8)
  expect(await ok(erase(payer_id))).toEqual({ payer_id, is_erased: true })
  expect(await findTraces(server.database, told)).toEqual([])
  expect(await ok(erase(payer_id))).toEqual({ payer_id, is_erased: false })

  expect(await checkLedger(server.db, school.corp_id)).toMatchObject({ total: 0 })
  const statement = await ok(school.call(fetchPayerStatement, { payer_id }))
  expect(statement).toMatchObject({ name: '', balances: [{ received_price: 150, closing_price: 150 }] })
  for (const { document_id, number } of documents)
    expect(await ok(school.call(fetchDocument, { document_id }))).toMatchObject({ number, payer: '' })
  expect(await ok(school.call(fetchPayer, { payer_id: company_id }))).toMatchObject({
    ...{ name: 'Bird Ltd', contact_name: '', remarks: '' },
  })
  expect(await school.call(assignPayer, { payment_id: direct.payment_id })).toMatchObject({ code: 40904 })
  const { rows } = await server.database.superuser.query(
    `select action, operation from audit_entries where corp_id = $1 and record_id = $2 order by entry_id`,
    [school.corp_id, payer_id],
  )
  expect(rows.at(-1)).toEqual({ action: 'erased', operation: 'erasePayer' })
  const { list } = await ok(administer(listErasures))
  expect(list).toMatchObject([{ user_id: payer_id, kind: 'payer', contacts: 2, is_complete: true }])
  expect(await ok(administer(liftErasure, { email: canary.email }))).toMatchObject({ user_ids: [payer_id] })
})

test('a receipt that names a student besides the erased payer keeps the student', async () => {
  const { user_id } = await ok(school.call(createUser, { area_code: '86', mobile: '13800138044' }))
  await server.database.superuser.query(`update users set name = 'Wren' where user_id = $1`, [user_id])
  const { payer_id } = await ok(school.call(createPayer, { name: 'Aunt Mei' }))
  const { order_id } = await ok(school.call(createOrder, { user_id, currency: 'CNY', listed_price: 10 }))
  const allocations = [{ order_id, price: 10 }]
  const { payment_id } = await ok(school.call(recordReceipt, { payer_id, price: 10, allocations }))
  const { document_id } = await ok(school.call(issueDocument, { kind: 'receipt', subject_id: payment_id }))
  await ok(erase(payer_id))
  expect(await ok(school.call(fetchDocument, { document_id }))).toMatchObject({ payer: '', student: 'Wren' })
})

describe('a payer', () => {
  test('with debts or unallocated money is erased only if confirmed', async () => {
    const { payer_id } = await ok(school.call(createPayer, { name: 'Aunt Lin' }))
    const { order_id } = await school.order({ listed_price: 100, installment_count: 1 })
    const allocations = [{ order_id, price: 40 }]
    await ok(school.call(recordReceipt, { payer_id, price: 45, allocations }))
    const refused = await erase(payer_id)
    expect(refused).toMatchObject({ code: 40904, data: { reason: 'payer_has_money' } })
    expect(refused.msg).toContain('owes 0.60 CNY')
    expect(refused.msg).toContain('0.05 CNY of its money')
    expect((await ok(school.call(fetchPayer, { payer_id }))).name).toBe('Aunt Lin')
    await ok(erase(payer_id, { confirm_debt: true }))
    expect((await ok(school.call(fetchPayer, { payer_id }))).name).toBe('')
  })

  test('that is a user is erased with the user only', async () => {
    const payer = { name: 'Somebody', user_id: school.user_id }
    const { payer_id } = await ok(school.call(createPayer, payer))
    expect(await erase(payer_id)).toMatchObject({ code: 40904, data: { reason: 'payer_is_user' } })
  })

  test('does not block a contact of a user in files', async () => {
    const shared = { area_code: '86', mobile: '13800138000', email: 'aunt.yu@birds.example' }
    const { payer_id } = await ok(school.call(createPayer, { name: 'Aunt Yu', ...shared }))
    await ok(erase(payer_id))
    const { list } = await ok(administer(listErasures))
    expect(list.find(({ user_id }: { user_id: string }) => user_id === payer_id).contacts).toBe(1)
    const { code } = await administer(liftErasure, { area_code: '86', mobile: '13800138000' })
    expect(code).toBe(40429)
  })

  test('that a restore brought back is erased again', async () => {
    const { corp_id } = school
    const [organization] = await findOrganizations(server.db.shared, [corp_id])
    const { payer_id } = await ok(
      school.call(createPayer, { name: 'Aunt Fang', email: 'fang@birds.example' }),
    )
    const person = { kind: 'person' as const, corp_id, user_id: payer_id, person_id: payer_id }
    const listed = await readLists([])
    listed.set(organization!.corp_id, {
      ...{ key: undefined, contacts: new Map() },
      people: new Map([[payer_id, { ...person, at: new Date().toISOString() }]]),
    })
    const applied = await applyErasures(server.db, listed, testKeyring)
    expect(applied).toMatchObject({ erased: [{ user_id: payer_id }], failed: [] })
    expect((await ok(school.call(fetchPayer, { payer_id }))).name).toBe('')
    expect(await applyErasures(server.db, listed, testKeyring)).toMatchObject({ erased: [], failed: [] })
  })
})

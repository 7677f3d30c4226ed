import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { createPayment } from '../payments/create-payment.ts'
import { listPayments } from '../payments/list-payments.ts'
import { assignPayer } from './assign-payer.ts'
import { createPayer } from './create-payer.ts'
import { fetchPayer, listPayers } from './list-payers.ts'
import { updatePayer } from './update-payer.ts'

let database: TestDatabase
let school: TestLedger
beforeAll(async () => {
  database = await createTestDatabase()
  school = await openLedger(database)
})
afterAll(() => database.drop())

const employer = { kind: 'employer', name: 'Harbour Logistics', tax_number: 'T-1', reference: 'D-1' }

async function auditOf(record_id: string): Promise<{ action: string; operation: string }[]> {
  const { rows } = await database.superuser.query(
    `select action, operation, before, after from audit_entries where corp_id = $1 and record_id = $2 order by entry_id`,
    [school.corp_id, record_id],
  )
  return rows
}

describe('a payer', () => {
  test('is created, found by a part of its texts, and changed', async () => {
    const { payer_id } = await school.run(createPayer, employer)
    const found = await school.run(listPayers, { search: 'LOGIST' })
    expect(found).toMatchObject({ total: 1, list: [{ payer_id, ...employer, version: 1 }] })
    expect((await school.run(listPayers, { search: '%' })).total).toBe(0)
    const change = { payer_id, version: 1, contact_name: 'Chen Jie', tax_number: '' }
    expect(await school.run(updatePayer, change)).toEqual({ payer_id, version: 2 })
    expect(await school.run(updatePayer, { payer_id, contact_name: 'Chen Jie' })).toEqual({
      payer_id,
      version: 2,
    })
    expect(await school.run(fetchPayer, { payer_id })).toMatchObject({
      ...{ name: 'Harbour Logistics', contact_name: 'Chen Jie', tax_number: '', reference: 'D-1' },
    })
    await expect(school.run(updatePayer, change)).rejects.toMatchObject({ code: 40902 })
    expect((await auditOf(payer_id)).map(({ action }) => action)).toEqual(['made', 'changed'])
  })

  test('has a reference of its own', async () => {
    await expect(school.run(createPayer, employer)).rejects.toMatchObject({ code: 40901 })
    const { payer_id } = await school.run(createPayer, { name: 'Another', reference: 'D-2' })
    await expect(school.run(updatePayer, { payer_id, reference: 'D-1' })).rejects.toMatchObject({
      code: 40901,
    })
  })

  test('may be a user, who must exist', async () => {
    const self = { name: 'Somebody', kind: 'person', user_id: school.user_id }
    const { payer_id } = await school.run(createPayer, self)
    expect((await school.run(listPayers, { user_id: school.user_id })).list).toMatchObject([{ payer_id }])
    await expect(school.run(createPayer, { ...self, user_id: 'nobody' })).rejects.toMatchObject({
      code: 40401,
    })
  })
})

describe('a payment', () => {
  test('names its payer, who must exist, and lists show and find it', async () => {
    const { payer_id } = await school.run(createPayer, { name: 'Aunt Mei', kind: 'parent' })
    const { order_id } = await school.order()
    const payment = { order_id, price: 100, charge_id: 'by the aunt' }
    await expect(school.run(createPayment, { ...payment, payer_id: 'nobody' })).rejects.toMatchObject({
      code: 40442,
    })
    const { payment_id } = await school.run(createPayment, { ...payment, payer_id })
    const { list } = await school.run(listPayments, { payer_id })
    expect(list).toMatchObject([{ payment_id, payer_id, payer_name: 'Aunt Mei' }])
    // The payer is a label: a gateway that repeats the charge knows nothing of it.
    expect((await school.run(createPayment, payment)).payment_id).toBe(payment_id)
  })

  test('gets another payer, or none, while the ledger stays intact', async () => {
    const { order_id } = await school.order()
    const { payment_id } = await school.run(createPayment, { order_id, price: 100 })
    const [first, second] = await Promise.all(
      ['First', 'Second'].map((name) => school.run(createPayer, { name })),
    )
    const assign = (payer_id?: string) => school.run(assignPayer, { payment_id, payer_id })
    expect(await assign(first.payer_id)).toEqual({ payment_id, payer_id: first.payer_id, payer_before: null })
    expect((await assign(second.payer_id)).payer_before).toBe(first.payer_id)
    expect(await assign()).toEqual({ payment_id, payer_id: null, payer_before: second.payer_id })
    await assign()
    expect(await auditOf(payment_id)).toMatchObject([
      { before: { payer_id: null }, after: { payer_id: first.payer_id } },
      { before: { payer_id: first.payer_id }, after: { payer_id: second.payer_id } },
      { before: { payer_id: second.payer_id }, after: { payer_id: null } },
    ])
    expect((await checkLedger(database.app, school.corp_id)).discrepancies).toEqual([])
  })
})

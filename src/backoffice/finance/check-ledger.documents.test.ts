import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Counter, openCounter } from '../../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { createRefund } from '../../orders/payments/create-refund.ts'
import { issueDocument } from '../documents/issue-document.ts'
import { checkLedger } from './check-ledger.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** A school with a receipt, three invoices and a credit note. */
async function schoolWithDocuments(): Promise<Counter> {
  const school = await openCounter(server)
  const issue = async (kind: string, subject_id: string) =>
    expect(await school.call(issueDocument, { kind, subject_id })).toMatchObject({ code: 0 })
  const orders = [await school.order(), await school.order(), await school.order()]
  for (const { order_id } of orders) await issue('invoice', order_id)
  const { order_id } = orders[0]!
  const { payment_id } = (await school.call(createPayment, { order_id, price: 10_000 })).data
  await issue('receipt', payment_id)
  const refund = { order_id, price: 500, reason: 'Agreed' }
  await issue('credit_note', (await school.call(createRefund, refund)).data.refund_id)
  return school
}

const breaches = async ({ corp_id }: Counter) =>
  (await checkLedger(server.db, corp_id)).discrepancies.map(({ what, expected, found }) => [
    what,
    expected,
    found,
  ])

const next = 'document: the next number of its series and year'

test.each([
  ['a gap', `update documents set number = 4 where kind = 'invoice' and number = 3`, [next, '3', '4']],
  ['a removed document', `delete from documents where kind = 'invoice' and number = 2`, [next, '2', '3']],
  [
    'a removed last document',
    `delete from documents where kind = 'invoice' and number = 3`,
    ['document series: as many documents as numbers', '3', '2'],
  ],
  [
    'a series that ends elsewhere',
    `update document_series set number = 9 where kind = 'credit_note'`,
    ['document series: the number of its last document', '1', '9'],
  ],
  [
    'a removed series',
    `delete from document_series where kind = 'credit_note'`,
    ['document series: the number of its last document', '1', null],
  ],
  [
    'a receipt with the number of another payment',
    `update documents set number = 7 where kind = 'receipt'`,
    [next, '1', '7'],
  ],
  [
    'a missing revision',
    `update documents set revision = 2 where kind = 'credit_note'`,
    ['document: the next revision of its subject', '1', '2'],
  ],
  [
    'a document of nothing',
    `update documents set subject_id = 'nothing' where kind = 'credit_note'`,
    ['document: of a payment, order or refund', 'nothing', null],
  ],
])('the check names %s', async (_, tampering, breach) => {
  const school = await schoolWithDocuments()
  expect(await breaches(school)).toEqual([])
  await server.database.superuser.query(`${tampering} and corp_id = $1`, [school.corp_id])
  expect(await breaches(school)).toContainEqual(breach)
})

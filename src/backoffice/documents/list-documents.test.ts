import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { createOrder } from '../../orders/create-order.ts'
import { createPayer } from '../../orders/payers/create-payer.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { recordReceipt } from '../../orders/payments/record-receipt.ts'
import { createUser } from '../../people/users/create-user.ts'
import { issueDocument } from './issue-document.ts'
import { listDocuments } from './list-documents.ts'

let database: TestDatabase
let school: TestLedger
beforeAll(async () => {
  database = await createTestDatabase()
  school = await openLedger(database)
})
afterAll(() => database.drop())

const numbersBy = async (filter: Record<string, unknown>): Promise<string[]> =>
  (await school.run(listDocuments, { page_size: 100, ...filter })).list
    .map(({ number }: { number: string }) => number)
    .sort()

test('documents are found by series, order, payer, person and day, a page at a time', async () => {
  const { user_id } = await school.run(createUser, { email: 'second@example.com' })
  const { order_id: first } = await school.order()
  const { order_id: second } = await school.run(createOrder, { user_id, currency: 'CNY', listed_price: 500 })
  const { payer_id } = await school.run(createPayer, { name: 'Harbour', kind: 'employer' })
  const allocations = [first, second].map((order_id) => ({ order_id, price: 100 }))
  const { payment_id } = await school.run(recordReceipt, { payer_id, price: 250, allocations })
  const alone = await school.run(createPayment, { order_id: first, price: 10 })
  const issue = async (kind: string, subject_id: string) =>
    school.run(issueDocument, { kind, subject_id }) as Promise<{ number: string; order_ids: string[] }>
  const shared = await issue('receipt', payment_id)
  const own = await issue('receipt', alone.payment_id)
  const invoice = await issue('invoice', second)

  expect(shared.order_ids.toSorted()).toEqual([first, second].toSorted())
  expect(await numbersBy({ order_id: first })).toEqual([shared.number, own.number].toSorted())
  // A receipt over several orders is a document of each of them.
  expect(await numbersBy({ order_id: second })).toEqual([shared.number, invoice.number].toSorted())
  expect(await numbersBy({ payer_id })).toEqual([shared.number])
  expect(await numbersBy({ user_id })).toEqual([shared.number, invoice.number].toSorted())
  const year = new Date().getUTCFullYear()
  expect(await numbersBy({ kind: 'invoice', year })).toEqual([invoice.number])
  expect(await numbersBy({ kind: 'invoice', year: year - 1 })).toEqual([])
  expect(await numbersBy({ end_date: '2020-01-01' })).toEqual([])

  const pages = await Promise.all(
    [0, 1, 2, 3].map((page) => school.run(listDocuments, { page, page_size: 1 })),
  )
  expect(pages.map(({ total }) => total)).toEqual([3, 3, 3, 3])
  expect(pages.flatMap(({ list }) => list.map(({ number }: { number: string }) => number))).toEqual([
    ...[invoice.number, own.number, shared.number],
  ])
})

test('an unknown order, payer or person has no documents', async () => {
  await expect(school.run(listDocuments, { order_id: 'none' })).rejects.toMatchObject({ code: 40402 })
  await expect(school.run(listDocuments, { payer_id: 'none' })).rejects.toMatchObject({ code: 40442 })
  await expect(school.run(listDocuments, { user_id: 'none' })).rejects.toMatchObject({ code: 40401 })
})

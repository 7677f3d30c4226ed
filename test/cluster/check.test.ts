import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkLedger } from '../../src/backoffice/finance/check-ledger.ts'
import { rebuildDerivedData } from '../../src/derived/derived-data.ts'
import { createPayment } from '../../src/orders/payments/create-payment.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { openLedger, type TestLedger } from '../harness/ledger.ts'

let database: TestDatabase
let schools: TestLedger[]
let order_id: string

beforeAll(async () => {
  database = await createTestDatabase()
  schools = await Promise.all([1, 2, 3].map(() => openLedger(database)))
  for (const school of schools) {
    ;({ order_id } = await school.order())
    await school.run(createPayment, { order_id, price: 10_000 })
  }
})
afterAll(() => database?.drop())

test('the check reads every organization on its node, and finds no fault', async () => {
  expect(await checkLedger(database.app)).toMatchObject({ organizations: 3, orders: 3, total: 0 })
})

test('it finds a manipulated price, status and rendered row on a node', async () => {
  const { corp_id } = schools.at(-1)!
  const tamper = (text: string) => database.superuser.query(text, [corp_id, order_id])
  await tamper('update orders set total_price = total_price + 1 where corp_id = $1 and order_id = $2')
  await tamper(`update sub_orders set status = 'success' where corp_id = $1 and order_id = $2 and seq = 3`)
  await tamper(`update order_read_model set detail = '{}' where corp_id = $1 and order_id = $2`)
  const { discrepancies } = await checkLedger(database.app)
  const told = JSON.stringify(discrepancies)
  for (const what of [
    'total_price: sum of the sub-orders',
    'status: from the order',
    'order_read_model.detail',
  ])
    expect(told).toContain(what)
})

test('a rebuild reports that the read model was wrong, and corrects it', async () => {
  const { corp_id } = schools.at(-1)!
  const on = database.app.of(corp_id)
  expect(await rebuildDerivedData(on, corp_id)).toMatchObject({ orders: { records: 1, wasRight: false } })
  expect(await rebuildDerivedData(on, corp_id)).toMatchObject({ orders: { records: 1, wasRight: true } })
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../src/database/sql.ts'
import { selectLedgerSubOrders } from '../src/orders/listing/financial-store.ts'
import { createPayment } from '../src/orders/payments/create-payment.ts'
import { createTestDatabase, type TestDatabase } from './harness/database.ts'
import { openLedger, type TestLedger } from './harness/ledger.ts'

/** Enough that reading every record once for each other one would show. */
const orders = 40
const subOrders = 3

let database: TestDatabase
let ledger: TestLedger
const orderIds: string[] = []
beforeAll(async () => {
  database = await createTestDatabase()
  for (const table of ['orders', 'sub_orders', 'payments', 'payment_allocations', 'receipts'])
    await database.superuser.query(`alter table ${table} set (autovacuum_enabled = off)`)
  ledger = await openLedger(database)
  for (let n = 0; n < orders; n++) {
    const { order_id } = await ledger.order({ installment_count: subOrders })
    await ledger.run(createPayment, { order_id, price: 100, payment_source: 'cash' })
    orderIds.push(order_id)
  }
})
afterAll(() => database?.drop())

test('before tables have been analyzed, rendering looks into each of them once per sub-order, not once per pair', async () => {
  const statement = selectLedgerSubOrders(ledger.corp_id, orderIds, 'UTC')
  const [plan] = await database.app
    .of(ledger.corp_id)
    .query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(sql`explain (analyze, format json) ${statement}`)
  expect(mostLoops(plan!['QUERY PLAN'][0].Plan)).toBeLessThanOrEqual(orders * subOrders)
})

interface PlanNode {
  'Actual Loops': number
  Plans?: PlanNode[]
}

function mostLoops(node: PlanNode): number {
  return Math.max(node['Actual Loops'], ...(node.Plans ?? []).map(mostLoops))
}

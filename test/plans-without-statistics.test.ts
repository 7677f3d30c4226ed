import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkEntries } from '../src/access/audit/link-entries.ts'
import { sql } from '../src/database/sql.ts'
import { findingLinkedEntries } from '../src/events/feed-store.ts'
import { selectLedgerSubOrders } from '../src/orders/listing/financial-store.ts'
import { createPayment } from '../src/orders/payments/create-payment.ts'
import { createTestDatabase, type TestDatabase } from './harness/database.ts'
import { openLedger, type TestLedger } from './harness/ledger.ts'

/** Enough records to make a quadratic read visible. */
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

test('before tables are analyzed, rendering reads each of them once per sub-order, not once per pair', async () => {
  const statement = selectLedgerSubOrders(ledger.corp_id, orderIds, 'UTC')
  const [plan] = await database.app
    .of(ledger.corp_id)
    .query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(sql`explain (analyze, format json) ${statement}`)
  expect(mostLoops(plan!['QUERY PLAN'][0].Plan)).toBeLessThanOrEqual(orders * subOrders)
})

test('a plan from the time of an empty audit still reads only the next entries of the feed', async () => {
  const young = await createTestDatabase()
  const client = await young.superuser.connect()
  try {
    const school = await openLedger(young)
    const next = 5
    await client.query('vacuum analyze audit_entries, audit_links, audit_personal')
    await client.query(`set plan_cache_mode = force_generic_plan; set enable_seqscan = off`)
    const { text } = findingLinkedEntries('', 0, 0)
    const numbers = [...new Set(text.match(/\$\d+/g))]
    const given = numbers.map((_, index) => findingLinkedEntries(school.corp_id, 0, next).values[index])
    const literals = given.map((value) => client.escapeLiteral(String(value))).join(', ')
    await client.query(`prepare next_changes as ${text}`)
    await client.query(`execute next_changes (${literals})`)
    for (let n = 0; n < 60; n++) await school.order()
    await linkEntries(young.app, school.corp_id)
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, format json) execute next_changes (${literals})`,
    )
    expect(mostRows(rows[0]!['QUERY PLAN'][0].Plan, 'audit_entries')).toBe(next)
  } finally {
    client.release(true)
    await young.drop()
  }
})

interface PlanNode {
  'Actual Loops': number
  'Actual Rows': number
  'Relation Name'?: string
  Plans?: PlanNode[]
}

/** The rows that any node reads from a table, over all its loops. */
function mostRows(node: PlanNode, table: string): number {
  const own = node['Relation Name'] === table ? node['Actual Rows'] * node['Actual Loops'] : 0
  return Math.max(own, ...(node.Plans ?? []).map((each) => mostRows(each, table)))
}

function mostLoops(node: PlanNode): number {
  return Math.max(node['Actual Loops'], ...(node.Plans ?? []).map(mostLoops))
}

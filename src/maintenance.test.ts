import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../test/harness/database.ts'
import { testKeyring } from '../test/harness/keyring.ts'
import { openLedger, type TestLedger } from '../test/harness/ledger.ts'
import { type Database, openDatabase } from './database/database.ts'
import { maintainOnce } from './maintenance.ts'
import { fetchOrder } from './orders/listing/fetch-order.ts'

const deadline = '2030-01-31'
const afterDeadline = new Date('2030-02-15T00:00:00Z')

let database: TestDatabase
let db: Database
let lines: Record<string, unknown>[]
const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })

beforeAll(async () => {
  database = await createTestDatabase()
  const { host, port } = inject('postgres')
  const options = { host, port, user: 'matricula_app', database: database.name, max: 2 }
  db = openDatabase({ ...options, lock_timeout: 300 })
})
beforeEach(() => {
  lines = []
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

test('a locked order does not prevent others from expiring, in its organization or elsewhere', async () => {
  const [first, second] = [await openLedger(database), await openLedger(database)]
  const held = await overdueOrder(first)
  // More than one batch of them.
  const others = []
  for (let n = 0; n < 120; n++) others.push(await overdueOrder(first))
  const elsewhere = await overdueOrder(second)
  await whileHolding('orders', first.corp_id, `order_id = '${held}'`, () => round())
  expect(await statusOf(first, held)).toBe('created')
  expect(await statusOf(second, elsewhere)).toBe('expired')
  for (const order_id of others) expect(await statusOf(first, order_id)).toBe('expired')
  expect(lines.filter(({ level }) => level === 40)).toEqual([])
  await round()
  expect(await statusOf(first, held)).toBe('expired')
})

test('a hundred locked orders do not prevent others from expiring', async () => {
  const school = await openLedger(database)
  const orders = []
  for (let n = 0; n < 101; n++) orders.push(await overdueOrder(school))
  const last = orders.toSorted().at(-1)!
  await whileHolding('orders', school.corp_id, `order_id <> '${last}'`, () => round())
  expect(await statusOf(school, last)).toBe('expired')
})

test('an organization that fails is named in the log, and the others are processed', async () => {
  const [first, second, third] = [
    await openLedger(database),
    await openLedger(database),
    await openLedger(database),
  ]
  const ids = [await overdueOrder(first), await overdueOrder(second), await overdueOrder(third)]
  await whileHolding('ledger_clocks', second.corp_id, 'true', () => round())
  expect(await statusOf(first, ids[0]!)).toBe('expired')
  expect(await statusOf(second, ids[1]!)).toBe('created')
  expect(await statusOf(third, ids[2]!)).toBe('expired')
  expect(lines.filter(({ level }) => level === 40)).toMatchObject([{ corp_id: second.corp_id }])
})

const round = () => maintainOnce(db, afterDeadline, log, new AbortController().signal, testKeyring)

async function overdueOrder(school: TestLedger): Promise<string> {
  return (await school.order({ first_payment_deadline: deadline, installment_count: 1 })).order_id
}

async function statusOf(school: TestLedger, order_id: string): Promise<string> {
  return (await school.run(fetchOrder, { order_id })).status
}

async function whileHolding(table: string, corp_id: string, condition: string, work: () => Promise<void>) {
  const holder = await database.superuser.connect()
  await holder.query('begin')
  await holder.query(`select 1 from ${table} where corp_id = $1 and ${condition} for update`, [corp_id])
  await work().finally(() => holder.query('rollback'))
  holder.release()
}

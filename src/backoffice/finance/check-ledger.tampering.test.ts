import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { erasableTexts, insertOnlyTables } from '../../../test/harness/append-only-tables.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { rebuildDerivedData } from '../../derived/derived-data.ts'
import { createRemark } from '../../orders/create-remark.ts'
import { factTables } from '../../orders/ledger/chain/fact-tables.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { createRefund } from '../../orders/payments/create-refund.ts'
import { movePayment } from '../../orders/payments/move-payment.ts'
import { reverseRefund } from '../../orders/payments/reverse-refund.ts'
import { transferMoney } from '../../orders/payments/transfer-money.ts'
import { voidPayment } from '../../orders/payments/void-payment.ts'
import { updateStatus } from '../../orders/update-status.ts'
import { writeOffOrder } from '../../orders/write-off-order.ts'
import { checkLedger } from './check-ledger.ts'

const runs = Number(process.env.MATRICULA_TAMPERINGS ?? 25)
const chained = [...Object.keys(factTables), 'order_versions', 'ledger_chain']

let database: TestDatabase
let school: TestLedger
/** An organization without orders, as target of moved rows. */
let other: TestLedger

beforeAll(async () => {
  database = await createTestDatabase()
  school = await openLedger(database)
  other = await openLedger(database)
  await live(school)
})

afterAll(() => database.drop())

test('every manipulated, removed or added row is found, even if derived data is rebuilt', async () => {
  await keepCopies()
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...chained),
      fc.constantFrom('change', 'remove', 'add'),
      fc.nat(),
      fc.nat(),
      async (table, how, row, column) => {
        try {
          const done = await asIfNoRulesHeld((client) => tamper(client, table, how, row, column))
          await rebuildDerivedData(database.app.of(school.corp_id), school.corp_id)
          const { total } = await checkLedger(database.app, school.corp_id)
          expect(total, done).toBeGreaterThan(0)
        } finally {
          await restore(table)
        }
      },
    ),
    { numRuns: runs },
  )
  await rebuildDerivedData(database.app.of(school.corp_id), school.corp_id)
  expect(await checkLedger(database.app)).toMatchObject({ total: 0, discrepancies: [] })
})

test.each(['{order,total_price}', '{sub_orders,0,seq}'])(
  'a record that holds a text in %s, where numbers belong, is found and ends no check',
  async (path) => {
    await asIfNoRulesHeld((client) =>
      client.query(`update order_versions set record = jsonb_set(record, '${path}', '"changed"')`),
    )
    try {
      const { discrepancies } = await checkLedger(database.app, school.corp_id)
      const kinds = discrepancies.map(({ what }) => what.split(':')[0])
      expect(kinds).toEqual(expect.arrayContaining(['records', 'chain']))
    } finally {
      await restore('order_versions')
    }
  },
)

describe('the role of the server may only read and insert into', () => {
  test.each(insertOnlyTables)('%s', async (table) => {
    for (const statement of [
      `update ${table} set corp_id = corp_id`,
      `delete from ${table}`,
      `truncate ${table}`,
      // The right to erase a text includes the right to lock its row.
      ...(erasableTexts[table] ? [] : [`select 1 from ${table} for update`]),
    ]) {
      const refused = database.app.pool.query(statement)
      await expect(refused, statement).rejects.toThrow(/permission denied/)
    }
    await database.app.pool.query(`select 1 from ${table}`)
  })

  test('every table of facts, versions and links', () => {
    expect(insertOnlyTables).toEqual(expect.arrayContaining(chained))
  })
})

/** Orders with every kind of fact, and texts with quotes. */
async function live(ledger: TestLedger): Promise<void> {
  for (const content of ['A remark', `quote ' and backslash \\ and "`, 'né en été 备注']) {
    const { order_id } = await ledger.order()
    const { payment_id } = await ledger.run(createPayment, { order_id, price: 10_000, comments: content })
    await ledger.run(createPayment, { order_id, price: 333, currency: 'USD', exchange_rate: 71_235 })
    await ledger.run(createRefund, { order_id, payment_id, price: 500, reason: content })
    await ledger.run(createRemark, { order_id, content })
    const { refund_id } = await ledger.run(createRefund, { order_id, payment_id, price: 5, reason: content })
    await ledger.run(reverseRefund, { refund_id, reason: content })
    const { order_id: to_order_id } = await ledger.order({ currency: 'USD' })
    const moved = await ledger.run(createPayment, {
      order_id,
      price: 9,
      currency: 'USD',
      exchange_rate: 70_000,
    })
    await ledger.run(movePayment, { payment_id: moved.payment_id, to_order_id, reason: content })
  }
  const [a, b] = [await ledger.order(), await ledger.order()]
  const [from_order_id, to_order_id] = [a.order_id, b.order_id]
  const first = await ledger.run(createPayment, { order_id: from_order_id, price: 4000 })
  await ledger.run(createPayment, { order_id: from_order_id, price: 3000 })
  await ledger.run(transferMoney, { from_order_id, to_order_id, price: 2000, reason: 'Moved' })
  await ledger.run(voidPayment, { payment_id: first.payment_id, reason: 'Bounced' })
  await ledger.run(writeOffOrder, { order_id: to_order_id, reason: 'Insolvent' })
  const canceled = { order_id: from_order_id, status: 'canceled', retain: true, reason: 'Late' }
  await ledger.run(updateStatus, canceled)
}

interface Column {
  name: string
  type: string
}

async function tamper(client: pg.PoolClient, table: string, how: string, row: number, column: number) {
  const place = await placeOf(client, table, row)
  if (how === 'remove') {
    await client.query(`delete from ${table} where ctid = $1`, [place])
    return `${table}: removed a row`
  }
  const columns = await columnsOf(client, table)
  if (how === 'add') {
    const values = columns.map(({ name, type }) => (isOfKey(name) ? another(name, type) : name))
    await client.query(
      `insert into ${table} (${columns.map(({ name }) => name)}) select ${values} from ${table} where ctid = $1`,
      [place],
    )
    return `${table}: added a row`
  }
  const { name, type } = columns[column % columns.length]!
  const changed =
    name === 'corp_id'
      ? `'${other.corp_id}'`
      : name === 'record'
        ? anotherRecord(column)
        : another(name, type)
  const { rowCount } = await client.query(
    `update ${table} set ${name} = ${changed} where ctid = $1 and ${name} is distinct from ${changed}`,
    [place],
  )
  expect(rowCount, `${table}.${name} is to change`).toBe(1)
  return `${table}.${name}: changed`
}

async function placeOf(client: pg.PoolClient, table: string, row: number): Promise<string> {
  const { rows } = await client.query(`select ctid from ${table} where corp_id = $1 order by ctid`, [
    school.corp_id,
  ])
  return rows[row % rows.length].ctid
}

async function columnsOf(client: pg.PoolClient, table: string): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select column_name as name, data_type as type from information_schema.columns where table_name = $1 order by 1`,
    [table],
  )
  return rows
}

/** Columns that must be unique in an inserted row. */
function isOfKey(name: string): boolean {
  return /^(payment_id|refund_id|transfer_id|remark_id|charge_id|version|seq|number|token|id|at)$/.test(name)
}

function another(name: string, type: string): string {
  if (type === 'text') return `coalesce(${name} || 'x', 'x')`
  if (type === 'timestamp with time zone') return `${name} + interval '1 microsecond'`
  if (type === 'boolean') return `not ${name}`
  // Far from existing values, so that keys alone do not detect the change.
  return `coalesce(${name} + ${isOfKey(name) ? 1000 : 1}, 1)`
}

function anotherRecord(choice: number): string {
  const paths = ['{order,total_price}', '{sub_orders,0,seq}', '{facts,spare}', '{order,user_copy_digest}']
  return `jsonb_set(record, '${paths[choice % paths.length]}', '"changed"')`
}

async function keepCopies(): Promise<void> {
  for (const table of chained)
    await database.superuser.query(`create table copy_of_${table} as select * from ${table}`)
}

async function restore(table: string): Promise<void> {
  await asIfNoRulesHeld(async (client) => {
    await client.query(`delete from ${table}`)
    await client.query(`insert into ${table} select * from copy_of_${table}`)
  })
}

async function asIfNoRulesHeld<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await database.superuser.connect()
  try {
    await client.query(`set session_replication_role = 'replica'`)
    return await work(client)
  } finally {
    await client.query('reset session_replication_role')
    client.release()
  }
}

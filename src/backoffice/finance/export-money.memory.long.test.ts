import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bareEnvironment } from '../../../test/harness/bare-environment.ts'
import { chainVersions } from '../../../test/harness/chain-versions.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { rebuildDerivedData } from '../../derived/derived-data.ts'
import { exportFormats } from './write-export.ts'

const manyOrdersCount = 10_000

let database: TestDatabase
let folder: string
let school: TestLedger

beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'matricula-export-'))
  school = await openManyOrders()
})

afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

describe(`${manyOrdersCount * 3} rows need little memory`, () => {
  test.each(exportFormats)(
    'as %s',
    async (format) => {
      const { corp_id } = school
      const out = join(folder, `many.${format}`)
      const printed = await inLittleMemory(
        'finance',
        'export',
        '--org',
        corp_id,
        '--format',
        format,
        '--out',
        out,
      )
      expect(printed).toMatchObject({ row_count: manyOrdersCount * 3, corp_id })
      expect(printed.files[0]).toBe(out)
    },
    180_000,
  )

  test('to be checked', async () => {
    const { corp_id } = school
    const report = await inLittleMemory('finance', 'check', '--org', corp_id)
    expect(report).toMatchObject({ organizations: 1, orders: manyOrdersCount, total: 0, discrepancies: [] })
    expect(report.chains).toMatchObject([{ corp_id, length: manyOrdersCount }])
  }, 180_000)
})

/** Runs the command in a process whose heap is smaller than the rows. */
async function inLittleMemory(...words: string[]) {
  const env = { ...bareEnvironment, ...database.settings, MATRICULA_KEY: 'ab'.repeat(32) }
  const args = [
    '--max-old-space-size=96',
    join(import.meta.dirname, '../../cli/matricula.ts'),
    ...words,
    '--json',
  ]
  return JSON.parse((await promisify(execFile)(process.execPath, args, { env })).stdout)
}

/** Inserts orders of three paid instalments as the ledger would, in a few statements. */
async function openManyOrders(): Promise<TestLedger> {
  const own = await openLedger(database)
  const run = (text: string) =>
    database.superuser.query(
      text.replaceAll('CORP', `'${own.corp_id}'`).replaceAll('USER', `'${own.user_id}'`),
    )
  await run(`
    insert into orders (corp_id, order_id, user_id, type, source, status, currency, listed_price, discounted_price, total_price,
                        user_copy, completed_time, ctime, mtime, version)
    select CORP, 'o' || n || CORP, USER, 'course', 'import', 'success', 'CNY', 300, 300, 300,
           jsonb_build_object('account_name', repeat('name ', 20), 'address_for_communication', repeat('street ', 60)),
           t, t, t, 7
      from generate_series(1, ${manyOrdersCount}) n, lateral (select timestamptz '2025-01-01' + n * interval '1 second') as at(t)`)
  await run(`
    insert into sub_orders (corp_id, sub_order_id, order_id, seq, type, status, currency, total_price, completed_time, ctime, mtime)
    select corp_id, 's' || seq || order_id, order_id, seq, 'installment', 'success', 'CNY', 100, ctime, ctime, mtime
      from orders, generate_series(1, 3) seq where corp_id = CORP`)
  await run(`
    insert into payments (corp_id, payment_id, order_id, sub_order_id, price, currency, order_price, status, source, comments,
                          completed_time, ctime)
    select corp_id, n || 'p' || sub_order_id, order_id, sub_order_id, 50, 'CNY', 50, 'success', 'import', repeat('comment ', 10),
           ctime, ctime
      from sub_orders, generate_series(1, 2) n where corp_id = CORP`)
  await run(`
    insert into payment_allocations (corp_id, payment_id, order_id, sub_order_id, price, at, cause)
    select corp_id, payment_id, order_id, sub_order_id, order_price, ctime, 'payment' from payments where corp_id = CORP`)
  await run(`
    insert into receipts (corp_id, payment_id, order_id, year, number, token, at)
    select corp_id, payment_id, order_id, 2025, row_number() over (order by payment_id), payment_id, ctime
      from payments where corp_id = CORP`)
  await run(`
    insert into order_versions (corp_id, order_id, version, at, change, to_status, record)
    select o.corp_id, o.order_id, 7, o.mtime, 'created', 'success', jsonb_build_object('order', to_jsonb(o), 'sub_orders',
           (select jsonb_agg(to_jsonb(s)) from sub_orders s where s.corp_id = o.corp_id and s.order_id = o.order_id))
      from orders o where o.corp_id = CORP`)
  await run(
    `insert into ledger_clocks (corp_id, instant_us) values (CORP, extract(epoch from now()) * 1000000)
     on conflict (corp_id) do update set instant_us = excluded.instant_us`,
  )
  await chainVersions(database.owner, own.corp_id)
  await run('analyze')
  await rebuildDerivedData(database.app.of(own.corp_id), own.corp_id)
  return own
}

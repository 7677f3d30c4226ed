import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bareEnvironment } from '../../../../test/harness/bare-environment.ts'
import { callCli } from '../../../../test/harness/cli.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../../../test/harness/ledger.ts'
import { statementChecks } from '../check-statement-store.ts'
import { listBankAccounts } from '../reconciliation/bank-accounts.ts'
import { listStatements } from '../reconciliation/bank-statements.ts'
import { listBankLines } from '../reconciliation/list-bank-lines.ts'
import { listUnmatchedPayments } from '../reconciliation/list-unmatched-payments.ts'
import { confirmCertainMatches } from '../reconciliation/settle-bank-lines.ts'

const lineCount = Number(process.env.MATRICULA_STATEMENT_LINES ?? 300)
/** Durations are reported, and memory is limited, for a large statement only. */
const isLarge = lineCount > 1000
const repetitions = isLarge ? 30 : 1
const paymentCount = 2 * lineCount
const heapMegabytes = 96

let database: TestDatabase
let folder: string

beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'matricula-statement-'))
})

afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

test(`${lineCount} lines of a statement file against ${paymentCount} payments are imported and matched in steps, once${isLarge ? ', in little memory' : ''}`, async () => {
  const school = await manyPayments()
  const { corp_id } = school
  const file = join(folder, 'bank.csv')
  await writeFile(file, statement())
  const { account_id } = await finance('bank', 'add-account', 'Bank', '--org', corp_id)
  const begun = performance.now()
  const importing = ['bank', 'import', file, '--org', corp_id, '--account', account_id]
  expect(await finance(...importing)).toMatchObject({ added: lineCount, remaining: 0, was_imported: false })
  const matching = ['bank', 'match', '--org', corp_id, '--account', account_id]
  const fifth = lineCount / 5
  expect(await finance(...matching)).toEqual({ matched: 3 * fifth })
  // Reported only: the duration depends on the machine.
  console.info(`${lineCount} lines imported and matched in ${seconds(begun)} s`)
  expect(await finance(...importing)).toMatchObject({ added: 0, remaining: 0, was_imported: true })
  expect(await finance(...matching)).toEqual({ matched: 0 })
  for (const check of statementChecks)
    expect(await database.app.of(corp_id).query(check(corp_id))).toEqual([])
  await measureWorklist(school, account_id)
}, 900_000)

const seconds = (begun: number) => ((performance.now() - begun) / 1000).toFixed(1)

/** Reports the 95th percentile of the calls that the worklist makes. */
async function measureWorklist({ run }: TestLedger, account_id: string): Promise<void> {
  const calls = {
    'open lines': () => run(listBankLines, { account_id, state: 'open', page_size: 50 }),
    'open lines with proposals': () =>
      run(listBankLines, { account_id, state: 'open', page_size: 50, with_proposals: true }),
    'last page of open lines': () =>
      run(listBankLines, {
        account_id,
        state: 'open',
        page_size: 50,
        page: Math.floor((0.4 * lineCount) / 50) - 1,
      }),
    'unmatched payments': () =>
      run(listUnmatchedPayments, { start_date: '2026-03-01', end_date: '2026-03-31', page_size: 50 }),
    'payments of an amount': () =>
      run(listUnmatchedPayments, { start_date: '2026-03-01', amount: 100_000 + lineCount, page_size: 8 }),
    accounts: () => run(listBankAccounts, {}),
    'certain matches': () => run(confirmCertainMatches, { account_id, dry_run: true }),
    statements: () => run(listStatements, { account_id, page_size: 100 }),
  }
  for (const [name, call] of Object.entries(calls)) {
    const times: number[] = []
    for (let n = 0; n < repetitions; n++) {
      const begun = performance.now()
      await call()
      times.push(performance.now() - begun)
    }
    times.sort((a, b) => a - b)
    const percentile = (part: number) => times[Math.floor(part * repetitions)]!.toFixed(1)
    console.info(`${name}: p50 ${percentile(0.5)} ms, p95 ${percentile(0.95)} ms`)
  }
}

/** A fifth each by charge, by the order it names, by the charge it names, by amount and day, and without a payment. */
function statement(): string {
  const lines = Array.from({ length: lineCount }, (_, n) => {
    const major = (price: number) => (price / 100).toFixed(2)
    const price = 100_000 + n
    const kinds = [
      `2026-03-02,${major(price)},ch_${n},`,
      `2026-03-02,${major(price)},,order ${n}`,
      `2026-03-02,${major(price)},,ch_${n}`,
      `2026-03-03,${major(price)},,`,
      `2026-03-02,${major(50_000_000 + n)},unknown_${n},`,
    ]
    return kinds[n % 5]
  })
  return `date,amount,charge_id,reference\n${lines.join('\n')}\n`
}

/** Inserts orders as the ledger would, in a few statements that a cluster does not execute as COPY. */
async function manyPayments(): Promise<TestLedger> {
  const school = await openLedger(database)
  const { corp_id, user_id } = school
  const run = (text: string) =>
    database.superuser.query(text.replaceAll('CORP', `'${corp_id}'`).replaceAll('USER', `'${user_id}'`))
  await run(`
    insert into orders (corp_id, order_id, user_id, external_id, type, source, status, currency, listed_price, discounted_price,
                        total_price, ctime, mtime)
    select CORP, 'o' || n, USER, 'order ' || n, 'course', 'import', 'success', 'CNY', 1, 1, 1, now(), now()
      from generate_series(0, ${paymentCount - 1}) n returning 1`)
  await run(`
    insert into sub_orders (corp_id, sub_order_id, order_id, seq, type, status, currency, total_price, ctime, mtime)
    select corp_id, 's' || order_id, order_id, 1, 'full', 'success', 'CNY', 1, now(), now() from orders where corp_id = CORP
    returning 1`)
  await run(`
    insert into payments (corp_id, payment_id, order_id, sub_order_id, price, currency, order_price, status, source, charge_id,
                          completed_time, ctime)
    select CORP, 'p' || n, 'o' || n, 'so' || n, 100000 + n, 'CNY', 100000 + n, 'success', 'import', 'ch_' || n,
           '2026-03-02 10:00:00Z', now()
      from generate_series(0, ${paymentCount - 1}) n returning 1`)
  await run('analyze')
  return school
}

/** Runs a command, for a large statement in a process whose heap is smaller than its input. */
async function finance(...words: string[]) {
  const command = ['finance', ...words, '--json']
  const settings = { ...database.settings, MATRICULA_KEY: 'ab'.repeat(32) }
  if (!isLarge) return JSON.parse((await callCli(command, settings)).stdout)
  const env = { ...bareEnvironment, ...settings }
  const program = join(import.meta.dirname, '../../../cli/matricula.ts')
  const args = [`--max-old-space-size=${heapMegabytes}`, program, ...command]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, maxBuffer: 10_000_000 })
  return JSON.parse(stdout)
}

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openLedger } from '../../../test/harness/ledger.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { createRefund } from '../../orders/payments/create-refund.ts'
import { recordReceipt } from '../../orders/payments/record-receipt.ts'
import { createCashUp, fetchTakings } from './cash-up/cash-ups.ts'
import { checkLedger } from './check-ledger.ts'
import { appendStatementLines } from './reconciliation/append-statement-lines.ts'
import { createBankAccount } from './reconciliation/bank-accounts.ts'
import { openStatement } from './reconciliation/bank-statements.ts'
import { listBankLines } from './reconciliation/list-bank-lines.ts'
import { matchBankLines } from './reconciliation/match-bank-lines.ts'
import { transferBankLines } from './reconciliation/transfer-bank-lines.ts'

let database: TestDatabase
let corp_id: string

beforeAll(async () => {
  database = await createTestDatabase()
  corp_id = await reconciledSchool()
})
afterAll(() => database.drop())

/** A school with two reconciled accounts, an open line, money of a payer and a cash-up. */
async function reconciledSchool(): Promise<string> {
  const school = await openLedger(database)
  const { order_id } = await school.order({ listed_price: 100_000 })
  const { payment_id } = await school.run(createPayment, { order_id, price: 1000 })
  await school.run(recordReceipt, {
    payer_name: 'Harbour',
    price: 800,
    allocations: [{ order_id, price: 300 }],
  })
  const { refund_id } = await school.run(createRefund, { order_id, payment_id, price: 250, reason: 'Agreed' })
  const bank = await statementOf(school, 'Bank', [1000, -250, 500, 77])
  const gateway = await statementOf(school, 'Gateway', [-500])
  await school.run(matchBankLines, { line_ids: [bank[0]], payment_ids: [payment_id] })
  await school.run(matchBankLines, { line_ids: [bank[1]], refund_ids: [refund_id] })
  await school.run(transferBankLines, { line_id: gateway[0], other_line_id: bank[2] })
  const { day, takings } = await school.run(fetchTakings, {})
  const lines = takings.map(({ method, currency }: { method: string; currency: string }) => ({
    ...{ method, currency, counted_price: 1, reason: 'A coin is missing' },
  }))
  await school.run(createCashUp, { day, lines })
  expect(await checkLedger(database.app, school.corp_id)).toMatchObject({ total: 0, discrepancies: [] })
  return school.corp_id
}

async function statementOf(
  { run }: Awaited<ReturnType<typeof openLedger>>,
  name: string,
  prices: number[],
): Promise<string[]> {
  const { account_id } = await run(createBankAccount, { name, opening_price: 40 })
  const closing_price = prices.reduce((sum, price) => sum + price, 40)
  const { statement_id } = await run(openStatement, { account_id, name, opening_price: 40, closing_price })
  const lines = prices.map((price) => ({ value_date: '2026-03-02', price }))
  await run(appendStatementLines, { statement_id, first_number: 1, lines, completes: true })
  const { list } = await run(listBankLines, { statement_id, page_size: 100 })
  const numbered = list as { number: number; line_id: string }[]
  return numbered.toSorted((a, b) => a.number - b.number).map(({ line_id }) => line_id)
}

/** Every stored or summed amount of banks and payers, and a change of the stored data that the check must name. */
const damages: [what: string, statement: string][] = [
  [
    'statement: opening balance and lines are the closing balance',
    `update bank_statements set closing_price = closing_price + 1 where corp_id = CORP`,
  ],
  [
    'statement: opening balance and lines are the closing balance',
    `update bank_statements set opening_price = opening_price + 1 where corp_id = CORP`,
  ],
  [
    'statement: a line for each number',
    `update statement_lines set number = 9 where corp_id = CORP and price = 77`,
  ],
  [
    'statement: lines in the currency of the account',
    `update bank_accounts set currency = 'JPY' where corp_id = CORP and name = 'Bank'`,
  ],
  [
    'statement: number of its lines in a state',
    `update statement_sums set lines = lines + 1 where corp_id = CORP and state = 'open'`,
  ],
  [
    'statement: sum of its lines in a state',
    `update statement_sums set price = price + 1 where corp_id = CORP and state = 'matched'`,
  ],
  [
    'statement: sum of its lines in a state',
    `delete from statement_sums where corp_id = CORP and state = 'open'`,
  ],
  [
    'bank account: sum of its lines',
    `update statement_line_states set price = 78 where corp_id = CORP and price = 77`,
  ],
  [
    'bank account: number of its lines',
    `delete from statement_line_states where corp_id = CORP and price = 77`,
  ],
  [
    'statement line: price in the worklist',
    `update statement_line_states set price = 78 where corp_id = CORP and price = 77`,
  ],
  [
    'statement line: statement in the worklist',
    `update statement_line_states set statement_id = 'another' where corp_id = CORP and price = 77`,
  ],
  [
    'statement line: state from its match',
    `update statement_line_states set state = 'ignored' where corp_id = CORP and price = 77`,
  ],
  [
    'statement line: sum of its match',
    `update statement_matches set price = price + 1 where corp_id = CORP and kind = 'payment'`,
  ],
  [
    'statement match: the price of the payment',
    `update statement_matches set price = price + 1 where corp_id = CORP and kind = 'payment'`,
  ],
  [
    'statement match: the amount of the refund',
    `update statement_matches set price = price - 1 where corp_id = CORP and kind = 'refund'`,
  ],
  [
    'statement line: both sides of a transfer',
    `delete from statement_matches where corp_id = CORP and kind = 'transfer' and price > 0`,
  ],
  [
    'statement line: at most one match',
    `insert into statement_matches (corp_id, match_id, line_id, kind, price, rule, at)
     select corp_id, 'second', line_id, 'fee', price, rule, at from statement_matches
      where corp_id = CORP and kind = 'payment'`,
  ],
  [
    'payment: open until it is matched or void',
    `update payments set is_open = not is_open where corp_id = CORP`,
  ],
  [
    'payer: received less voided, refunded and moved is allocated and unallocated',
    `update payment_allocations set price = price + 100000
      where corp_id = CORP and payment_id in (select payment_id from payments where payer_id is not null)`,
  ],
  [
    'payer: money on an account has one',
    `update payments set payer_id = null where corp_id = CORP and payer_id is not null`,
  ],
  ['cash-up: a difference has a reason', `update cash_up_lines set reason = null where corp_id = CORP`],
]

test.each(damages)('the check names %s · %s', async (what, statement) => {
  const client = await database.superuser.connect()
  try {
    // The check reads through other connections, so the change is committed, and undone from copies.
    await client.query(`set session_replication_role = 'replica'`)
    const [, table] = /(?:update|into|from) (\w+)/.exec(statement)!
    await client.query(`create temporary table kept as select * from ${table}`)
    const { rowCount } = await client.query(statement.replaceAll('CORP', `'${corp_id}'`))
    expect(rowCount, 'the test needs something to damage').toBeGreaterThan(0)
    const { discrepancies } = await checkLedger(database.app, corp_id)
    await client.query(`delete from ${table}`)
    await client.query(`insert into ${table} select * from kept`)
    expect(discrepancies.map((found) => found.what)).toContain(what)
    expect(await checkLedger(database.app, corp_id)).toMatchObject({ total: 0 })
  } finally {
    await client.query('drop table if exists kept')
    await client.query('reset session_replication_role')
    client.release()
  }
})

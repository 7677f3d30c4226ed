import { afterAll, beforeAll, expect, test } from 'vitest'
import { callCli } from '../../test/harness/cli.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { masterKeyText } from '../../test/harness/keyring.ts'
import { openLedger, type TestLedger } from '../../test/harness/ledger.ts'
import { createCashUp } from '../backoffice/finance/cash-up/cash-ups.ts'
import { createPayer } from '../orders/payers/create-payer.ts'
import { recordReceipt } from '../orders/payments/record-receipt.ts'

let database: TestDatabase
let school: TestLedger
beforeAll(async () => {
  database = await createTestDatabase()
  school = await openLedger(database)
})
afterAll(() => database.drop())

const finance = (...words: string[]) =>
  callCli(['finance', ...words, '--org', school.corp_id], {
    ...database.settings,
    MATRICULA_KEY: masterKeyText,
  })

test('payers, their debts, a statement of account and cash-ups are listed', async () => {
  const { payer_id } = await school.run(createPayer, { name: 'Harbour', kind: 'employer' })
  const { order_id } = await school.order()
  const allocations = [{ order_id, price: 10_000 }]
  await school.run(recordReceipt, { payer_id, price: 12_000, method: 'cash', allocations })
  const day = new Date().toISOString().slice(0, 10)
  const lines = [{ method: 'cash', currency: 'CNY', counted_price: 11_900, reason: 'A note is missing' }]
  await school.run(createCashUp, { day, lines })

  expect((await finance('payers', '--search', 'harb')).stdout).toContain(payer_id)
  const owing = JSON.parse((await finance('payers', '--owing', '--json')).stdout)
  expect(owing.list).toMatchObject([{ payer_name: 'Harbour', outstanding: 20_000, orders: 1 }])
  expect((await finance('statement', payer_id)).stdout).toMatch(/CNY +0\.00 +120\.00 +100\.00 +20\.00/)
  expect((await finance('statement', payer_id, '--csv')).stdout).toContain('closing,,120.00')
  const missing = await finance('statement', 'nobody')
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('no such payer')])
  expect((await finance('cash-ups')).stdout).toMatch(/cash +120\.00 +119\.00 +-1\.00 +CNY +A note is missing/)
  expect((await finance('cash-ups', '--clerk', 'nobody')).stdout).toContain('No cash-ups.')
})

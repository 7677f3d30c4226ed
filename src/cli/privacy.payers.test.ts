import { afterAll, beforeAll, expect, test } from 'vitest'
import { callCli } from '../../test/harness/cli.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { masterKeyText } from '../../test/harness/keyring.ts'
import { openLedger, type TestLedger } from '../../test/harness/ledger.ts'
import { checkLedger } from '../backoffice/finance/check-ledger.ts'
import { createPayer } from '../orders/payers/create-payer.ts'
import { recordReceipt } from '../orders/payments/record-receipt.ts'

let database: TestDatabase
let school: TestLedger
beforeAll(async () => {
  database = await createTestDatabase()
  school = await openLedger(database)
})
afterAll(() => database.drop())

const erasePayer = (payer: string, ...words: string[]) =>
  callCli(
    [
      ...['privacy', 'erase-payer', '--org', school.corp_id, '--payer', payer],
      ...['--reason', 'Asked for it', ...words],
    ],
    { ...database.settings, MATRICULA_KEY: masterKeyText },
  )

test('a payer with money is erased after confirmation, once, and its payments stay', async () => {
  const contact = { email: 'wren@birds.example', remarks: 'Pays for the nest' }
  const { payer_id } = await school.run(createPayer, { name: 'Zaunkoenig', kind: 'parent', ...contact })
  const { order_id } = await school.order()
  const allocations = [{ order_id, price: 10_000 }]
  await school.run(recordReceipt, { payer_id, price: 12_000, comments: 'By Zaunkoenig', allocations })

  const refused = await erasePayer(payer_id)
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/200\.00.*20\.00/s)])
  const erased = await erasePayer(payer_id, '--confirm-debt')
  expect([erased.code, erased.stdout]).toEqual([0, expect.stringContaining('Erased the payer.')])
  const again = await erasePayer(payer_id, '--confirm-debt', '--json')
  expect(JSON.parse(again.stdout)).toEqual({ payer_id, is_erased: false })
  const nobody = await erasePayer('nobody')
  expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining('no such payer')])

  for (const table of ['payers', 'payments', 'orders', 'order_versions', 'documents', 'audit_entries']) {
    const found = `select 1 from ${table} t where corp_id = $1 and t::text ~* 'zaunkoenig|wren@|nest'`
    expect((await database.superuser.query(found, [school.corp_id])).rows, table).toEqual([])
  }
  const paid = 'select price from payments where corp_id = $1 and payer_id = $2'
  expect((await database.superuser.query(paid, [school.corp_id, payer_id])).rows).toEqual([
    { price: '12000' },
  ])
  expect(await checkLedger(database.app, school.corp_id)).toMatchObject({ total: 0, discrepancies: [] })
})

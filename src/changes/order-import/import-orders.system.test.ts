import { afterAll, beforeAll, expect, test } from 'vitest'
import { attemptsOf } from '../../../test/harness/attempts.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { killableImport } from '../../../test/harness/killed-import.ts'
import { type ImportOrganization, openImport } from '../../../test/support/order-import.ts'
import { openFolder } from '../../../test/support/sheets.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'

/** `npm run test:long` kills more often. Each kill happens after a few batches, and the last one far from the end. */
const kills = attemptsOf('MATRICULA_IMPORT_KILLS', 1)
const rows = 900 + kills * 300

let database: TestDatabase
let folder: Awaited<ReturnType<typeof openFolder>>
let org: ImportOrganization
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await openFolder()
  org = await openImport(database)
})
afterAll(async () => {
  await folder?.remove()
  await database?.drop()
})

test(`an import that is killed ${kills} times and resumed imports each row exactly once`, {
  timeout: 300_000,
}, async () => {
  const lines = Array.from(
    { length: rows },
    (_, n) => `R-${n},u${n % 500}@x.com,CNY,"1,200.00",${1 + (n % 3)},${n % 3 === 0 ? 400 : ''}`,
  )
  const file = await folder.file(
    'orders.csv',
    ['external_id,email,currency,listed_price,installment_count,paid_price', ...lines].join('\n'),
  )
  const { killOnceThereAre, finish } = killableImport(
    database,
    (path) => ['orders', 'import', path, '--org', org.corp_id],
    countOrders,
  )
  for (let kill = 0; kill < kills; kill++) {
    const target = Math.floor(300 * (kill + Math.random()))
    expect(await killOnceThereAre(target, file)).toBe(true)
  }
  expect(await countOrders()).toBeLessThan(rows)
  const done = await finish(file)
  expect(done).toMatchObject({ code: 0, report: { rows: { total: rows, reject: 0 } } })
  expect(await finish(file)).toMatchObject({ code: 0, report: { rows: { unchanged: rows } } })
  const [found] = await org.query(`
    select (select count(*) from orders where corp_id = $corp)::int as orders,
           (select count(distinct external_id) from orders where corp_id = $corp)::int as ids,
           (select count(*) from payments where corp_id = $corp)::int as payments,
           (select count(*) from order_versions where corp_id = $corp)::int as versions,
           (select count(*) from users where corp_id = $corp)::int as users`)
  expect(found).toEqual({
    orders: rows,
    ids: rows,
    payments: rows / 3,
    versions: rows + rows / 3,
    users: 500,
  })
  expect((await checkLedger(database.owner, org.corp_id)).discrepancies).toEqual([])
})

async function countOrders(): Promise<number> {
  const [row] = await org.query('select count(*)::int as orders from orders where corp_id = $corp')
  return row!.orders as number
}

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openImport } from '../../../test/support/order-import.ts'
import { openFolder } from '../../../test/support/sheets.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'

/** `npm run test:long` imports 200,000 of them; the gate fewer. */
const rows = Number(process.env.MATRICULA_IMPORT_ROWS ?? 400)

let database: TestDatabase
let folder: Awaited<ReturnType<typeof openFolder>>
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await openFolder()
})
afterAll(async () => {
  await folder.remove()
  await database.drop()
})

const header = 'external_id,mobile,area_code,name,listed_price,currency,installment_count,paid_price,remark'

function line(n: number, listed: number): string {
  const paid = n % 3 === 0 ? String(listed) : n % 3 === 1 ? '10' : ''
  return `row-${n},${13_000_000_000 + (n % 5000)},86,Student ${n % 5000},${listed},CNY,${1 + (n % 4)},${paid},${n % 10 === 0 ? 'Called' : ''}`
}

test(`a file of ${rows} rows creates as many orders with their payments, and changes nothing when repeated`, {
  timeout: 7_200_000,
}, async () => {
  const school = await openImport(database)
  const listed = (n: number) => 1000 + (n % 100)
  const lines = Array.from({ length: rows }, (_, n) => line(n, listed(n)))
  const file = await folder.file('many.csv', [header, ...lines].join('\n'))
  const report = await school.import(file)
  expect(report.rows).toEqual({ total: rows, create: rows, update: 0, unchanged: 0, reject: 0, erased: 0 })
  const numbers = Array.from({ length: rows }, (_, n) => n)
  const paid = numbers.reduce((sum, n) => sum + [listed(n), 10, 0][n % 3]!, 0)
  const [ledger] = await school.query(`
    select (select count(*) from orders where corp_id = $corp)::int as orders,
           (select count(distinct mtime) from orders where corp_id = $corp)::int as instants,
           (select sum(order_price) from payments where corp_id = $corp)::int as paid,
           (select count(*) from order_remarks where corp_id = $corp)::int as remarks,
           (select sum(rows) from list_counts
             where corp_id = $corp and list = 'orders' and time = 'ctime' and status = '' and span = 'day')::int as counted`)
  const remarks = Math.ceil(rows / 10)
  expect(ledger).toEqual({ orders: rows, instants: rows, paid: paid * 100, remarks, counted: rows })
  expect(await checkLedger(database.app, school.corp_id)).toMatchObject({ total: 0, discrepancies: [] })
  const before = await school.checksum()
  expect((await school.import(file)).rows).toMatchObject({ unchanged: rows, create: 0, update: 0 })
  expect(await school.checksum()).toBe(before)

  const changed = Array.from({ length: rows }, (_, n) => line(n, n % 3 === 2 ? listed(n) + 1 : listed(n)))
  const next = await folder.file('next.csv', [header, ...changed].join('\n'))
  const updates = numbers.filter((n) => n % 3 === 2).length
  expect((await school.import(next)).rows).toMatchObject({ update: updates, unchanged: rows - updates })
  expect(await checkLedger(database.app, school.corp_id)).toMatchObject({ total: 0, discrepancies: [] })
})

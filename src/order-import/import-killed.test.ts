import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { bareEnvironment } from '../../test/harness/bare-environment.ts'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { checkLedger } from '../finance/check-ledger.ts'
import { openFolder } from '../spreadsheet/sheet-test-support.ts'
import { type ImportOrganization, openImport } from './import-test-support.ts'

const entry = join(import.meta.dirname, '../cli/matricula.ts')
const rows = 3000

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

test('an import that is killed ten times and resumed imports each row exactly once', {
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
  let kills = 0
  while (kills < 10) {
    const target = Math.floor((rows * (kills + Math.random())) / 11)
    if (await killOnceThereAre(target, file)) kills++
    else break
  }
  expect(kills).toBe(10)
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

function start(file: string) {
  const { host } = inject('postgres')
  const DATABASE_URL = `postgres:///${database.name}?host=${encodeURIComponent(host)}&user=matricula_owner`
  const env = { ...bareEnvironment, DATABASE_URL, MATRICULA_KEY: '07'.repeat(32) }
  return spawn(process.execPath, [entry, 'orders', 'import', file, '--org', org.corp_id, '--json'], { env })
}

/** False where the import was done before it could be killed. */
async function killOnceThereAre(orders: number, file: string): Promise<boolean> {
  const child = start(file)
  const closed = once(child, 'close')
  let isDone = false
  closed.then(() => {
    isDone = true
  })
  while (!isDone && (await countOrders()) <= orders) await new Promise((resolve) => setTimeout(resolve, 5))
  child.kill('SIGKILL')
  const [, signal] = await closed
  return signal === 'SIGKILL'
}

async function countOrders(): Promise<number> {
  const [row] = await org.query('select count(*)::int as orders from orders where corp_id = $corp')
  return row!.orders as number
}

async function finish(file: string) {
  const child = start(file)
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (text) => {
    stdout += text
  })
  child.stderr.on('data', (text) => {
    stderr += text
  })
  const [code] = await once(child, 'close')
  expect(stderr).toBe('')
  return { code, report: JSON.parse(stdout) }
}

import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { testKeyring } from '../../../../test/harness/keyring.ts'
import { type Counter, openCounter } from '../../../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../../../test/harness/server.ts'
import { hireStaff } from '../../../../test/harness/staff.ts'
import { linkEntries } from '../../../access/audit/link-entries.ts'
import { addEvents } from '../../../events/add-events.ts'
import { listEvents } from '../../../events/list-events.ts'
import { maintainOnce } from '../../../maintenance.ts'
import { createPayment } from '../../../orders/payments/create-payment.ts'
import { createExport } from './create-export.ts'
import { fetchExport, listExports } from './fetch-export.ts'

let server: TestServer
let school: Counter
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openCounter(server)
  const { order_id } = await school.order()
  await school.call(createPayment, { order_id, price: 10_000 })
})
afterAll(() => server.close())

const wanted = { what: 'payments', format: 'csv' }
const log = { info: () => undefined, warn: () => undefined } as never

async function finished(export_id: string) {
  await expect
    .poll(async () => (await school.call(fetchExport, { export_id })).data.state, { timeout: 30_000 })
    .toMatch(/done|failed/)
  return (await school.call(fetchExport, { export_id })).data
}

test('an export is written in the background, and its file is only at the secret address', async () => {
  for (const what of ['payments', 'refunds', 'financial_rows'])
    for (const format of ['csv', 'xlsx']) {
      const { export_id } = (await school.call(createExport, { what, format })).data
      const done = await finished(export_id)
      expect(done).toMatchObject({ state: 'done', what, format })
      const answer = await fetch(server.url + done.download)
      const file = Buffer.from(await answer.arrayBuffer())
      expect([answer.status, file.length]).toEqual([200, done.bytes])
      expect(answer.headers.get('content-disposition')).toContain(`.${format}"`)
      if (what === 'payments' && format === 'csv') expect(file.toString()).toContain('10000'.slice(0, 3))
    }
  const { list } = (await school.call(listExports)).data
  expect(list).toHaveLength(6)
  const other = await openCounter(server)
  expect((await other.call(fetchExport, { export_id: list[0].export_id })).code).toBe(40418)
  const stranger = list[0].download.replace(school.corp_id, other.corp_id)
  for (const address of [stranger, list[0].download.replace(/.{4}$/, 'aaaa')])
    expect((await fetch(server.url + address)).status).toBe(404)
})

test('an unfinished export is resumed, as of the same instant and with the same bytes', async () => {
  const first = (await school.call(createExport, wanted)).data
  const done = await finished(first.export_id)
  const bytes = await (await fetch(server.url + done.download)).text()
  await server.database.superuser.query(
    `update finance_exports set state = 'running', busy_until = now() - interval '1 minute' where export_id = $1`,
    [first.export_id],
  )
  const { order_id } = await school.order()
  await school.call(createPayment, { order_id, price: 500 })
  await maintainOnce(server.db, new Date(), log, new AbortController().signal, testKeyring)
  const again = await finished(first.export_id)
  expect(again).toMatchObject({ state: 'done', sha256: done.sha256, as_of: done.as_of })
  const text = await (await fetch(server.url + again.download)).text()
  expect(createHash('sha256').update(text).digest('hex')).toBe(
    createHash('sha256').update(bytes).digest('hex'),
  )
})

test('an export that never ends fails, files are kept for a day, and at most twenty run at a time', async () => {
  const { export_id } = (await school.call(createExport, wanted)).data
  await finished(export_id)
  await server.database.superuser.query(
    `update finance_exports set state = 'running', attempts = 3, busy_until = null where export_id = $1`,
    [export_id],
  )
  await maintainOnce(server.db, new Date(), log, new AbortController().signal, testKeyring)
  expect(await finished(export_id)).toMatchObject({ state: 'failed', download: '' })
  await server.database.superuser.query(
    `insert into finance_exports (corp_id, export_id, what, format, as_of, state, token, executor_id, busy_until, ctime)
     select $1, 'busy-' || n, 'payments', 'csv', now(), 'running', 'busy-' || n, 'x', now() + interval '1 hour', now()
       from generate_series(1, 20) n`,
    [school.corp_id],
  )
  expect((await school.call(createExport, wanted)).code).toBe(40904)
  await server.database.superuser.query(
    `update finance_exports set state = 'failed' where export_id like 'busy-%'`,
  )
  await maintainOnce(
    server.db,
    new Date(Date.now() + 25 * 3_600_000),
    log,
    new AbortController().signal,
    testKeyring,
  )
  expect((await school.call(listExports)).data.list).toEqual([])
  const left = await server.database.superuser.query(
    'select count(*)::integer as pieces from finance_export_pieces',
  )
  expect(left.rows[0].pieces).toBe(0)
})

test('an export fails if the disk is full', async () => {
  vi.stubEnv('TMPDIR', '/nowhere')
  try {
    const { export_id } = (await school.call(createExport, wanted)).data
    expect(await finished(export_id)).toMatchObject({ state: 'failed', download: '' })
  } finally {
    vi.unstubAllEnvs()
  }
})

test('a ready export is in the feed once, a failed one is not', async () => {
  const { export_id } = (await school.call(createExport, wanted)).data
  await finished(export_id)
  await linkEntries(server.db, school.corp_id)
  await addEvents(server.db, school.corp_id)
  const { list } = (await school.call(listEvents, { types: 'export.ready', limit: 1000 })).data
  const ready = list.map(({ record_id }: { record_id: string }) => record_id)
  expect(ready.filter((id: string) => id === export_id)).toHaveLength(1)
  const { rows } = await server.database.superuser.query(
    `select export_id from finance_exports where corp_id = $1 and state = 'failed'`,
    [school.corp_id],
  )
  for (const failed of rows) expect(ready).not.toContain(failed.export_id)
})

test('every download is in the audit', async () => {
  const { export_id } = (await school.call(createExport, wanted)).data
  const { download } = await finished(export_id)
  const clerk = await hireStaff(server, school.corp_id, 'finance')
  const taken = async () => {
    const { rows } = await server.database.superuser.query(
      `select actor_kind, actor_id, address, action from audit_entries
        where corp_id = $1 and record_id = $2 and operation = 'downloadExport' order by at, entry_id`,
      [school.corp_id, export_id],
    )
    return rows
  }
  expect(await taken()).toEqual([])
  await (await fetch(`${server.url}${download}`, { headers: clerk.headers })).text()
  await (await fetch(`${server.url}${download}`)).text()
  expect((await fetch(`${server.url}${download.slice(0, -1)}`)).status).toBe(404)
  const from = { address: '127.0.0.1', action: 'exported' }
  expect(await taken()).toEqual([
    { actor_kind: 'staff', actor_id: clerk.staff_id, ...from },
    { actor_kind: 'account', actor_id: '', ...from },
  ])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { atOnce, openCounter, openLedger } from '../../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { createRemark } from '../create-remark.ts'
import { fetchOrder } from '../listing/fetch-order.ts'
import { takeInstants } from './ledger-clock-store.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server.close())

test('instants are distinct and increase, with any number of them and of concurrent callers', async () => {
  const { corp_id } = await openLedger(server.database)
  const taken = await atOnce(20, (n) =>
    server.db.of(corp_id).transaction((tx) => takeInstants(tx, corp_id, 1 + (n % 5))),
  )
  for (const instants of taken) expect(instants).toEqual(instants.toSorted())
  expect(new Set(taken.flat()).size).toBe(taken.flat().length)
  const [next] = await server.db.of(corp_id).transaction((tx) => takeInstants(tx, corp_id, 1))
  expect(next! > taken.flat().sort().at(-1)!).toBe(true)
})

test('a server whose clock is 40 days ahead does not move the ledger, which uses the clock of the database', async () => {
  const school = await openCounter(server)
  // The token was issued before, and would have expired by then.
  const ahead = 40 * 86_400_000
  const { order_id } = await school.order()
  const { rows } = await server.database.superuser.query('select extract(epoch from now()) * 1000 as now')
  const before = Number(rows[0].now)
  server.setNow(new Date(Date.now() + ahead))
  try {
    const token = await server.tokenOf(school.account)
    const remark = { corp_id: school.corp_id, order_id, content: 'From the future' }
    expect((await server.call(createRemark, remark, { token })).code).toBe(0)
  } finally {
    server.setNow(undefined)
  }
  const { mtime } = (await school.call(fetchOrder, { order_id })).data
  expect(Date.parse(`${mtime.replace(' ', 'T')}Z`)).toBeGreaterThan(before - 60_000)
  expect(Date.parse(`${mtime.replace(' ', 'T')}Z`)).toBeLessThan(before + ahead / 2)
})

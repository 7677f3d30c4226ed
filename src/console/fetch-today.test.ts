import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../test/harness/server.ts'
import { hireStaff } from '../../test/harness/staff.ts'
import { fetchToday } from './fetch-today.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

test('an instalment that was paid before its order was locked is not overdue', async () => {
  const admin = await hireStaff(server, server.sample.corp_id, 'admin')
  const { overdue } = (await admin.call(fetchToday)).data
  expect(overdue.list.length).toBeGreaterThan(0)
  for (const { unpaid_price } of overdue.list) expect(unpaid_price).toBeGreaterThan(0)
})

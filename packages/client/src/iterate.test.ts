import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { linkEntries } from '../../../src/access/audit/link-entries.ts'
import { addEvents } from '../../../src/events/add-events.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { type ClientSchool, openClientSchool } from '../test/client-of.ts'
import type { Matricula } from './matricula.ts'

let server: TestServer
let school: ClientSchool
let m: Matricula
const warnings: string[] = []

beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openClientSchool(server)
  m = school.client({ onWarning: ({ message }) => warnings.push(message) })
})
afterAll(() => server?.close())
afterEach(() => {
  vi.useRealTimers()
})

async function collect<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = []
  for await (const row of rows) all.push(row)
  return all
}

test('an iterator yields every row of a list, with pages of any size', async () => {
  const { user_id } = await m.users.create({ email: 'mei.lin@example.com' })
  const wanted: string[] = []
  for (let n = 0; n < 7; n++)
    wanted.push((await m.orders.create({ user_id, currency: 'CNY', listed_price: 100 + n })).order_id)
  expect(await collect(m.orders.iterate({ start_date: '2000-01-01', end_date: '2000-01-02' }))).toEqual([])
  for (const page_size of [1, 3, 7, undefined]) {
    const rows = await collect(m.orders.iterate({ page_size }))
    expect(rows.map((row) => row.entity_id)).toEqual(wanted)
  }
  // Orders leave their place while they are read.
  const seen: string[] = []
  for await (const { entity_id } of m.orders.iterate({ status: 'created', page_size: 2 })) {
    seen.push(entity_id)
    await m.orders.updateStatus({ order_id: entity_id, status: 'canceled', reason: 'Changed their mind' })
  }
  expect(seen).toEqual(wanted)
})

test('an iterator reads lists by rows, and lists by cursor', async () => {
  const group = { description: 'x', attribute: 'string', category: 'kind' } as const
  for (const name of ['a', 'b', 'c']) await m.tagGroups.create({ ...group, name, variable_name: name })
  const groups = await collect(m.tagGroups.iterate({ category: 'kind', step: 2 }))
  expect(groups.map(({ name }) => name).toSorted()).toEqual(['a', 'b', 'c'])
  await linkEntries(server.db, school.corp_id)
  const added = await addEvents(server.db, school.corp_id)
  expect(added).toBeGreaterThan(3)
  expect(await collect(m.events.iterate({ limit: 2 }))).toHaveLength(added)
})

test('a page that took more than five minutes is mentioned', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  await m.users.create({ email: 'one@example.com' })
  await m.users.create({ email: 'two@example.com' })
  for await (const _ of m.users.iterate({ page_size: 1 })) vi.setSystemTime(Date.now() + 301_000)
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain('users.list: the rows of a page took more than five minutes')
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { projectPlainOrders } from '../../../test/harness/orders.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { createCursors } from '../../search/cursors.ts'
import { answerPage } from './answer-page.ts'
import { listOrders } from './list-orders.ts'

let server: TestServer
let school: TestLedger
const orderIds: string[] = []
const deleted = new Set<string>()

beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openLedger(server.database)
  for (let n = 0; n < 9; n++) orderIds.push((await school.order()).order_id)
  for (const n of [1, 4, 8]) deleted.add(orderIds[n]!)
  await server.database.superuser.query('update orders set is_deleted = true where order_id = any($1)', [
    [...deleted],
  ])
  const { corp_id } = school
  await server.db.of(corp_id).transaction((tx) => projectPlainOrders(tx, corp_id, orderIds))
})
afterAll(() => server.close())

test.each(['create', 'modify'])(
  'deleted orders are listed in their place if asked for, by %s',
  async (type) => {
    const filter = { time_range_type: type, page_size: 1000 }
    const live = await school.run(listOrders, filter)
    expect(live.list.map(({ entity_id }: { entity_id: string }) => entity_id)).toEqual(
      orderIds.filter((id) => !deleted.has(id)),
    )
    const all = await school.run(listOrders, { ...filter, include_deleted: true })
    expect(all.total).toBe(9)
    expect(all.list.map(({ entity_id }: { entity_id: string }) => entity_id)).toEqual(orderIds)
    for (const { entity_id, is_deleted } of all.list) expect(is_deleted).toBe(deleted.has(entity_id))
    const none = await school.run(listOrders, { ...filter, include_deleted: true, end_date: '2001-01-01' })
    expect(none).toMatchObject({ total: 0, list: [] })
    const canceled = await school.run(listOrders, { ...filter, include_deleted: true, status: 'canceled' })
    expect(canceled.total).toBe(0)
  },
)

test('pages with deleted orders have no gap or overlap, in a walk and by number', async () => {
  const { corp_id } = school
  const filter = {
    corp_id,
    timeColumn: 'mtime' as const,
    timeZone: 'UTC',
    includesDeleted: true as const,
    page_size: 2,
  }
  const reader = (cursors = createCursors()) => ({
    db: server.db.of(corp_id),
    account: { app_id: 'x' },
    cursors,
  })
  const walking = reader()
  for (const readerOf of [() => walking, () => reader()]) {
    const seen: string[] = []
    for (let page = 0; page < 6; page++) {
      const body = await answerPage(readerOf(), 'orders', { ...filter, page })
      const { total, list } = JSON.parse(String(body)).data
      expect(total).toBe(9)
      seen.push(...list.map(({ entity_id }: { entity_id: string }) => entity_id))
    }
    expect(seen).toEqual(orderIds)
  }
})

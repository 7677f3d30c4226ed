import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { type OrderStatus, orderStatuses } from '../src/contract/order-statuses.ts'
import { raw, type Statement, sql } from '../src/database/sql.ts'
import { listFinancialRows } from '../src/orders/listing/list-financial-rows.ts'
import { listOrders } from '../src/orders/listing/list-orders.ts'
import { attemptsOf } from './harness/attempts.ts'
import {
  insertPlainOrders,
  insertPlainUser,
  type PlainOrder,
  plainOrder,
  projectPlainOrders,
} from './harness/orders.ts'
import { openOrganization, type TestOrganization } from './harness/organization.ts'
import { startTestServer, type TestServer } from './harness/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server.close())

/** Both lists, and the id of an order in their rows; every order of these tests has one sub-order of the same id. */
const lists: [name: string, list: Endpoint, idOf: (row: Record<string, string>) => string][] = [
  ['order list', listOrders, (row) => row.entity_id!],
  ['financial list', listFinancialRows, (row) => row.sub_order_id!],
]

const day = 86_400_000
const firstDay = Date.UTC(2024, 0, 1)

describe.each(lists)('the %s on quiet data', (_, list, idOf) => {
  let school: TestOrganization
  let orders: PlainOrder[]

  beforeAll(async () => {
    school = await openOrganization(server)
    const user_id = await insertPlainUser(server.db.of(school.corp_id), school.corp_id)
    // Few different instants, so that many rows share one and only the id tells their order.
    orders = fc.sample(quietOrders, { numRuns: 1, seed: 7 })[0]!
    await insertPlainOrders(server.db.of(school.corp_id), school.corp_id, user_id, orders)
    // A second school with the same orders, which must never be counted.
    const other = await openOrganization(server)
    const otherUser = await insertPlainUser(server.db.of(other.corp_id), other.corp_id)
    await insertPlainOrders(server.db.of(other.corp_id), other.corp_id, otherUser, orders)
  })

  test('pages are consecutive parts of the sorted list, with any filter', async () => {
    const filters = fc.record(
      {
        status: fc.constantFrom(...orderStatuses),
        time_range_type: fc.constantFrom('create' as const, 'modify' as const, 'modity' as const),
        start_date: dates,
        end_date: dates,
        page_size: fc.constantFrom(1, 7, 10, 100, 1000),
      },
      { requiredKeys: ['page_size'] },
    )
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        fc.pre(!filter.start_date || !filter.end_date || filter.start_date <= filter.end_date)
        await expectPages(filter, expectedIds(filter))
      }),
      { numRuns: attemptsOf('MATRICULA_LISTS', 12) },
    )
  })

  test.each([1, 7, 10, 100, 1000])(
    'pages of %i rows cover all, by creation and by modification',
    async (page_size) => {
      for (const time_range_type of ['create', 'modify'] as const) {
        await expectPages({ page_size, time_range_type }, expectedIds({ time_range_type }))
      }
    },
  )

  test.each(orderStatuses)('pages of the status %s have that status and all of it', async (status) => {
    await expectPages({ page_size: 7, status }, expectedIds({ status }))
  })

  test('pages may be read in any order, and again', async () => {
    for (const time_range_type of ['create', 'modify'] as const) {
      const ids = expectedIds({ time_range_type })
      for (const page of [3, 0, 5, 4, 4, 1, 2, 0, 3]) {
        const { list: rows } = await read({ page, page_size: 9, time_range_type })
        expect(rows.map(idOf)).toEqual(ids.slice(page * 9, page * 9 + 9))
      }
    }
  })

  test('a page beyond the end is empty and has the total', async () => {
    for (const time_range_type of ['create', 'modify']) {
      for (const page of [Math.ceil(orders.length / 10), 1000, 1_000_000_000]) {
        const answer = await read({ page, page_size: 10, time_range_type })
        expect(answer).toEqual({ total: orders.length, page, page_size: 10, list: [] })
      }
    }
  })

  test('the default is page 0 of 10 rows by creation', async () => {
    const { total, page, page_size, list: rows } = await read({})
    expect({ total, page, page_size }).toEqual({ total: orders.length, page: 0, page_size: 10 })
    expect(rows.map(idOf)).toEqual(expectedIds({}).slice(0, 10))
  })

  test('modity means modify', async () => {
    const filter = { page_size: 50, start_date: '2024-01-03' }
    const modity = await read({ ...filter, time_range_type: 'modity' })
    expect(modity).toEqual(await read({ ...filter, time_range_type: 'modify' }))
    expect(modity).not.toEqual(await read({ ...filter, time_range_type: 'create' }))
  })

  test.each([
    { page_size: 1001 },
    { page_size: 0 },
    { page_size: -1 },
    { page: -1 },
    { page: 1.5 },
    { page_size: 'ten' },
    { status: 'paid' },
    { time_range_type: 'creation' },
    { start_date: '2024-1-1' },
    { start_date: '2023-02-29' },
    { start_date: '2024-01-02', end_date: '2024-01-01' },
  ])('%o is 40002', async (filter) => {
    const { code, data } = await school.call(list, filter)
    expect(code).toBe(40002)
    expect(data.errors).toHaveLength(1)
  })

  async function read(filter: Record<string, unknown>) {
    const { code, data } = await school.call(list, filter)
    expect(code).toBe(0)
    return data as { total: number; page: number; page_size: number; list: Record<string, string>[] }
  }

  async function expectPages(
    filter: Record<string, unknown> & { page_size: number },
    ids: string[],
  ): Promise<void> {
    for (let page = 0; page <= ids.length / filter.page_size; page++) {
      const answer = await read({ ...filter, page })
      const from = page * filter.page_size
      expect(answer.list.map(idOf)).toEqual(ids.slice(from, from + filter.page_size))
      expect(answer).toMatchObject({ total: ids.length, page, page_size: filter.page_size })
    }
  }

  interface Wanted {
    status?: OrderStatus
    time_range_type?: string
    start_date?: string
    end_date?: string
  }

  /** The same by plain comparison of all orders; the school's clocks show UTC. */
  function expectedIds({
    status,
    time_range_type = 'create',
    start_date = '0',
    end_date = '9',
  }: Wanted): string[] {
    const timeOf = (order: PlainOrder) => (time_range_type === 'create' ? order.ctime : order.mtime)
    const isIn = (date: string) => start_date <= date && date <= end_date
    return orders
      .filter(
        (order) => (status === undefined || order.status === status) && isIn(timeOf(order).slice(0, 10)),
      )
      .map((order) => `${timeOf(order)} ${order.order_id}`)
      .sort()
      .map((key) => key.split(' ')[1]!)
  }
})

const instants = fc
  .integer({ min: 0, max: 40 })
  .map((step) => new Date(firstDay + step * (day / 8)).toISOString())
const dates = fc
  .integer({ min: 0, max: 6 })
  .map((n) => new Date(firstDay + n * day).toISOString().slice(0, 10))
const quietOrders = fc.array(
  fc.record({
    order_id: fc.uuid().map((id) => id.replaceAll('-', '')),
    ctime: instants,
    mtime: instants,
    status: fc.constantFrom(...orderStatuses),
  }),
  { minLength: 60, maxLength: 60, size: 'max' },
)

describe.each(lists)('a reader of the %s while others write', (_, list, idOf) => {
  test.each(['create', 'modify'])(
    'by time of %s misses no order that was there at the start',
    async (time_range_type) => {
      const { school, orders, writer } = await busySchool()
      const seen = await readAll(school, { time_range_type, page_size: 7 }, writer.progress)
      const acknowledged = new Set(writer.acknowledged)
      await writer.stop()
      expect(missing(orders, seen)).toEqual([])
      expect(writer.modified()).toBeGreaterThan(20)
      expect(acknowledged.size).toBeGreaterThan(0)
    },
  )

  test('by creation also sees rows that were acknowledged before it read the last page', async () => {
    const { school, writer } = await busySchool()
    let acknowledged: string[] = []
    const seen = await readAll(school, { page_size: 7 }, async () => {
      await writer.progress()
      acknowledged = [...writer.acknowledged]
    })
    await writer.stop()
    expect(acknowledged.length).toBeGreaterThan(0)
    expect(acknowledged.filter((id) => !seen.has(id))).toEqual([])
  })

  test.each(['create', 'modify'])(
    'by time of %s and by status misses no order that keeps the status',
    async (time_range_type) => {
      const { school, orders, user_id } = await quietSchool()
      const on = server.db.of(school.corp_id)
      await insertPlainOrders(on, school.corp_id, user_id, [plainOrder({ status: 'success' })])
      const leaving = orders.slice(0, 5)
      const seen = await readAll(
        school,
        { time_range_type, status: 'created', page_size: 10 },
        async (page) => {
          if (page === 1) await setStatus(school.corp_id, leaving, 'success')
        },
      )
      expect(missing(orders, seen)).toEqual([])
    },
  )

  test.each(['create', 'modify'])(
    'by time of %s and by status gets the exact total on every page, and any other page by its offset',
    async (time_range_type) => {
      const { school, orders } = await quietSchool()
      const filter = { time_range_type, status: 'created', page_size: 40 }
      const read = async (page: number) => {
        const { data } = await school.call(list, { ...filter, page })
        return { total: data.total, ids: data.list.map(idOf) }
      }
      expect((await read(0)).total).toBe(150)
      await setStatus(school.corp_id, orders.slice(0, 5), 'canceled')
      // The next page continues after the read rows, and its total counts the current list.
      expect(await read(1)).toEqual({ total: 145, ids: orders.slice(40, 80) })
      expect(await read(2)).toEqual({ total: 145, ids: orders.slice(80, 120) })
      await setStatus(school.corp_id, orders.slice(5, 30), 'canceled')
      const left = orders.slice(30)
      // Again, back and ahead.
      for (const page of [2, 1, 1, 0, 2, 3, 1])
        expect(await read(page), `page ${page}`).toEqual({
          total: 120,
          ids: left.slice(page * 40, page * 40 + 40),
        })
    },
  )

  /** Reads pages until one is short; `before` runs before each page. */
  async function readAll(
    school: TestOrganization,
    filter: Record<string, unknown> & { page_size: number },
    before: (page: number) => unknown = () => {},
  ): Promise<Set<string>> {
    const seen = new Set<string>()
    for (let page = 0; page < 1000; page++) {
      await before(page)
      const { data } = await school.call(list, { ...filter, page })
      for (const row of data.list) seen.add(idOf(row))
      if (data.list.length < filter.page_size) return seen
    }
    throw new Error('The list has no end')
  }
})

function missing(orders: string[], seen: Set<string>): string[] {
  return orders.filter((id) => !seen.has(id))
}

/** 150 orders of the last minutes, without writers. */
async function quietSchool() {
  const school = await openOrganization(server)
  const on = server.db.of(school.corp_id)
  const user_id = await insertPlainUser(on, school.corp_id)
  const start = Date.now() - 150_000
  const orders = Array.from({ length: 150 }, (_, n) =>
    plainOrder({ ctime: new Date(start + n * 1000).toISOString() }),
  )
  await insertPlainOrders(on, school.corp_id, user_id, orders)
  return { school, user_id, orders: orders.map(({ order_id }) => order_id) }
}

/** The same with a writer who creates orders and modifies old ones, mostly those that a reader has just passed. */
async function busySchool() {
  const { school, user_id, orders } = await quietSchool()
  const on = server.db.of(school.corp_id)
  const acknowledged: string[] = []
  let modified = 0
  let isStopped = false
  const make = async () => {
    for (let n = 0; !isStopped && n < 60; n++) {
      const order = plainOrder()
      await insertPlainOrders(on, school.corp_id, user_id, [order])
      acknowledged.push(order.order_id)
      await pause(5)
    }
  }
  const modify = async () => {
    for (let n = 0; !isStopped && n < 120; n++) {
      await touch(school.corp_id, orders[n % orders.length]!)
      modified++
      await pause(1)
    }
  }
  let isDone = false
  const work = Promise.all([make(), modify()]).finally(() => {
    isDone = true
  })
  /** Waits for the next modification, so that every page is read among changes on a machine of any speed. */
  const progress = async () => {
    for (const before = modified; modified === before && !isDone; ) await pause(1)
  }
  await progress()
  return {
    school,
    orders,
    writer: {
      acknowledged,
      modified: () => modified,
      progress,
      async stop() {
        isStopped = true
        await work
      },
    },
  }
}

async function touch(corp_id: string, order_id: string): Promise<void> {
  await change(corp_id, [order_id], raw('version = version + 1'))
}

async function setStatus(corp_id: string, orderIds: string[], status: OrderStatus): Promise<void> {
  await change(corp_id, orderIds, sql`status = ${status}`)
}

async function change(corp_id: string, orderIds: string[], assignment: Statement): Promise<void> {
  const now = new Date()
  await server.db.of(corp_id).transaction(async (tx) => {
    for (const table of ['orders', 'sub_orders']) {
      await tx.query(sql`
        update ${raw(table)} set ${assignment}, mtime = ${now}
         where corp_id = ${corp_id} and order_id = any(${orderIds})`)
    }
    await projectPlainOrders(tx, corp_id, orderIds)
  })
}

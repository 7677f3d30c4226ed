import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { projectPlainOrders } from '../../../test/harness/orders.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { rebuildDerivedData, rebuildOutdated } from '../../derived/derived-data.ts'
import { createPayment } from '../payments/create-payment.ts'
import { fetchOrder } from './fetch-order.ts'
import { readModelFingerprint } from './fingerprint.ts'
import { listFinancialRows } from './list-financial-rows.ts'
import { listOrders } from './list-orders.ts'
import { searchOrders } from './search-orders.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server.close())

describe('a read model of another version of the service', () => {
  test('is rebuilt, with progress; one of this version is not', async () => {
    const outdated = await currentSchool()
    await currentSchool()
    const before = await outdated.run(fetchOrder, { order_id: outdated.order_id })
    await leaveStale(outdated)
    const { discrepancies } = await checkLedger(server.db, outdated.corp_id)
    expect(discrepancies.map(({ what }) => what)).toContain(
      'derived data orders: fingerprint of the running version',
    )
    const progress: unknown[] = []
    const rebuilt = await rebuildOutdated(server.db, { report: (batch) => progress.push(batch) })
    expect(rebuilt).toEqual([{ corp_id: outdated.corp_id, name: 'orders' }])
    expect(progress).toContainEqual({ corp_id: outdated.corp_id, name: 'orders', done: 1 })
    expect(await outdated.run(fetchOrder, { order_id: outdated.order_id })).toEqual(before)
    expect((await outdated.run(listOrders)).total).toBe(1)
    expect(await checkLedger(server.db, outdated.corp_id)).toMatchObject({ total: 0 })
    expect(await rebuildOutdated(server.db)).toEqual([])
  })

  test('is rebuilt once by servers that start together', async () => {
    const school = await currentSchool()
    await leaveStale(school)
    const rebuilt = await Promise.all([rebuildOutdated(server.db), rebuildOutdated(server.database.owner)])
    expect(rebuilt.flat()).toEqual([{ corp_id: school.corp_id, name: 'orders' }])
  })

  test('is still outdated after this version has written into it', async () => {
    const school = await currentSchool()
    await leaveStale(school)
    await school.order()
    expect(await rebuildOutdated(server.db)).toEqual([{ corp_id: school.corp_id, name: 'orders' }])
    expect(await checkLedger(server.db, school.corp_id)).toMatchObject({ total: 0 })
  })

  test('is not served: rows are rendered on reading until they are rebuilt', async () => {
    const school = await currentSchool()
    const read = async () => ({
      detail: await school.run(fetchOrder, { order_id: school.order_id }),
      orders: await school.run(listOrders),
      rows: await school.run(listFinancialRows),
      found: await school.run(searchOrders),
    })
    const before = await read()
    await run(
      school,
      `update order_read_model set renderer = 'older', detail = '{}', list_row = '{}' where corp_id = $1`,
    )
    await run(
      school,
      `update financial_read_model set renderer = 'older', row_start = '{' where corp_id = $1`,
    )
    expect(await read()).toEqual(before)
    await run(school, `delete from financial_read_model where corp_id = $1`)
    expect(await read()).toEqual(before)
    await rebuildDerivedData(server.db.of(school.corp_id), school.corp_id)
  })

  test('is rebuilt in batches, and orders change between them', async () => {
    const school = await largeSchool()
    await leaveStale(school)
    let batches = 0
    const rebuilt = await rebuildOutdated(server.db, {
      async rest() {
        batches++
        if (batches === 1) await school.run(createPayment, { order_id: school.order_id, price: 1 })
      },
    })
    expect(rebuilt).toEqual([{ corp_id: school.corp_id, name: 'orders' }])
    expect(batches).toBeGreaterThan(1)
    expect(await checkLedger(server.db, school.corp_id)).toMatchObject({ total: 0 })
  })

  test('is rebuilt from the position where another server stopped', async () => {
    const school = await largeSchool()
    await leaveStale(school)
    const stopping = new AbortController()
    const rest = async () => stopping.abort()
    expect(await rebuildOutdated(server.db, { rest, signal: stopping.signal })).toEqual([])
    const records: number[] = []
    await rebuildOutdated(server.db, { report: ({ done }) => records.push(done) })
    expect(records[0]).toBe(2)
    expect(await checkLedger(server.db, school.corp_id)).toMatchObject({ total: 0 })
  })
})

test('a new organization has the versions of this code, so nothing of it is rebuilt', async () => {
  const school = await openLedger(server.database)
  const { rows } = await server.database.superuser.query(
    'select name, fingerprint from derived_data_versions where corp_id = $1 order by name',
    [school.corp_id],
  )
  expect(rows).toHaveLength(5)
  expect(rows).toContainEqual({ name: 'orders', fingerprint: readModelFingerprint })
  expect(await rebuildOutdated(server.db)).toEqual([])
})

describe('an order that is deleted', () => {
  test('leaves the list of orders and its counts, and returns to both once restored', async () => {
    const school = await schoolWithOrder()
    await school.order()
    await school.run(createPayment, { order_id: school.order_id, price: 1 })
    for (const [is_deleted, total] of [
      [true, 1],
      [true, 1],
      [false, 2],
    ] as const) {
      await server.database.superuser.query('update orders set is_deleted = $2 where order_id = $1', [
        school.order_id,
        is_deleted,
      ])
      await server.db
        .of(school.corp_id)
        .transaction((tx) => projectPlainOrders(tx, school.corp_id, [school.order_id]))
      for (const filter of [{}, { time_range_type: 'modify' }])
        expect(await school.run(listOrders, filter)).toMatchObject({ total, list: { length: total } })
      expect((await school.run(listOrders, { status: 'pending' })).total).toBe(is_deleted ? 0 : 1)
      expect(await school.run(listFinancialRows)).toMatchObject({ total: 6, list: { length: 6 } })
    }
  })

  test('without an update of the read model is found by finance check', async () => {
    const school = await schoolWithOrder()
    await server.database.superuser.query('update orders set is_deleted = true where order_id = $1', [
      school.order_id,
    ])
    const { discrepancies } = await checkLedger(server.db, school.corp_id)
    expect(discrepancies.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['list_counts: number of rows', 'order_read_model.is_deleted: the order’s']),
    )
  })
})

async function schoolWithOrder(): Promise<TestLedger & { order_id: string }> {
  const school = await openLedger(server.database)
  const { order_id } = await school.order()
  return { ...school, order_id }
}

/** All of its derived data has the fingerprints of this version. */
async function currentSchool(): Promise<TestLedger & { order_id: string }> {
  const school = await schoolWithOrder()
  await rebuildDerivedData(server.db.of(school.corp_id), school.corp_id)
  return school
}

let large: ReturnType<typeof currentSchool> | undefined

/** With more orders than a batch. Created once, because the orders take seconds. */
function largeSchool(): ReturnType<typeof currentSchool> {
  large ??= currentSchool().then(async (school) => {
    for (let n = 0; n < 101; n++) await school.order()
    return school
  })
  return large
}

/** The state that an older version would have left. */
async function leaveStale(school: TestLedger): Promise<void> {
  await run(
    school,
    `update derived_data_versions set fingerprint = 'older' where corp_id = $1 and name = 'orders'`,
  )
  await run(
    school,
    `update order_read_model set renderer = 'older', detail = replace(detail, '"created"', '"stale"') where corp_id = $1`,
  )
  await run(school, 'update list_counts set rows = rows + 1 where corp_id = $1')
}

async function run({ corp_id }: TestLedger, text: string): Promise<void> {
  await server.database.superuser.query(text, [corp_id])
}

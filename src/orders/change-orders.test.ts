import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { testKeyring } from '../../test/harness/keyring.ts'
import { openLedger, type TestLedger } from '../../test/harness/ledger.ts'
import { findOrganizations } from '../access/organizations/organization-store.ts'
import { checkLedger } from '../backoffice/finance/check-ledger.ts'
import type { OrganizationContext } from '../contract/endpoint.ts'
import { newId } from '../contract/new-id.ts'
import type { Queryable, Statements } from '../database/database.ts'
import { createCursors } from '../search/cursors.ts'
import { settleChanges } from './change-orders.ts'
import { createRemark } from './create-remark.ts'
import { holdClock } from './ledger/ledger-clock-store.ts'
import { fetchOrder } from './listing/fetch-order.ts'
import { createPayment, paymentRule } from './payments/create-payment.ts'
import { createRefund } from './payments/create-refund.ts'
import { updateOrder } from './update-order.ts'
import { updateStatus } from './update-status.ts'

let database: TestDatabase
let school: TestLedger
let context: OrganizationContext

beforeAll(async () => {
  database = await createTestDatabase()
  school = await openLedger(database)
  const [organization] = await findOrganizations(database.app.shared, [school.corp_id])
  const account = { app_id: 'tester' } as OrganizationContext['account']
  const db = database.app.of(school.corp_id)
  context = {
    db,
    organization: organization!,
    account,
    now: new Date(),
    newId,
    cursors: createCursors(),
    role: undefined,
    reach: 'everyone',
    keyring: testKeyring,
  }
})
afterAll(async () => {
  expect(await checkLedger(database.app)).toMatchObject({ total: 0, discrepancies: [] })
  await database.drop()
})

interface Payment {
  order_id: string
  price: number
  charge_id?: string
}

function pay(payments: Payment[], db: Queryable = context.db) {
  const { corp_id } = school
  const changes = payments.map((payment) => ({
    order_id: payment.order_id,
    context,
    input: { corp_id, ...payment },
  }))
  return settleChanges({ db, corp_id, executor_id: 'tester' }, changes, paymentRule)
}

function noting(tx: Queryable, texts: string[]): Queryable {
  const noted: Queryable = {
    ...tx,
    query(statement) {
      texts.push(statement.text)
      return tx.query(statement)
    },
    pipeline: ((parts: Statements | Record<string, Statements>) => {
      texts.push(
        ...Object.values(parts)
          .flat()
          .map(({ text }) => text),
      )
      return tx.pipeline(parts as Statements)
    }) as Queryable['pipeline'],
    transaction: (work) => work(noted),
    snapshot: (work) => work(noted),
  }
  return noted
}

async function orders(count: number): Promise<string[]> {
  const made: string[] = []
  for (let n = 0; n < count; n++) made.push((await school.order()).order_id)
  return made
}

describe('payments of different orders in one pass', () => {
  test('are all recorded, each at its own instant, and a refusal rejects only its own call', async () => {
    const [first, second, third] = await orders(3)
    const results = await pay([
      { order_id: first!, price: 10_000 },
      { order_id: 'nobody’s', price: 1 },
      { order_id: second!, price: Number.MAX_SAFE_INTEGER },
      { order_id: third!, price: 30_000 },
    ])
    expect(results).toMatchObject([
      { status: 'fulfilled', value: { order_id: first, order_status: 'pending', order_version: 2 } },
      { status: 'rejected', reason: { code: 40402 } },
      { status: 'rejected', reason: { code: 40002 } },
      { status: 'fulfilled', value: { order_id: third, order_status: 'success', order_version: 2 } },
    ])
    const shown = await Promise.all(
      [first, second, third].map((order_id) => school.run(fetchOrder, { order_id })),
    )
    expect(shown.map(({ paid_price, version }) => [paid_price, version])).toEqual([
      [10_000, 2],
      [0, 1],
      [30_000, 2],
    ])
    const { rows } = await database.superuser.query(
      `select count(distinct o.mtime)::int as instants, bool_and(p.ctime = o.mtime and v.at = o.mtime) as agree
         from orders o join payments p using (corp_id, order_id)
         join order_versions v on v.corp_id = o.corp_id and v.order_id = o.order_id and v.version = o.version
        where o.order_id = any($1)`,
      [[first, third]],
    )
    expect(rows).toEqual([{ instants: 2, agree: true }])
  })

  test('of one charge that were both looked up before either existed: one is recorded, the other refused', async () => {
    const [first, second] = await orders(2)
    const charge_id = newId()
    let waiting: ReturnType<typeof pay>[] = []
    await context.db.transaction(async (tx) => {
      await holdClock(tx, school.corp_id)
      waiting = [first!, second!].map((order_id) => pay([{ order_id, price: 10_000, charge_id }]))
      // Both have locked their order and wait for the clock.
      await expect.poll(database.lockWaits, { timeout: 30_000 }).toBe(2)
    })
    const results = (await Promise.all(waiting)).flat()
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const refused = results.find(({ status }) => status === 'rejected')
    expect(refused).toMatchObject({ reason: { code: 40901 } })
  })

  test('take as many statements as one payment', async () => {
    const ids = await orders(21)
    const count = async (payments: Payment[]) => {
      const texts: string[] = []
      const results = await context.db.transaction((tx) => pay(payments, noting(tx, texts)))
      expect(results.every(({ status }) => status === 'fulfilled')).toBe(true)
      return texts
    }
    const one = await count([{ order_id: ids[0]!, price: 5, charge_id: 'of one' }])
    const many = await count(
      ids.slice(1).map((order_id, n) => ({ order_id, price: 5, charge_id: `of many ${n}` })),
    )
    expect(many).toEqual(one)
    expect(new Set(one).size).toBe(one.length)
  })

  test('with one charge make one payment', async () => {
    const [first, second] = await orders(2)
    const charge = { price: 7, charge_id: 'told of two' }
    const results = await pay([
      { order_id: first!, ...charge },
      { order_id: second!, ...charge },
    ])
    expect(results).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: { code: 40901 } }])
    expect(await pay([{ order_id: first!, ...charge }])).toEqual(results.slice(0, 1))
  })

  test('write only the rows that they change', async () => {
    const { order_id, sub_order_ids } = await school.order()
    const written = async () => {
      const { rows } = await database.superuser.query(
        'select sub_order_id, xmin::text from financial_read_model where order_id = $1',
        [order_id],
      )
      return new Map(rows.map((row) => [row.sub_order_id, row.xmin]))
    }
    const before = await written()
    await pay([{ order_id, price: 5 }])
    const after = await written()
    expect(sub_order_ids.filter((id) => before.get(id) !== after.get(id))).toEqual([sub_order_ids[0]])
  })

  test('may have texts with any separator character', async () => {
    const ids = await orders(3)
    const comments = '"a"\u001fb\\,{}\u001e'
    for (const order_id of ids) await school.run(createRemark, { order_id, content: comments })
    await Promise.all(ids.map((order_id) => school.run(createRemark, { order_id, content: comments })))
    const { rows } = await database.superuser.query(
      'select order_id, list_row::json as row from order_read_model where order_id = any($1)',
      [ids],
    )
    expect(rows).toHaveLength(3)
    for (const { order_id, row } of rows) {
      expect(row.entity_id).toBe(order_id)
      expect(row.remark_list.map((remark: { content: string }) => remark.content)).toEqual([
        comments,
        comments,
      ])
    }
  })

  test('in lists in any order never deadlock', async () => {
    const ids = await orders(6)
    const rounds = Array.from({ length: 8 }, (_, round) => {
      const turned = [...ids.slice(round % 6), ...ids.slice(0, round % 6)]
      return pay((round % 2 ? turned.toReversed() : turned).map((order_id) => ({ order_id, price: 1 })))
    })
    const results = (await Promise.all(rounds)).flat()
    expect(results.filter(({ status }) => status === 'rejected')).toEqual([])
    for (const order_id of ids) expect((await school.run(fetchOrder, { order_id })).paid_price).toBe(8)
  })
})

describe('changes that wait at the same time', () => {
  test('share one transaction, of any kind; a refusal rejects its own caller only', async () => {
    const ids = await orders(12)
    await school.run(createPayment, { order_id: ids[0], price: 500 })
    const calls = await Promise.allSettled([
      school.run(createRefund, { order_id: ids[0], price: 200 }),
      school.run(createRefund, { order_id: ids[1], price: 1 }),
      school.run(createRemark, { order_id: ids[2], content: 'Together' }),
      school.run(updateOrder, { order_id: ids[3], version: 7, contract_id: 'stale' }),
      school.run(updateStatus, { order_id: ids[4], status: 'locked' }),
      school.run(createPayment, { order_id: 'nobody’s', price: 1 }),
      ...ids.slice(5).map((order_id) => school.run(createPayment, { order_id, price: 10_000 })),
    ])
    const refused = calls.map((call) => (call.status === 'rejected' ? call.reason.code : 0))
    expect(refused).toEqual([0, 40904, 0, 40902, 0, 40402, ...ids.slice(5).map(() => 0)])
    const { rows } = await database.superuser.query(
      `select distinct on (order_id) xmin::text as transaction, at::text from order_versions
        where corp_id = $1 and order_id = any($2) and version > 1 order by order_id, version desc`,
      [school.corp_id, ids],
    )
    expect(rows).toHaveLength(10)
    expect(new Set(rows.map(({ transaction }) => transaction)).size).toBe(1)
    expect(new Set(rows.map(({ at }) => at)).size).toBe(10)
  })

  test('of one order run one after the other', async () => {
    const [order_id] = await orders(1)
    const made = await Promise.all(
      Array.from({ length: 10 }, () => school.run(createPayment, { order_id, price: 1 })),
    )
    const versions = made.map(({ order_version }) => order_version)
    expect(versions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, n) => n + 2))
  })

  test('are not affected by one that the database refuses', async () => {
    const ids = await orders(5)
    const paid = await Promise.allSettled(
      ids.map((order_id, n) =>
        school.run(createPayment, { order_id, price: 1, comments: n === 2 ? 'no\u0000text' : 'text' }),
      ),
    )
    expect(paid.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    ])
    const shown = await Promise.all(ids.map((order_id) => school.run(fetchOrder, { order_id })))
    expect(shown.map(({ paid_price }) => paid_price)).toEqual([1, 1, 0, 1, 1])
  })

  test('by many callers of one organization leave a connection to others', async () => {
    const ids = await orders(40)
    const other = await openLedger(database)
    const { order_id } = await other.order()
    const busy = Promise.all(ids.map((id) => school.run(createPayment, { order_id: id, price: 1 })))
    expect((await other.run(fetchOrder, { order_id })).version).toBe(1)
    await busy
  })
})

test('two changes of one order do not share a transaction', async () => {
  const [order_id] = await orders(1)
  await expect(
    pay([
      { order_id: order_id!, price: 1 },
      { order_id: order_id!, price: 2 },
    ]),
  ).rejects.toThrow('different orders')
  expect((await school.run(fetchOrder, { order_id })).version).toBe(1)
})

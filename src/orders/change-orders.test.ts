import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { openLedger, type TestLedger } from '../../test/harness/ledger.ts'
import type { OrganizationContext } from '../contract/endpoint.ts'
import { newId } from '../contract/new-id.ts'
import type { Queryable } from '../database/database.ts'
import { checkLedger } from '../finance/check-ledger.ts'
import { findOrganizations } from '../organizations/organization-store.ts'
import { changeOrders } from './change-orders.ts'
import { createCursors } from './cursors.ts'
import { fetchOrder } from './fetch-order.ts'
import { paymentRule } from './payments/create-payment.ts'

let database: TestDatabase
let school: TestLedger
let context: OrganizationContext

beforeAll(async () => {
  database = await createTestDatabase()
  school = await openLedger(database)
  const [organization] = await findOrganizations(database.app.shared, [school.corp_id])
  const account = { app_id: 'tester' } as OrganizationContext['account']
  const db = database.app.of(school.corp_id)
  context = { db, organization: organization!, account, now: new Date(), newId, cursors: createCursors() }
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
  return changeOrders({ db, corp_id, executor_id: 'tester' }, changes, paymentRule)
}

function noting(tx: Queryable, texts: string[]): Queryable {
  const noted: Queryable = {
    isTransaction: true,
    query(statement) {
      texts.push(statement.text)
      return tx.query(statement)
    },
    pipeline(statements) {
      texts.push(...statements.map(({ text }) => text))
      return tx.pipeline(statements)
    },
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
  test('are all made, each at an instant of its own, and a refusal rejects only its own', async () => {
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

  test('take as many statements as one does', async () => {
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

  test('in lists of any order never wait for each other for ever', async () => {
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

test('two changes of one order are not made together', async () => {
  const [order_id] = await orders(1)
  await expect(
    pay([
      { order_id: order_id!, price: 1 },
      { order_id: order_id!, price: 2 },
    ]),
  ).rejects.toThrow('different orders')
  expect((await school.run(fetchOrder, { order_id })).version).toBe(1)
})

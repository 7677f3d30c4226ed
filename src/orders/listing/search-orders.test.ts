import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { checkLedger } from '../../backoffice/finance/check-ledger.ts'
import { rebuildDerivedData } from '../../derived/derived-data.ts'
import { createUser } from '../../people/users/create-user.ts'
import { createOrder } from '../create-order.ts'
import { upsertCourse } from '../offerings/upsert-course.ts'
import { createPayment } from '../payments/create-payment.ts'
import { updateOrder } from '../update-order.ts'
import { updateStatus } from '../update-status.ts'
import { searchOrders } from './search-orders.ts'

const runs = Number(process.env.MATRICULA_SEARCHES ?? 60)

let server: TestServer
let school: TestLedger
beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openLedger(server.database, 'Asia/Shanghai')
})
afterAll(() => server.close())

const names = ['王小明', '王芳', 'Zoë O’Connor', 'Lin Mei']
const courses = ['EMBA', 'DBA']
const day = 86_400_000
const begin = Date.UTC(2027, 0, 1)

/** The day on which an instant falls in Shanghai. */
const dayOf = (ms: number) => new Date(ms + 8 * 3_600_000).toISOString().slice(0, 10)

interface Made {
  order_id: string
  external_id: string
  user: number
  course: string
  owner: string
  status: string
  unpaid: number
  deadline: number
  madeAt: number
  changedAt: number
}

test('every search finds exactly the matching orders, page by page and in both directions', {
  timeout: 600_000,
}, async () => {
  const orders = await liveALittle()
  const now = begin + 60 * day
  const query = fc.record(
    {
      status: fc.constantFrom('created', 'pending', 'success', 'canceled'),
      owing: fc.constantFrom('unpaid', 'overdue'),
      user: fc.nat(names.length - 1),
      course_code: fc.constantFrom(...courses),
      owner_id: fc.constantFrom('anna', 'ben'),
      q: fc.constantFrom('王', '小明', 'oconn', '138001380', 'Checkout-1', 'nobody'),
      time_range_type: fc.constantFrom('create', 'modify'),
      start: fc.nat(50),
      end: fc.integer({ min: 0, max: 59 }),
      sort: fc.constantFrom('newest', 'oldest'),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(query, fc.integer({ min: 1, max: 7 }), async (asked, page_size) => {
      const { user, start, end, ...rest } = asked
      const input = {
        ...rest,
        ...(user !== undefined && { user_id: users[user] }),
        ...(start !== undefined && { start_date: dayOf(begin + start * day) }),
        ...(end !== undefined && { end_date: dayOf(begin + Math.max(end, start ?? 0) * day) }),
      }
      const wanted = orders.filter((order) => isWanted(order, input, asked.user, now))
      const inOrder = wanted.sort((a, b) => a.madeAt - b.madeAt).map(({ order_id }) => order_id)
      if (asked.sort !== 'oldest') inOrder.reverse()
      const found: string[] = []
      for (let page = 0; page * page_size <= wanted.length; page++) {
        const answer = await school.run(searchOrders, { ...input, page, page_size }, new Date(now))
        expect(answer.total).toBe(wanted.length)
        found.push(...answer.list.map(({ order_id }: Made) => order_id))
      }
      expect(found).toEqual(inOrder)
    }),
    { numRuns: runs },
  )
})

test('an order is found by most of its number', async () => {
  const { order_id } = await school.order()
  const found = async (q: string) =>
    (await school.run(searchOrders, { q })).list.map((order: Made) => order.order_id)
  const number = order_id.slice(-8)
  for (const q of [number, number.toUpperCase(), ` ${number} `, number.slice(0, 6)])
    expect(await found(q)).toEqual([order_id])
  // A shorter text may be the beginning of a name or mobile. The end of a number is no number.
  for (const q of [number.slice(0, 5), number.slice(1)]) expect(await found(q)).not.toContain(order_id)
})

test('the facets of orders are those of a rebuild, and those that the check expects', async () => {
  const on = server.db.of(school.corp_id)
  expect((await rebuildDerivedData(on, school.corp_id)).orders?.wasRight).toBe(true)
  expect(await checkLedger(server.db, school.corp_id)).toMatchObject({ total: 0 })
  await server.database.superuser.query(
    `delete from facet_entries where corp_id = $1 and list = 'orders' and facet = 'unpaid'
        and id = (select min(id) from facet_entries where corp_id = $1 and list = 'orders' and facet = 'unpaid')`,
    [school.corp_id],
  )
  expect(await checkLedger(server.db, school.corp_id)).toMatchObject({ total: 1 })
})

const users: string[] = []

async function liveALittle(): Promise<Made[]> {
  for (const [index, name] of names.entries()) {
    const made = await school.run(createUser, { area_code: '86', mobile: `1380013800${index}` })
    users.push(made.user_id)
    await server.database.superuser.query('update users set name = $3 where corp_id = $1 and user_id = $2', [
      school.corp_id,
      made.user_id,
      name,
    ])
  }
  await rebuildDerivedData(server.db.of(school.corp_id), school.corp_id)
  for (const course_code of courses)
    await school.run(upsertCourse, { course_code, name: course_code, currency: 'CNY', listed_price: 9000 })
  const orders: Made[] = []
  for (let n = 0; n < 40; n++) {
    const madeAt = begin + n * day
    const user = n % names.length
    const deadline = madeAt + (5 + (n % 20)) * day
    const external_id = `checkout-${n}`
    const [course, owner] = [courses[n % 2]!, n % 3 === 0 ? 'anna' : 'ben']
    const creation = {
      ...{ user_id: users[user], external_id, course_code: course, share_proportion: { [owner]: 1 } },
      ...{
        listed_price: 9000,
        sub_orders: [{ total_price: 9000, payment_deadline: `${dayOf(deadline)} 12:00:00` }],
      },
    }
    const { order_id } = await school.run(createOrder, creation, new Date(madeAt))
    const order: Made = {
      ...{ order_id, external_id, user, course, owner, status: 'created', unpaid: 9000, deadline, madeAt },
      changedAt: madeAt,
    }
    orders.push(order)
  }
  for (const [n, order] of orders.entries()) {
    const { order_id } = order
    const at = begin + (40 + n / 4) * day
    if (n % 5 === 1) await school.run(createPayment, { order_id, price: 4000 }, new Date(at))
    if (n % 5 === 2) await school.run(createPayment, { order_id, price: 9000 }, new Date(at))
    if (n % 5 === 3) await school.run(updateStatus, { order_id, status: 'canceled' }, new Date(at))
    if (n % 5 === 4)
      await school.run(updateOrder, { order_id, version: 1, share_proportion: { anna: 1 } }, new Date(at))
    if (n % 5 > 0) order.changedAt = at
    if (n % 5 === 1) Object.assign(order, { status: 'pending', unpaid: 5000 })
    if (n % 5 === 2) Object.assign(order, { status: 'success', unpaid: 0 })
    if (n % 5 === 3) Object.assign(order, { status: 'canceled', unpaid: 0 })
    if (n % 5 === 4) order.owner = 'anna'
  }
  return orders
}

function isWanted(
  order: Made,
  asked: Record<string, unknown>,
  user: number | undefined,
  now: number,
): boolean {
  const texts: Record<string, boolean> = {
    王: order.user < 2,
    小明: order.user === 0,
    oconn: order.user === 2,
    '138001380': true,
    'Checkout-1': /^checkout-1/.test(order.external_id),
    nobody: false,
  }
  const at = dayOf(asked.time_range_type === 'modify' ? order.changedAt : order.madeAt)
  const holds = (name: string, isSo: boolean) => asked[name] === undefined || isSo
  return (
    holds('status', order.status === asked.status) &&
    holds('owing', order.unpaid > 0 && (asked.owing === 'unpaid' || order.deadline < now)) &&
    (user === undefined || order.user === user) &&
    holds('course_code', order.course === asked.course_code) &&
    holds('owner_id', order.owner === asked.owner_id) &&
    holds('q', texts[asked.q as string] === true) &&
    holds('start_date', at >= (asked.start_date as string)) &&
    holds('end_date', at <= (asked.end_date as string))
  )
}

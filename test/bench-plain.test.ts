import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { buildPlain, openPlainPool } from '../bench/plain/app.ts'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { orderStatuses } from '../src/contract/order-statuses.ts'
import { createOrder } from '../src/orders/create-order.ts'
import { createRemark } from '../src/orders/create-remark.ts'
import { fetchOrder } from '../src/orders/listing/fetch-order.ts'
import { listFinancialRows } from '../src/orders/listing/list-financial-rows.ts'
import { listOrders } from '../src/orders/listing/list-orders.ts'
import { createPayment } from '../src/orders/payments/create-payment.ts'
import { createRefund } from '../src/orders/payments/create-refund.ts'
import { firstStatuses } from '../src/orders/rules/status.ts'
import { updateStatus } from '../src/orders/update-status.ts'
import { listUserTags } from '../src/people/user-tags/assign-user-tag.ts'
import { fetchContact } from '../src/people/users/fetch-contact.ts'
import { fetchProfile } from '../src/people/users/fetch-profile.ts'
import { attemptsOf } from './harness/attempts.ts'
import { testKeyring } from './harness/keyring.ts'
import { startTestServer, type TestServer } from './harness/server.ts'

let server: TestServer
let plain: FastifyInstance
let token: string
let ids: { users: string[]; orders: string[] }

beforeAll(async () => {
  server = await startTestServer()
  token = await server.tokenOf(server.sample)
  const { host, port } = inject('postgres')
  const pool = openPlainPool({ host, port, user: 'postgres', database: server.database.name, max: 4 })
  plain = buildPlain(pool, testKeyring)
  plain.addHook('onClose', () => pool.end())
  await liveThrough(fc.sample(histories, { numRuns: 40, seed: 11 }))
  const column = async (statement: string) => {
    const { rows } = await server.database.superuser.query(statement, [server.sample.corp_id])
    return rows.map(({ id }) => id as string)
  }
  ids = {
    users: await column('select user_id as id from users where corp_id = $1'),
    orders: await column('select order_id as id from orders where corp_id = $1'),
  }
}, 240_000)
afterAll(async () => {
  await plain.close()
  await server.close()
})

/** Any of the records, and sometimes one that does not exist. */
const among = (list: () => string[]) =>
  fc.nat().map((n) => (n % 13 === 0 ? 'nobody' : list()[n % list().length]!))
const user = fc.record({ user_id: among(() => ids.users) })
const date = fc.date({ min: new Date('2023-01-01'), max: new Date('2027-01-01'), noInvalidDate: true })
const filters = fc
  .record(
    {
      page: fc.nat(12),
      page_size: fc.constantFrom(1, 3, 10, 100, 1000),
      status: fc.constantFrom(...orderStatuses),
      time_range_type: fc.constantFrom('create', 'modify', 'modity'),
      range: fc.array(date, { minLength: 2, maxLength: 2 }),
      start_date: fc.boolean(),
      end_date: fc.boolean(),
    },
    { requiredKeys: ['range', 'start_date', 'end_date'] },
  )
  .map(({ range, start_date, end_date, ...filter }) => {
    const [first, last] = range.map((day) => day.toISOString().slice(0, 10)).sort()
    return { ...filter, ...(start_date && { start_date: first }), ...(end_date && { end_date: last }) }
  })

const calls: [name: string, endpoint: Endpoint, input: fc.Arbitrary<Record<string, unknown>>][] = [
  ['order/fetch', fetchOrder as never, fc.record({ order_id: among(() => ids.orders) })],
  ['profile/fetch', fetchProfile as never, user],
  ['user/tags/list', listUserTags as never, user],
  [
    'user/contact/fetch',
    fetchContact as never,
    fc.record({
      user_id: among(() => ids.users),
      contact_type: fc.constantFrom('mobile', 'email', 'mobile_backup'),
    }),
  ],
  ['order/list', listOrders as never, filters],
  ['order/financial/list', listFinancialRows as never, filters],
]

test.each(calls)('%s answers what the plain server answers, to the byte', async (_, endpoint, input) => {
  await fc.assert(
    fc.asyncProperty(input, async (query) => {
      const [ours, theirs] = await bothAnswers(endpoint, query)
      expect(ours).toEqual(theirs)
    }),
    { numRuns: attemptsOf('MATRICULA_LISTS', 50) },
  )
})

async function bothAnswers(endpoint: Endpoint, query: Record<string, unknown>) {
  const texts = Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string])
  const url = `${endpoint.path}?${new URLSearchParams([['corp_id', server.sample.corp_id], ...texts])}`
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${server.url}${url}`, { headers })
  const theirs = await plain.inject({ url, headers })
  return [
    { status: response.status, text: withoutRequestId(await response.text()) },
    { status: theirs.statusCode, text: withoutRequestId(theirs.body) },
  ]
}

function withoutRequestId(text: string): string {
  return text.replace(/"request_id":"[^"]*"/, '')
}

/** Random changes of an order. The service may refuse some of them. */
interface History {
  order: Record<string, unknown>
  events: { kind: 'pay' | 'refund' | 'move' | 'remark'; price: number; status: string; part: number }[]
}

const histories: fc.Arbitrary<History> = fc.record({
  order: fc.record({
    currency: fc.constantFrom('CNY', 'JPY', 'KWD'),
    listed_price: fc.integer({ min: 0, max: 2_000_000 }),
    installment_count: fc.integer({ min: 1, max: 4 }),
    status: fc.constantFrom(...firstStatuses),
    share_proportion: fc.constantFrom({ a: 1 }, { a: 0.25, 'ü"\\': 0.75 }),
  }),
  events: fc.array(
    fc.record({
      kind: fc.constantFrom('pay', 'pay', 'refund', 'move', 'remark'),
      price: fc.integer({ min: 1, max: 900_000 }),
      status: fc.constantFrom(...orderStatuses),
      part: fc.nat(3),
    }),
    { maxLength: 8 },
  ),
})

async function liveThrough(lives: History[]): Promise<void> {
  const { corp_id } = server.sample
  const { rows } = await server.database.superuser.query(
    'select user_id from users where corp_id = $1 limit 20',
    [corp_id],
  )
  for (const [index, { order, events }] of lives.entries()) {
    const { user_id } = rows[index % rows.length]
    const made = await server.call(createOrder as never, { corp_id, user_id, ...order })
    expect(made.code).toBe(0)
    const { order_id, sub_order_ids } = made.data
    for (const { kind, price, status, part } of events) {
      const sub_order_id = sub_order_ids[part % sub_order_ids.length]
      const [endpoint, input] = {
        pay: [createPayment, { sub_order_id, price, comments: '银行 "转账"\n' }],
        refund: [createRefund, { sub_order_id, price, reason: 'Agreed' }],
        move: [updateStatus, { status }],
        remark: [createRemark, { content: `备注 \u2028 ${price}` }],
      }[kind]
      await server.call(endpoint as never, { corp_id, order_id, ...input })
    }
  }
}

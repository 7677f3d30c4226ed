import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { representativesOf } from '../../../test/conformance/representatives.ts'
import { fingerprint, foundSchool, type School, stockOrders } from '../../../test/conformance/school.ts'
import { validInput } from '../../../test/conformance/valid-inputs.ts'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { atOnce, type Counter, codesOf, openCounter } from '../../../test/harness/ledger.ts'
import { waitUntil } from '../../../test/harness/process.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { newId } from '../../contract/new-id.ts'
import { endpoints } from '../../endpoints.ts'
import { maintain } from '../../maintenance.ts'
import { createRemark } from '../../orders/create-remark.ts'
import { fetchOrder } from '../../orders/listing/fetch-order.ts'
import { createPayment } from '../../orders/payments/create-payment.ts'
import { createAccount } from '../organizations/manage-accounts.ts'

let server: TestServer
let school: Counter

beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openCounter(server)
})
afterAll(() => server.close())

const keyed = (key: string) => ({ 'Idempotency-Key': key })
const dayMs = 86_400_000

test('the same key with the same body, with its members in any order, returns the first answer again', async () => {
  const { order_id } = await school.order()
  const first = await school.bytes(createPayment, { order_id, price: 5 }, keyed('members'))
  const again = await school.bytes(createPayment, { price: 5, order_id }, keyed('members'))
  expect(again.text).toBe(first.text)
  expect(first.headers.has('idempotent-replayed')).toBe(false)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
})

test('the same key with another body or for another operation is 40903 and does nothing', async () => {
  const { order_id } = await school.order()
  await school.call(createPayment, { order_id, price: 5 }, keyed('reused'))
  const other = await school.call(createPayment, { order_id, price: 6 }, keyed('reused'))
  const elsewhere = await school.call(createRemark, { order_id, content: 'x' }, keyed('reused'))
  expect([other.code, elsewhere.code]).toEqual([40903, 40903])
  expect(await fetched(order_id)).toMatchObject({ paid_price: 5, version: 2 })
})

test('a key whose first call failed may be used again, with any body', async () => {
  const { order_id } = await school.order()
  const failures = [
    await school.call(createPayment, { order_id, price: 0 }, keyed('failed')),
    await school.call(createPayment, { order_id: newId(), price: 1 }, keyed('failed')),
    await school.call(createPayment, { order_id, price: 1, currency: 'JPY' }, keyed('failed')),
  ]
  expect(failures.map(({ code }) => code)).toEqual([40002, 40402, 40002])
  const corrected = await school.call(createPayment, { order_id, price: 1 }, keyed('failed'))
  expect(corrected.code).toBe(0)
  expect(corrected.headers.has('idempotent-replayed')).toBe(false)
  expect((await fetched(order_id)).paid_price).toBe(1)
})

test('a key of a call in progress is 40905 with Retry-After; that call is not affected', async () => {
  const { order_id } = await school.order()
  const client = await server.database.superuser.connect()
  await client.query('begin')
  await client.query('select 1 from orders where corp_id = $1 and order_id = $2 for update', [
    school.corp_id,
    order_id,
  ])
  const first = school.bytes(createPayment, { order_id, price: 5 }, keyed('slow'))
  expect(await waitUntil(async () => (await server.database.lockWaits()) === 1, 20_000)).toBe(true)
  const waiting = await atOnce(3, () => school.call(createPayment, { order_id, price: 5 }, keyed('slow')))
  expect(codesOf(waiting)).toEqual({ 40905: 3 })
  for (const { status, headers } of waiting) {
    expect(status).toBe(409)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
  // The first call waited for the order before the others waited for its key, and still does.
  await client.query('commit')
  client.release()
  const answer = await first
  expect(JSON.parse(answer.text).code).toBe(0)
  const again = await school.bytes(createPayment, { order_id, price: 5 }, keyed('slow'))
  expect(again.text).toBe(answer.text)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
})

test('keys of different accounts and organizations are independent', async () => {
  const other = await openCounter(server)
  const wanted = { name: 'Colleague', corp_ids: [school.corp_id] }
  const colleague = await createAccount(server.database.owner, testKeyring, wanted, new Date())
  const token = await server.tokenOf(colleague)
  const { order_id } = await school.order()
  const elsewhere = await other.order()
  const input = { corp_id: school.corp_id, order_id, price: 5 }
  const answers = [
    await school.call(createPayment, { order_id, price: 5 }, keyed('common')),
    await other.call(createPayment, { order_id: elsewhere.order_id, price: 6 }, keyed('common')),
    await server.call(createPayment, input, { token, headers: keyed('common') }),
  ]
  expect(codesOf(answers)).toEqual({ 0: 3 })
  for (const { headers } of answers) expect(headers.has('idempotent-replayed')).toBe(false)
  expect((await fetched(order_id)).paid_price).toBe(10)
})

describe('a key', () => {
  afterAll(() => server.setNow(undefined))

  test('is stored for 24 hours', async () => {
    const { order_id } = await school.order()
    const start = Date.now()
    const payAt = async (ms: number, price: number) => {
      server.setNow(new Date(start + ms))
      const token = await server.tokenOf(school.account)
      const input = { corp_id: school.corp_id, order_id, price }
      return server.call(createPayment, input, { token, headers: keyed('daily') })
    }
    const first = await payAt(0, 5)
    const soon = await payAt(dayMs - 1000, 5)
    expect(soon.data).toEqual(first.data)
    expect((await payAt(dayMs - 1000, 6)).code).toBe(40903)
    const later = await payAt(dayMs + 1000, 6)
    expect(later.code).toBe(0)
    expect(later.headers.has('idempotent-replayed')).toBe(false)
    expect(later.data.payment_id).not.toBe(first.data.payment_id)
    server.setNow(undefined)
    expect((await fetched(order_id)).paid_price).toBe(11)
  })

  test('is deleted by maintenance after a day', async () => {
    const own = await openCounter(server)
    const { order_id } = await own.order()
    for (const [name, ageMs] of [['old', dayMs + 60_000] as const, ['young', dayMs - 60_000] as const]) {
      server.setNow(new Date(Date.now() - ageMs))
      await own.call(createRemark, { order_id, content: name }, keyed(name))
    }
    server.setNow(undefined)
    const stop = new AbortController()
    const maintained = maintain(server.db, pino({ level: 'silent' }), 50, stop.signal, testKeyring)
    await expect.poll(() => keysOf(own.corp_id), { timeout: 20_000 }).toEqual(['young'])
    stop.abort()
    await maintained
  })

  test.each([
    ['', 'empty'],
    ['a b', 'with a space'],
    ['x'.repeat(256), 'too long'],
  ])('that is not sane is refused (%#)', async (key) => {
    const { order_id } = await school.order()
    const answer = await school.call(createPayment, { order_id, price: 5 }, keyed(key))
    expect(answer).toMatchObject({ code: 40002, data: { errors: [{ param: 'Idempotency-Key' }] } })
  })

  test('may have 255 characters', async () => {
    const { order_id } = await school.order()
    expect((await school.call(createPayment, { order_id, price: 5 }, keyed('k'.repeat(255)))).code).toBe(0)
  })
})

describe('a POST', () => {
  let records: School
  let token: string
  beforeAll(async () => {
    records = await foundSchool(server)
    records.stock = await stockOrders(server, records, 20)
    const wanted = { name: 'Repeater', corp_ids: [records.corp_id] }
    token = await server.tokenOf(await createAccount(server.database.owner, testKeyring, wanted, new Date()))
  })

  const posts = endpoints.filter(({ method, scope }) => method === 'POST' && scope === 'organization')
  test.each(representativesOf(posts).map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s with a key that was answered changes nothing and answers the same bytes',
    async (id, endpoint) => {
      const body = JSON.stringify(validInput(endpoint, records))
      const send = async () => {
        const response = await fetch(`${server.url}${endpoint.path}`, {
          method: 'POST',
          headers: {
            'Content-Type': 'application/json',
            Authorization: `Bearer ${token}`,
            ...keyed(`of-${id}`),
          },
          body,
        })
        return { text: await response.text(), replayed: response.headers.get('idempotent-replayed') }
      }
      const first = await send()
      expect(JSON.parse(first.text), id).toMatchObject({ code: 0 })
      const before = await fingerprint(server)
      const again = await send()
      expect(again).toEqual({ text: first.text, replayed: 'true' })
      expect(await fingerprint(server)).toEqual(before)
    },
  )

  test('of every kind takes a key, except for the token operation', () => {
    const without = endpoints.filter(({ method, scope }) => method === 'POST' && scope !== 'organization')
    expect(without.map(({ id }) => id)).toEqual(['issueToken'])
  })
})

async function fetched(order_id: string) {
  return (await school.call(fetchOrder, { order_id })).data
}

async function keysOf(corp_id: string): Promise<string[]> {
  const { rows } = await server.database.superuser.query(
    'select key from idempotency_keys where corp_id = $1 order by key',
    [corp_id],
  )
  return rows.map(({ key }) => key)
}

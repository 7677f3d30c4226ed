import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { fetchOrder } from '../src/orders/listing/fetch-order.ts'
import { listFinancialRows } from '../src/orders/listing/list-financial-rows.ts'
import { listOrders } from '../src/orders/listing/list-orders.ts'
import { createPayment } from '../src/orders/payments/create-payment.ts'
import { createUser } from '../src/people/users/create-user.ts'
import { fetchProfile } from '../src/people/users/fetch-profile.ts'
import { updateUser } from '../src/people/users/update-user.ts'
import { type Counter, openCounter } from './harness/ledger.ts'
import { startTestServer, type TestServer } from './harness/server.ts'

let server: TestServer
let school: Counter

beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openCounter(server)
})
afterAll(() => server.close())

async function read({ path }: Endpoint, input: Record<string, string>) {
  const query = new URLSearchParams({ corp_id: school.corp_id, ...input })
  const response = await fetch(`${server.url}${path}?${query}`, {
    // Not compressed: the length is that of the text.
    headers: { authorization: `Bearer ${school.token}`, 'accept-encoding': 'identity' },
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(Number(response.headers.get('content-length'))).toBe(bytes.length)
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}

async function person(mobile: string, profile: Record<string, string>): Promise<string> {
  const { user_id } = (await school.call(createUser, { area_code: '86', mobile })).data
  expect((await school.call(updateUser, { user_id, ...profile })).code).toBe(0)
  return user_id
}

const names = ['Ada Smith', 'Zoë Ångström', 'ÿ Ā', '梅林', 'Ада 🎓', '"\\ é']

// Stored JSON is forwarded as bytes. These texts reveal a decoding or a second encoding.
test.each(names)('%s is read by id, in pages and as a financial row as it was written', async (name) => {
  const mobile = `1390000000${names.indexOf(name)}`
  const user_id = await person(mobile, { name })
  const { order_id } = await school.order({ user_id })
  await school.call(createPayment, { order_id, price: 100, comments: name })
  const written = JSON.stringify(name)
  expect(JSON.parse(await read(fetchProfile, { user_id })).data.name).toBe(name)
  expect(await read(fetchOrder, { order_id })).toContain(written)
  for (const list of [listOrders, listFinancialRows]) {
    const pages = ['0', '1', '2', '3', '4', '5'].map((page) => read(list, { page, page_size: '3' }))
    expect((await Promise.all(pages)).join()).toContain(written)
    expect(await read(list, { page_size: '1000' })).toContain(written)
  }
})

test('a profile with the parts of a name only has the full name in the response', async () => {
  const parts = { last_name: '林', first_name: '梅 🎓' }
  const user_id = await person('13900000099', parts)
  const text = await read(fetchProfile, { user_id })
  expect(JSON.parse(text).data).toMatchObject(parts)
  expect(JSON.parse(text).data.name).toContain('梅 🎓')
})

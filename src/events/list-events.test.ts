import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testKeyring } from '../../test/harness/keyring.ts'
import { openOrganization, type TestOrganization } from '../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../test/harness/server.ts'
import { linkEntries } from '../access/audit/link-entries.ts'
import { createAccount } from '../access/organizations/manage-accounts.ts'
import { newId } from '../contract/new-id.ts'
import { createOrder } from '../orders/create-order.ts'
import { createPayment } from '../orders/payments/create-payment.ts'
import { createUser } from '../people/users/create-user.ts'
import { addEvents } from './add-events.ts'
import { pruneEvents, startEpoch } from './feed-store.ts'
import { fetchEvent, listEventTypes } from './fetch-event.ts'
import { listEvents, readSharedFeed } from './list-events.ts'

let server: TestServer
let school: TestOrganization
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server.close())
beforeEach(async () => {
  school = await openOrganization(server)
})

async function sequence(): Promise<void> {
  await linkEntries(server.db, school.corp_id)
  await addEvents(server.db, school.corp_id)
}

async function createUsers(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const { data } = await school.call(createUser, { email: `${newId()}@example.com` })
    ids.push(data.user_id)
  }
  return ids
}

test('each page continues after the one before it, and the last one is marked', async () => {
  const ids = await createUsers(7)
  await sequence()
  const seen: string[] = []
  let after: string | undefined
  for (;;) {
    const { data } = await school.call(listEvents, { types: 'user.*', limit: 3, ...(after && { after }) })
    seen.push(...data.list.map(({ record_id }: { record_id: string }) => record_id))
    after = data.next_cursor
    if (!data.has_more) break
  }
  expect(seen).toEqual(ids)
  const { data } = await school.call(listEvents, { after })
  expect(data).toMatchObject({ list: [], has_more: false, newest_cursor: after })
})

test('a reader that starts at the newest cursor gets later events only', async () => {
  await createUsers(2)
  await sequence()
  const { newest_cursor } = (await school.call(listEvents)).data
  const [later] = await createUsers(1)
  await sequence()
  const { list } = (await school.call(listEvents, { after: newest_cursor })).data
  expect(list.map(({ record_id }: { record_id: string }) => record_id)).toEqual([later])
})

test('a waiting reader is answered by the next event', async () => {
  const { next_cursor } = (await school.call(listEvents)).data
  const waiting = school.call(listEvents, { after: next_cursor, wait_seconds: 30 })
  const [user_id] = await createUsers(1)
  await sequence()
  const { data } = await waiting
  expect(data.list).toMatchObject([{ type: 'user.created', record_id: user_id }])
})

test('a reader that waits without an event gets an empty page', async () => {
  const { next_cursor } = (await school.call(listEvents)).data
  const { data } = await school.call(listEvents, { after: next_cursor, wait_seconds: 1 })
  expect(data).toMatchObject({ list: [], has_more: false, next_cursor })
})

test('the fifth waiting reader of an account is refused, and places become free again', async () => {
  const { next_cursor: after } = (await school.call(listEvents)).data
  const calls = Array.from({ length: 5 }, () => school.call(listEvents, { after, wait_seconds: 20 }))
  expect(await Promise.race(calls)).toMatchObject({ status: 429, code: 42901 })
  await createUsers(1)
  await sequence()
  const codes = (await Promise.all(calls)).map(({ code }) => code)
  expect(codes.toSorted()).toEqual([0, 0, 0, 0, 42901])
  expect((await school.call(listEvents, { wait_seconds: 1 })).code).toBe(0)
})

test('a waiting reader that disconnects frees its place at once', async () => {
  const { next_cursor: after } = (await school.call(listEvents)).data
  const query = new URLSearchParams({ corp_id: school.corp_id, after, wait_seconds: '30' })
  const hangUp = new AbortController()
  const wait = () =>
    fetch(`${server.url}/api/v5/entity/event/list?${query}`, {
      headers: { Authorization: `Bearer ${school.token}` },
      signal: hangUp.signal,
    })
  // A call during the wait below is refused, and retries.
  const keepWaiting = async () => {
    while (!hangUp.signal.aborted) await wait().catch(() => undefined)
  }
  const calls = Array.from({ length: 4 }, keepWaiting)
  const status = async () => (await school.call(listEvents, { after, wait_seconds: 1 })).status
  await expect.poll(status, { timeout: 60_000 }).toBe(429)
  hangUp.abort()
  await Promise.all(calls)
  await expect.poll(status, { timeout: 20_000 }).toBe(200)
})

test('events about money need the permission finance', async () => {
  const [user_id] = await createUsers(1)
  const order = (await school.call(createOrder, { user_id, listed_price: 10_000, currency: 'CNY' })).data
  await school.call(createPayment, {
    order_id: order.order_id,
    price: 10_000,
    currency: 'CNY',
    source: 'payment_gateway',
    charge_id: newId(),
  })
  await sequence()
  const account = await createAccount(
    server.database.owner,
    testKeyring,
    { name: 'Reader', corp_ids: [school.corp_id], permissions: ['read'] },
    new Date(),
  )
  const token = await server.tokenOf(account)
  const read = (input: object) => server.call(listEvents, { corp_id: school.corp_id, ...input }, { token })
  const types = ({ data }: { data: { list: { type: string }[] } }) => data.list.map(({ type }) => type)
  expect(types(await school.call(listEvents))).toContain('payment.recorded')
  expect(types(await read({}))).not.toContain('payment.recorded')
  expect(types(await read({}))).toContain('order.status_changed')
  expect(await read({ types: 'payment.*' })).toMatchObject({ status: 403, code: 40303 })
  const { list } = (await school.call(listEvents, { types: 'payment.recorded' })).data
  const { event_id } = list[0]
  expect((await school.call(fetchEvent, { event_id })).data).toEqual(list[0])
  const hidden = await server.call(fetchEvent, { corp_id: school.corp_id, event_id }, { token })
  expect(hidden).toMatchObject({ status: 404, code: 40470 })
})

test('a cursor of another organization, of an earlier epoch or before deleted events is refused', async () => {
  await createUsers(5)
  await sequence()
  const { corp_id } = school
  const { oldest_cursor, newest_cursor } = (await school.call(listEvents)).data
  const other = await openOrganization(server)
  expect(await other.call(listEvents, { after: oldest_cursor })).toMatchObject({ status: 410, code: 41001 })
  const on = server.db.of(corp_id)
  await pruneEvents(on, corp_id, new Date(Date.now() + 91 * 86_400_000), 3)
  expect(await school.call(listEvents, { after: oldest_cursor })).toMatchObject({ status: 410, code: 41001 })
  expect((await school.call(listEvents, { after: newest_cursor })).code).toBe(0)
  expect((await school.call(listEvents)).data.list).toHaveLength(2)
  await startEpoch(on, corp_id, newId())
  expect(await school.call(listEvents, { after: newest_cursor })).toMatchObject({ status: 410, code: 41001 })
})

test('an invalid cursor and an unknown type are named', async () => {
  for (const after of ['x', 'e30', '-1', '%00', 'á'])
    expect(await school.call(listEvents, { after }), after).toMatchObject({ code: 40002 })
  for (const types of ['user', 'orders.*', '*.created', 'user.created,'])
    expect((await school.call(listEvents, { types })).code, types).toBe(40002)
})

test('every type has its own sentence and example', async () => {
  const { list } = (await school.call(listEventTypes)).data
  expect(new Set(list.map(({ description }: { description: string }) => description)).size).toBe(list.length)
  for (const { type, example } of list) expect(example.type).toBe(type)
})

test('readers that wait at the same cursor share one read, unless events came after it began', async () => {
  await createUsers(3)
  await sequence()
  let statements = 0
  const db = new Proxy(server.db.of(school.corp_id), {
    get: (on, name) => {
      if (name === 'query') statements++
      return Reflect.get(on, name)
    },
  })
  const query = { after: undefined, types: ['user.created'], limit: 10 }
  const pages = await Promise.all(
    Array.from({ length: 50 }, () => readSharedFeed(db, school.corp_id, query, { generation: 1 })),
  )
  expect(statements).toBe(2)
  const later = [1, 2].map((generation) => readSharedFeed(db, school.corp_id, query, { generation }))
  await Promise.all(later)
  expect(statements).toBe(6)
  for (const { page } of pages) expect(page.list).toHaveLength(3)
  await createUsers(1)
  await sequence()
  // The read has ended: the next one sees later events.
  expect((await readSharedFeed(db, school.corp_id, query, { generation: 1 })).page.list).toHaveLength(4)
})

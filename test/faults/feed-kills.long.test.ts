import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccount } from '../../src/access/organizations/manage-accounts.ts'
import { newId } from '../../src/contract/new-id.ts'
import { tablesWithEvents } from '../../src/events/derive-events.ts'
import { attemptsOf, noteAttempts, seededRandom } from '../harness/attempts.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { masterKeyText, testKeyring } from '../harness/keyring.ts'
import { cleanUp, type ServiceProcess, startService, waitFor } from '../harness/process.ts'
import { childrenOf } from '../harness/processes.ts'
import { type Received, startReceiver, type TestReceiver } from '../harness/receiver.ts'
import { obtainToken } from '../harness/server.ts'

/** 50 with `npm run test:faults`. */
const kills = attemptsOf('MATRICULA_FEED_KILLS', 4)
const changes = 200 * kills
const writerCount = 16
const readerCount = 3

/** Of several shapes. */
// biome-ignore lint/suspicious/noExplicitAny: the test reads members of many operations.
type Data = any

interface Event {
  event_id: string
  seq: number
  type: string
  record_type: string
  record_id: string
  version: number | null
  request_id: string | null
}

const random = seededRandom()
let database: TestDatabase
let servers: { service: ServiceProcess; url: string }[]
let token: string
let receiver: TestReceiver

beforeAll(async () => {
  receiver = await startReceiver()
  database = await createTestDatabase('sample')
  servers = await Promise.all([start(), start()])
  token = await obtainToken(servers[0]!.url, database.sample!)
})
afterAll(async () => {
  await cleanUp()
  await receiver?.close()
  await database?.drop()
})

async function start() {
  const service = startService({
    ...database.settings,
    MATRICULA_KEY: masterKeyText,
    MATRICULA_WORKERS: '2',
    MATRICULA_LOG_LEVEL: 'silent',
    MATRICULA_PRIVATE_WEBHOOKS: 'true',
  })
  return { service, url: await service.ready }
}

test('the feed and the webhooks of two servers whose processes are killed have every change, in order', {
  timeout: 3_600_000,
}, async () => {
  const acknowledged = new Set<string>()
  let isOver = false
  // The sample school has earlier events.
  await waitFor(async () => (await feedOfSchool()).waiting === 0)
  const { newest_cursor } = await ask('event/list', { limit: '1' })
  const endpoint_id = await createEndpoint()
  // Before this, events may or may not belong to the endpoint.
  const { length: after } = await feedOfSchool()
  const readers = Array.from({ length: readerCount }, () => follow(newest_cursor, () => isOver))
  const writers = Array.from({ length: writerCount }, () => write(acknowledged))
  const killing = kill(acknowledged)
  await Promise.all([...writers, killing])
  await waitFor(async () => (await feedOfSchool()).waiting === 0)
  // A killed server leaves leases behind, after whose end another one repeats the deliveries.
  await waitFor(async () => (await countUndelivered(endpoint_id)) === 0)
  isOver = true
  const feeds = await Promise.all(readers)

  const [feed, ...others] = feeds as [Event[], ...Event[][]]
  for (const other of others)
    expect(other.map(({ event_id }) => event_id)).toEqual(feed.map(({ event_id }) => event_id))
  const first = feed[0]!.seq
  expect(feed.map(({ seq }) => seq)).toEqual(feed.map((_, index) => first + index))
  expect(new Set(feed.map(({ event_id }) => event_id)).size).toBe(feed.length)

  const types = new Set(feed.map(({ type }) => type))
  expect(kinds.filter((type) => !types.has(type))).toEqual([])

  const told = new Set(feed.map(({ request_id }) => request_id))
  const missing = [...acknowledged].filter((id) => !told.has(id))
  noteAttempts('kills beside readers of the feed', kills, missing.length, `${acknowledged.size} changes`)
  expect(missing).toEqual([])

  const versions = new Map<string, number>()
  for (const { record_type, record_id, version, type } of feed) {
    if (version === null) continue
    const key = `${record_type} ${record_id}`
    expect(version, `${type} ${key}`).toBeGreaterThanOrEqual(versions.get(key) ?? 0)
    versions.set(key, version)
  }

  // The audit has every change; the feed must have the same entries.
  const { rows } = await database.superuser.query(
    'select entry_id, record_type from audit_entries where corp_id = $1 and request_id like $2',
    [database.sample!.corp_id, `${run}-%`],
  )
  const audited = rows.filter(({ record_type }) => tablesWithEvents.includes(record_type))
  const derived = new Set(feed.map(({ event_id }) => entryOf(event_id)))
  expect(audited.filter(({ entry_id }) => !derived.has(entry_id))).toEqual([])
  const known = new Set(audited.map(({ entry_id }) => entry_id))
  const ofRun = feed.filter(({ request_id }) => request_id?.startsWith(`${run}-`))
  expect(ofRun.filter(({ event_id }) => !known.has(entryOf(event_id)))).toEqual([])
  await expectDelivered(
    endpoint_id,
    feed.filter(({ seq }) => seq > after),
  )
})

function entryOf(event_id: string): string {
  return event_id.slice(0, event_id.lastIndexOf('-'))
}

async function createEndpoint(): Promise<string> {
  const { corp_id } = database.sample!
  const wanted = { name: 'Administrator', corp_ids: [corp_id], permissions: ['admin' as const] }
  const account = await createAccount(database.owner, testKeyring, wanted, new Date())
  const response = await fetch(`${servers[0]!.url}/api/v5/entity/webhook/endpoint/create`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${await obtainToken(servers[0]!.url, account)}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ corp_id, url: receiver.url, types: ['*'] }),
  })
  const { code, msg, data } = (await response.json()) as { code: number; msg: string; data: Data }
  expect({ code, msg }).toEqual({ code: 0, msg: 'success' })
  return data.endpoint_id
}

/** Deliveries that a process may have taken and not sent yet. */
const heldByProcess = 16

/**
 * The receiver got the events of the feed, each at least once and as the feed has it. First deliveries came in the order of
 * the feed, except for those that were set aside, and for those that a process had in its hands.
 */
async function expectDelivered(endpoint_id: string, feed: Event[]): Promise<void> {
  const known = new Set(feed.map(({ event_id }) => event_id))
  const all = receiver.received.filter(({ body }) => JSON.parse(body).data.seq >= feed[0]!.seq)
  const first = new Map<string, Received>()
  for (const received of all) if (!first.has(received.id)) first.set(received.id, received)
  expect(new Set(first.keys())).toEqual(known)
  for (const event of feed) expect(JSON.parse(first.get(event.event_id)!.body).data).toEqual(event)
  expect(receiver.overlaps).toEqual([])

  const { rows } = await database.superuser.query<{ event_id: string }>(
    'select event_id from webhook_deliveries where corp_id = $1 and endpoint_id = $2 and attempts > 1',
    [database.sample!.corp_id, endpoint_id],
  )
  const setAside = new Set(rows.map(({ event_id }) => event_id))
  const arrived = [...first.values()]
    .filter(({ id }) => !setAside.has(id))
    .map(({ body }) => Number(JSON.parse(body).data.seq))
  const expected = arrived.toSorted((one, other) => one - other)
  const missed = new Set<number>()
  let next = 0
  for (const seq of arrived) {
    while (next < expected.length && expected[next]! <= seq) missed.add(expected[next++]!)
    missed.delete(seq)
    expect(missed.size, `before ${seq}`).toBeLessThanOrEqual(heldByProcess * servers.length)
  }
  noteAttempts(
    'deliveries to a webhook beside kills',
    first.size,
    0,
    `${setAside.size} set aside, ${all.length - first.size} repeated`,
  )
}

/** The work of the writers. */
const kinds = [
  ...[
    'user.created',
    'user.updated',
    'user.merged',
    'lead.created',
    'follow_up.created',
    'tag_group.created',
  ],
  ...['user_tag.assigned', 'course.upserted', 'order.created', 'payment.recorded', 'payment.unapplied'],
  'refund.recorded',
]

const run = newId().slice(-8)

async function ask(path: string, query: Record<string, string>, at = 0) {
  const search = new URLSearchParams({ corp_id: database.sample!.corp_id, ...query })
  const response = await fetch(`${servers[at]!.url}/api/v5/entity/${path}?${search}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  const answer = (await response.json()) as { code: number; msg: string; data: Data }
  if (answer.code !== 0) throw new Error(`${path}: ${answer.code} ${answer.msg}`)
  return answer.data
}

/** Reads at either server, and continues after its last page when a server dies. */
async function follow(after: string, isOver: () => boolean): Promise<Event[]> {
  const events: Event[] = []
  let cursor = after
  for (;;) {
    const wasOver = isOver()
    const page = await ask(
      'event/list',
      { after: cursor, limit: '500', wait_seconds: '1' },
      random.below(2),
    ).catch(() => undefined)
    if (!page) {
      await pause(50)
      continue
    }
    events.push(...page.list)
    cursor = page.next_cursor
    if (wasOver && page.list.length === 0) return events
  }
}

async function feedOfSchool(): Promise<{ length: number; waiting: number }> {
  const { rows } = await database.superuser.query(
    `select length, (select count(*) from audit_waiting where corp_id = $1)
            + (select length from audit_heads where corp_id = $1) - linked as waiting
       from event_feeds where corp_id = $1`,
    [database.sample!.corp_id],
  )
  return { length: Number(rows[0]?.length), waiting: Number(rows[0]?.waiting) }
}

/** Events that the endpoint has not received. */
async function countUndelivered(endpoint_id: string): Promise<number> {
  const { rows } = await database.superuser.query(
    `select (select length from event_feeds where corp_id = $1)
            - (select seq from webhook_cursors where corp_id = $1 and endpoint_id = $2)
            + (select count(*) from webhook_deliveries
                where corp_id = $1 and endpoint_id = $2 and state <> 'delivered') as undelivered`,
    [database.sample!.corp_id, endpoint_id],
  )
  return Number(rows[0].undelivered)
}

/** A call that is repeated under its key until a server answers. Resolves with the data of a success. */
async function change(path: string, input: object, acknowledged: Set<string>): Promise<Data> {
  const request_id = `${run}-${newId()}`
  for (;;) {
    try {
      const response = await fetch(`${servers[random.below(2)]!.url}/api/v5/entity/${path}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          'X-Request-Id': request_id,
          'Idempotency-Key': request_id,
        },
        body: JSON.stringify({ corp_id: database.sample!.corp_id, ...input }),
      })
      const { code, data } = (await response.json()) as { code: number; data: Data }
      if (code === 0) acknowledged.add(request_id)
      // In flight elsewhere, or the server is stopping: again.
      if (code === 0 || ![40905, 42901, 50301].includes(code)) return code === 0 ? data : undefined
    } catch {
      // The server died. Only a repetition with the key shows whether it committed.
    }
    await pause(50)
  }
}

/** Changes of every kind: people, tags, leads, orders and money, offerings, merges. */
async function write(acknowledged: Set<string>): Promise<void> {
  const make = (path: string, input: object) => change(path, input, acknowledged)
  while (acknowledged.size < changes) {
    const code = newId().slice(-12)
    const person = await make('user/create', { email: `${newId()}@example.com`, name: 'Mei Lin' })
    const other = await make('user/create', { email: `${newId()}@example.com`, name: 'Mei Lin' })
    if (!person || !other) continue
    const { user_id } = person
    await make('user/update', { user_id, job_title: code })
    await make('leads/import', { user_id, name: '王小明', entry_id: code })
    const group = {
      name: code,
      variable_name: `v_${code}`,
      description: 'Test',
      attribute: 'define',
      category: 'events',
    }
    const made = await make('tags/group/create', group)
    if (made) await make('user/tags/assign', { tags_group_id: made.tags_group_id, user_id, value: 'true' })
    await make('course/upsert', { course_code: code, name: code, currency: 'CNY', listed_price: 100_000 })
    await make('user/follow-up/create', { user_id, content: 'Called' })
    const order = await make('order/create', { user_id, currency: 'CNY', listed_price: 100_000 })
    if (order) {
      const { order_id } = order
      const payment = await make('order/payment/create', { order_id, price: 60_000, charge_id: code })
      await make('order/remark/create', { order_id, content: 'Paid half' })
      await make('order/refund/create', { order_id, price: 10_000, reason: 'Agreed' })
      if (payment)
        await make('payment/unapply', { payment_id: payment.payment_id, order_id, reason: 'Wrong' })
    }
    await make('user/merge', { user_id, merged_user_id: other.user_id })
  }
}

/** Kills a server or one of its workers, evenly over the changes. */
async function kill(acknowledged: Set<string>): Promise<void> {
  for (let n = 0; n < kills; n++) {
    await waitFor(() => acknowledged.size >= (changes * n) / kills)
    const at = n % 2
    const { service } = servers[at]!
    const workers = childrenOf(service.pid)
    if (n % 4 < 2 && workers.length > 0) process.kill(random.pick(workers), 'SIGKILL')
    else {
      service.kill('SIGKILL')
      await service.exited
      servers[at] = await start()
    }
  }
}

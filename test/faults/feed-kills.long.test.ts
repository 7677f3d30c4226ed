import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/contract/new-id.ts'
import { tablesWithEvents } from '../../src/events/derive-events.ts'
import { attemptsOf, noteAttempts, seededRandom } from '../harness/attempts.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { masterKeyText } from '../harness/keyring.ts'
import { cleanUp, type ServiceProcess, startService, waitFor } from '../harness/process.ts'
import { childrenOf } from '../harness/processes.ts'
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

beforeAll(async () => {
  database = await createTestDatabase('sample')
  servers = await Promise.all([start(), start()])
  token = await obtainToken(servers[0]!.url, database.sample!)
})
afterAll(async () => {
  await cleanUp()
  await database?.drop()
})

async function start() {
  const service = startService({
    ...database.settings,
    MATRICULA_KEY: masterKeyText,
    MATRICULA_WORKERS: '2',
    MATRICULA_LOG_LEVEL: 'silent',
  })
  return { service, url: await service.ready }
}

test('the feed of two servers whose processes are killed has every change once, in order', {
  timeout: 3_600_000,
}, async () => {
  const acknowledged = new Set<string>()
  let isOver = false
  const { newest_cursor } = await ask('event/list', { limit: '1' })
  const readers = Array.from({ length: readerCount }, () => follow(newest_cursor, () => isOver))
  const writers = Array.from({ length: writerCount }, () => write(acknowledged))
  const killing = kill(acknowledged)
  await Promise.all([...writers, killing])
  await waitFor(async () => (await countWaiting()) === 0)
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

  // The audit knows every change; the feed tells of the same entries.
  const { rows } = await database.superuser.query(
    'select entry_id, record_type from audit_entries where corp_id = $1 and request_id like $2',
    [database.sample!.corp_id, `${run}-%`],
  )
  const audited = rows.filter(({ record_type }) => tablesWithEvents.includes(record_type))
  const derived = new Set(feed.map(({ event_id }) => event_id.slice(0, event_id.lastIndexOf('-'))))
  expect(audited.filter(({ entry_id }) => !derived.has(entry_id))).toEqual([])
})

/** What the writers do. */
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

/** Reads at either server, and continues after the last page it has when a server dies. */
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

/** Entries that are committed but not in the feed yet. */
async function countWaiting(): Promise<number> {
  const { rows } = await database.superuser.query(
    `select (select count(*) from audit_waiting where corp_id = $1)
            + (select length from audit_heads where corp_id = $1)
            - (select linked from event_feeds where corp_id = $1) as waiting`,
    [database.sample!.corp_id],
  )
  return Number(rows[0].waiting)
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
      // The server died. Whether it committed is known to the key only.
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

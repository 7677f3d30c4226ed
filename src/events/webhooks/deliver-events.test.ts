import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { openLedger, type TestLedger } from '../../../test/harness/ledger.ts'
import { type Answering, startReceiver, type TestReceiver } from '../../../test/harness/receiver.ts'
import { linkEntries } from '../../access/audit/link-entries.ts'
import { resumeOrganization, suspendOrganization } from '../../access/organizations/suspend-organization.ts'
import { newId } from '../../contract/new-id.ts'
import { openDatabase } from '../../database/database.ts'
import { addEvents } from '../add-events.ts'
import { listEvents } from '../list-events.ts'
import { createWebhookEndpoint } from './create-endpoint.ts'
import { DeliveryWorker } from './deliver-events.ts'
import { createDeliveryCounts } from './delivery-counts.ts'
import { fetchWebhookDelivery, listWebhookDeliveries } from './list-deliveries.ts'
import { listWebhookEndpoints } from './list-endpoints.ts'
import { replayWebhookDeliveries } from './replay-deliveries.ts'
import { retryDelaysMs } from './retry-schedule.ts'
import { rotateWebhookSecret } from './rotate-secret.ts'
import { createSender, type Sender } from './send-delivery.ts'
import { enableWebhookEndpoint, pingWebhookEndpoint } from './update-endpoint.ts'

let database: TestDatabase
let school: TestLedger
let receiver: TestReceiver
/** The clock of the worker. */
let now: Date
const senders: Sender[] = []
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  school = await openLedger(database)
  receiver = await startReceiver()
  now = new Date('2026-11-18T08:00:00Z')
})
afterEach(async () => {
  for (const sender of senders.splice(0)) sender.close()
  await receiver.close()
})

const allows = { allowsPrivateWebhooks: true }

function worker({ db = database.app, timeoutMs = 200, random = () => 0.5, clock = () => now } = {}) {
  const sender = createSender({ allowsPrivate: true, timeoutMs })
  senders.push(sender)
  const log = pino({ level: 'silent' })
  return new DeliveryWorker({
    ...{ db, log, keyring: testKeyring, sender, counts: createDeliveryCounts() },
    ...{ now: clock, random },
  })
}

async function create(types = ['*'], url = receiver.url): Promise<{ endpoint_id: string; secret: string }> {
  return school.run({ ...createWebhookEndpoint, handle: withPrivate }, { url, types })
}

/** The operator allows private networks. */
const withPrivate: typeof createWebhookEndpoint.handle = (context, input) =>
  createWebhookEndpoint.handle({ ...context, ...allows }, input)

/** Adds events to the feed, as if changes had been linked. Returns their ids. */
async function happen(count: number, type = 'user.created', of = school): Promise<string[]> {
  const { superuser } = database
  const feed = await superuser.query('select length from event_feeds where corp_id = $1', [of.corp_id])
  const before = Number(feed.rows[0]?.length ?? 0)
  const { rows } = await superuser.query(
    `insert into events (corp_id, seq, event_id, type, at, record_type, record_id, version, changed, related, actor_kind,
                         actor_id)
     select $1, $2::bigint + n, gen_random_uuid() || '-1', $4, now(), 'user', 'u' || n, 1, '["name"]', '{}', 'system', 'test'
       from generate_series(1, $3::bigint) n returning event_id, seq`,
    [of.corp_id, before, count, type],
  )
  await superuser.query(
    `insert into event_feeds (corp_id, epoch, length, linked) values ($1, '0', $2, 0)
     on conflict (corp_id) do update set length = excluded.length`,
    [of.corp_id, before + count],
  )
  return rows.sort((one, other) => one.seq - other.seq).map(({ event_id }) => event_id)
}

async function deliver(by: DeliveryWorker, of = school): Promise<void> {
  await by.look(of.corp_id)
  await by.idle()
}

const ids = () => receiver.received.map(({ id }) => id)
const later = (ms: number) => {
  now = new Date(now.getTime() + ms)
}

/** Advances the clock to each next attempt, until nothing waits or the time is over. Returns the times of all attempts by event. */
async function livePast(by: DeliveryWorker, hours: number): Promise<Map<string, Date[]>> {
  const attempts = new Map<string, Date[]>()
  const end = now.getTime() + hours * 3_600_000
  let seen = receiver.received.length
  for (;;) {
    await deliver(by)
    for (const { id } of receiver.received.slice(seen)) attempts.set(id, [...(attempts.get(id) ?? []), now])
    seen = receiver.received.length
    const { rows } = await database.superuser.query(
      `select least(min(d.next_at), max(c.paused_until)) as next, max(c.paused_until) as paused
         from webhook_deliveries d join webhook_cursors c using (corp_id, endpoint_id)
         join webhook_endpoints e using (corp_id, endpoint_id)
        where d.corp_id = $1 and d.state = 'waiting' and e.is_enabled`,
      [school.corp_id],
    )
    const next = rows[0].next && new Date(Math.max(rows[0].next, now.getTime() + 1))
    if (!next || next.getTime() > end) return attempts
    now = next
  }
}

const statesOf = async (endpoint_id: string) => {
  const { list } = await school.run(listWebhookDeliveries, { endpoint_id, limit: 1000 })
  return Object.fromEntries(
    Object.entries(Object.groupBy(list as { state: string }[], ({ state }) => state)).map(([state, some]) => [
      state,
      some!.length,
    ]),
  )
}

test('deliveries of a suspended school pause until it is resumed', async () => {
  await create()
  const wanted = await happen(3)
  await suspendOrganization(database.owner, school.corp_id, 'Not paid', now)
  await deliver(worker())
  expect(ids()).toEqual([])
  await resumeOrganization(database.owner, school.corp_id, 'Paid', now)
  await deliver(worker())
  expect(ids().toSorted()).toEqual(wanted.toSorted())
})

describe('a receiver that works', () => {
  test('gets every event once, in the order of the feed, several at a time, and the public library verifies it', async () => {
    const { endpoint_id, secret } = await create()
    const wanted = await happen(100)
    receiver.answer = async (_, response) => {
      await pause(5)
      response.end('ok')
    }
    now = new Date()
    await deliver(worker({ timeoutMs: 15_000 }))
    expect(ids().toSorted()).toEqual(wanted.toSorted())
    // Requests in flight may arrive in any order, but at most seven earlier ones are still missing.
    for (const [index, id] of ids().entries()) expect(wanted.indexOf(id) - index).toBeLessThan(8)
    expect(receiver.most).toBeGreaterThan(1)
    expect(receiver.most).toBeLessThanOrEqual(8)
    const webhook = new Webhook(secret)
    for (const { headers, body, id } of receiver.received) {
      const payload = webhook.verify(body, headers as Record<string, string>) as {
        type: string
        data: object
      }
      expect(payload).toMatchObject({ type: 'user.created', data: { event_id: id, type: 'user.created' } })
    }
    expect(() => new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`).verify(...first())).toThrow()
    expect(await statesOf(endpoint_id)).toEqual({ delivered: 100 })
    const { list } = await school.run(listWebhookEndpoints)
    expect(list).toMatchObject([{ health: 'healthy', waiting: 0, dead: 0, lag: 0 }])
  })

  const first = (): [string, Record<string, string>] => {
    const { body, headers } = receiver.received[0]!
    return [body, headers as Record<string, string>]
  }

  test('gets two signatures for a day after a rotation', async () => {
    const { endpoint_id, secret: old } = await create()
    const { secret: present } = await school.run(rotateWebhookSecret, { endpoint_id }, now)
    // The library compares with the clock of the machine.
    const start = now
    const verifies = (secret: string, at = receiver.received.at(-1)!) => {
      const { body, headers } = at
      const sent = headers as Record<string, string>
      try {
        new Webhook(secret).verify(body, sent)
        return true
      } catch (error) {
        if (/timestamp/.test((error as Error).message)) throw error
        return false
      }
    }
    const clock = () => new Date()
    const { rows } = await database.superuser.query('select max(expires_at) as until from webhook_secrets')
    expect(rows[0].until.getTime() - start.getTime()).toBeLessThanOrEqual(86_400_000)
    await database.superuser.query(
      `update webhook_secrets set expires_at = now() + interval '1 hour' where expires_at is not null`,
    )
    await happen(1)
    await deliver(worker({ clock }))
    expect(receiver.received[0]!.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)
    expect([verifies(old), verifies(present)]).toEqual([true, true])
    await database.superuser.query(
      `update webhook_secrets set expires_at = now() - interval '1 second' where expires_at is not null`,
    )
    await happen(1)
    await deliver(worker({ clock }))
    expect([verifies(old), verifies(present)]).toEqual([false, true])
  })

  test('gets its subscribed types and its own test events', async () => {
    const { endpoint_id } = await create(['order.*'])
    const other = await startReceiver()
    const { endpoint_id: other_id } = await create(['lead.*'], other.url)
    await happen(3, 'user.created')
    const orders = await happen(2, 'order.created')
    await school.run(pingWebhookEndpoint, { endpoint_id })
    await linkEntries(database.app, school.corp_id)
    await addEvents(database.app, school.corp_id)
    await deliver(worker())
    expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual([
      'order.created',
      'order.created',
      'ping',
    ])
    expect(ids().slice(0, 2)).toEqual(orders)
    expect(other.received).toEqual([])
    expect(await statesOf(other_id)).toEqual({})
    await other.close()
  })
})

describe('a receiver that fails', () => {
  const faults: Record<string, Answering> = {
    'answers 500': (_, response) => void response.writeHead(500).end('broken'),
    'cuts the connection': (_, response) => void response.destroy(),
    hangs: () => undefined,
    'is slow and answers 503': async (_, response) => {
      await pause(50)
      response.writeHead(503).end()
    },
    'redirects into the network': (_, response) =>
      void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
  }

  test.each(Object.entries(faults))(
    '%s: each event is repeated as specified, then dead',
    async (_, fault) => {
      const { endpoint_id } = await create()
      const wanted = await happen(3)
      receiver.answer = fault
      const start = now
      const attempts = await livePast(worker(), 90)
      expect([...attempts.keys()].toSorted()).toEqual(wanted.toSorted())
      for (const times of attempts.values()) {
        expect(times[0]).toEqual(start)
        const delays = times.map((at, n) => at.getTime() - (times[n - 1] ?? start).getTime())
        expect(delays).toHaveLength(retryDelaysMs.length)
        for (const [n, delay] of delays.entries()) {
          expect(delay).toBeGreaterThanOrEqual(retryDelaysMs[n]!)
          expect(delay).toBeLessThanOrEqual(retryDelaysMs[n]! * 1.1 + 10)
        }
      }
      expect(await statesOf(endpoint_id)).toEqual({ dead: 3 })
      receiver.answer = (_, response) => void response.end()
      expect(await school.run(replayWebhookDeliveries, { endpoint_id, all_dead: true }, now)).toMatchObject({
        replayed: 3,
      })
      await deliver(worker())
      expect(await statesOf(endpoint_id)).toEqual({ delivered: 3 })
    },
  )

  test.each(Object.entries(faults))('%s for a day: nothing is lost', async (_, fault) => {
    const { endpoint_id } = await create()
    const heals = now.getTime() + 24 * 3_600_000
    receiver.answer = (received, response) =>
      now.getTime() < heals ? fault(received, response) : void response.end('ok')
    const wanted: string[] = []
    const by = worker()
    for (let hour = 0; hour < 24; hour += 6) {
      wanted.push(...(await happen(2)))
      await livePast(by, 6)
      now = new Date(heals - (18 - hour) * 3_600_000)
    }
    await livePast(by, 48)
    expect(await statesOf(endpoint_id)).toEqual({ delivered: wanted.length })
    for (const id of wanted) expect(ids()).toContain(id)
  })

  test('is down: the same', async () => {
    const { endpoint_id } = await create()
    const wanted = await happen(3)
    const { url } = receiver
    await receiver.close()
    const by = worker()
    await livePast(by, 10)
    expect(await statesOf(endpoint_id)).toEqual({ waiting: 3 })
    expect((await school.run(listWebhookEndpoints)).list[0]).toMatchObject({
      health: 'failing',
      error: 'refused',
    })
    receiver = await startReceiver()
    await database.superuser.query('update webhook_endpoints set url = $1 where url = $2', [
      receiver.url,
      url,
    ])
    await livePast(by, 48)
    expect(ids().toSorted()).toEqual(wanted.toSorted())
    expect(await statesOf(endpoint_id)).toEqual({ delivered: 3 })
  })

  test('with 429 and Retry-After gets nothing for that time', async () => {
    const { endpoint_id } = await create()
    await happen(2)
    receiver.answer = (_, response) => void response.writeHead(429, { 'retry-after': '1800' }).end()
    const by = worker()
    await deliver(by)
    expect(receiver.received).toHaveLength(2)
    await happen(5)
    receiver.answer = (_, response) => void response.end()
    later(1_799_000)
    await deliver(by)
    expect(receiver.received).toHaveLength(2)
    later(2000)
    await deliver(by)
    expect(receiver.received).toHaveLength(9)
    expect(await statesOf(endpoint_id)).toEqual({ delivered: 7 })
  })

  test('with 410 is disabled, which is an event, and continues after its last event once enabled', async () => {
    const { endpoint_id } = await create(['user.*'])
    await happen(1)
    receiver.answer = (_, response) => void response.writeHead(410).end()
    const by = worker()
    await deliver(by)
    const missed = await happen(3)
    await deliver(by)
    expect(receiver.received).toHaveLength(1)
    expect((await school.run(listWebhookEndpoints)).list[0]).toMatchObject({
      ...{
        is_enabled: false,
        disabled_reason: 'gone',
        health: 'disabled',
        dead: 1,
        error: 'refusal',
        status: 410,
      },
    })
    await linkEntries(database.app, school.corp_id)
    await addEvents(database.app, school.corp_id)
    const { list } = await school.run(listEvents, { types: 'webhook.disabled' })
    expect(list).toMatchObject([
      { type: 'webhook.disabled', record_id: endpoint_id, actor: { kind: 'system' } },
    ])
    receiver.answer = (_, response) => void response.end()
    await school.run(enableWebhookEndpoint, { endpoint_id })
    await deliver(by)
    expect(ids().slice(1)).toEqual(missed)
  })

  test('for five days is disabled; one success starts the count again', async () => {
    const { endpoint_id } = await create()
    const by = worker()
    const days = async (count: number) => {
      for (let day = 0; day < count; day++) {
        await happen(1)
        await livePast(by, 24)
        now = new Date(Math.ceil((now.getTime() + 1) / 86_400_000) * 86_400_000)
      }
    }
    const health = async () => (await school.run(listWebhookEndpoints)).list[0]
    receiver.answer = (_, response) => void response.writeHead(500).end()
    await days(4)
    receiver.answer = (_, response) => void response.end()
    await days(1)
    receiver.answer = (_, response) => void response.writeHead(500).end()
    await days(4)
    expect(await health()).toMatchObject({ is_enabled: true, health: 'failing' })
    await days(2)
    expect(await health()).toMatchObject({ is_enabled: false, disabled_reason: 'failing' })
    expect(endpoint_id).toBeDefined()
  })

  test('on one event does not hold up the others', async () => {
    const { endpoint_id } = await create()
    const [, poison] = await happen(40)
    receiver.answer = ({ id }, response) =>
      id === poison ? void pause(150).then(() => response.writeHead(500).end('no')) : void response.end('ok')
    await deliver(worker())
    expect(await statesOf(endpoint_id)).toEqual({ delivered: 39, waiting: 1 })
    const fetched = await school.run(fetchWebhookDelivery, { delivery_id: `${endpoint_id}-2` })
    expect(fetched).toMatchObject({
      ...{ event_id: poison, state: 'waiting', error: 'refusal', status: 500, attempts: 1 },
      attempt_list: [{ attempt: 1, status: 500, response: 'no' }],
    })
    expect(JSON.parse(fetched.body).data.event_id).toBe(poison)
  })

  test('with a long body of any bytes: one kilobyte is stored', async () => {
    const { endpoint_id } = await create()
    await happen(1)
    receiver.answer = (_, response) => void response.end(Buffer.alloc(100_000))
    await deliver(worker())
    receiver.answer = (_, response) => void response.end('x'.repeat(100_000))
    await happen(1)
    await deliver(worker())
    const responses = []
    for (const seq of [1, 2]) {
      const fetched = await school.run(fetchWebhookDelivery, { delivery_id: `${endpoint_id}-${seq}` })
      responses.push(fetched.attempt_list[0].response)
    }
    expect(responses).toEqual(['', 'x'.repeat(1024)])
  })
})

test('two servers on one database deliver each event once, and never one at the same time', async () => {
  const { endpoint_id } = await create()
  const other = openDatabase({ ...database.appOptions, max: 3 })
  receiver.answer = async (_, response) => {
    await pause(Math.random() * 10)
    response.end()
  }
  const timeoutMs = 15_000
  const [one, two] = [worker({ timeoutMs }), worker({ db: other, timeoutMs })]
  const wanted: string[] = []
  for (let round = 0; round < 20; round++) {
    wanted.push(...(await happen(20)))
    await Promise.all([one.look(school.corp_id), two.look(school.corp_id), pause(3)])
  }
  for (const by of [one, two, one]) await deliver(by)
  await Promise.all([one.idle(), two.idle()])
  await other.close()
  expect(receiver.overlaps).toEqual([])
  expect(ids().toSorted()).toEqual(wanted.toSorted())
  expect(await statesOf(endpoint_id)).toEqual({ delivered: wanted.length })
})

test('after the lease of a dead server, others deliver under the same id', async () => {
  const { endpoint_id } = await create()
  const wanted = await happen(5)
  receiver.answer = () => undefined
  const dying = openDatabase({ ...database.appOptions, max: 2 })
  await worker({ db: dying, timeoutMs: 60_000 }).look(school.corp_id)
  while (receiver.received.length < 5) await pause(5)
  // Its requests end without an outcome.
  await dying.close()
  receiver.answer = (_, response) => void response.end()
  const survivor = worker()
  await deliver(survivor)
  expect(receiver.received).toHaveLength(5)
  later(2 * 60_000 + 15_001)
  await deliver(survivor)
  expect(ids().slice(5).toSorted()).toEqual(wanted.toSorted())
  expect(await statesOf(endpoint_id)).toEqual({ delivered: 5 })
})

test('a stopping server releases its unsent deliveries', async () => {
  const { endpoint_id } = await create()
  const wanted = await happen(14)
  receiver.answer = async (_, response) => {
    await pause(50)
    response.end()
  }
  const stopping = worker()
  await stopping.look(school.corp_id)
  while (receiver.received.length < 8) await pause(2)
  await stopping.stop(1000)
  expect(receiver.received).toHaveLength(8)
  await deliver(worker())
  expect(ids().toSorted()).toEqual(wanted.toSorted())
  expect(await statesOf(endpoint_id)).toEqual({ delivered: 14 })
})

test('the delivery of a deleted event ends at once', async () => {
  const { endpoint_id } = await create()
  await happen(1)
  receiver.answer = (_, response) => void response.writeHead(500).end()
  const by = worker()
  await deliver(by)
  await database.superuser.query('delete from events where corp_id = $1', [school.corp_id])
  later(10_000)
  await deliver(by)
  expect(receiver.received).toHaveLength(1)
  const fetched = await school.run(fetchWebhookDelivery, { delivery_id: `${endpoint_id}-1` })
  expect(fetched).toMatchObject({ state: 'dead', error: 'event_deleted', body: null })
})

test('hanging receivers of other organizations delay no delivery', async () => {
  const hanging = await startReceiver(() => undefined)
  // Longer than the time limit of this test.
  const by = worker({ timeoutMs: 600_000 })
  const mine = school
  for (let n = 0; n < 6; n++) {
    school = await openLedger(database)
    for (let endpoint = 0; endpoint < 3; endpoint++) await create(['*'], `${hanging.url}/${newId()}`)
    await happen(50)
    await by.look(school.corp_id)
  }
  while (hanging.most < 6 * 3 * 8) await pause(5)
  school = mine
  await create()
  await happen(200)
  await by.look(school.corp_id)
  while (receiver.received.length < 200) await pause(5)
  expect(hanging.received.length).toBeGreaterThan(0)
  await hanging.close()
  await by.stop(0)
})

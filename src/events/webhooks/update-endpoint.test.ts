import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { masterKeyText, testKeyring } from '../../../test/harness/keyring.ts'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { linkEntries } from '../../access/audit/link-entries.ts'
import { createKeyring } from '../../access/organizations/keyring.ts'
import { sealingOrganization } from '../../access/organizations/sealing-key-store.ts'
import { permissions } from '../../contract/caller.ts'
import { newId } from '../../contract/new-id.ts'
import { createUser } from '../../people/users/create-user.ts'
import { addEvents } from '../add-events.ts'
import { listEvents } from '../list-events.ts'
import { createWebhookEndpoint } from './create-endpoint.ts'
import { pruneDeliveries, pruneRemoved } from './delivery-store.ts'
import { findSecrets, sealNameOf } from './endpoint-store.ts'
import { fetchWebhookDelivery, listWebhookDeliveries } from './list-deliveries.ts'
import { listWebhookEndpoints } from './list-endpoints.ts'
import { replayWebhookDeliveries } from './replay-deliveries.ts'
import { resealWebhooks } from './reseal-webhooks.ts'
import { rotateWebhookSecret } from './rotate-secret.ts'
import {
  enableWebhookEndpoint,
  pingWebhookEndpoint,
  removeWebhookEndpoint,
  updateWebhookEndpoint,
} from './update-endpoint.ts'

let server: TestServer
let school: TestOrganization
beforeAll(async () => {
  server = await startTestServer('matricula')
})
afterAll(() => server.close())
beforeEach(async () => {
  school = await openOrganization(server, 'UTC', [...permissions, 'admin'])
  server.setNow(undefined)
})

const url = () => `https://hooks.example.com/${newId()}`

async function create(types = ['*']) {
  const { code, data } = await school.call(createWebhookEndpoint, { url: url(), types })
  expect(code).toBe(0)
  return data
}

async function sequence(): Promise<void> {
  await linkEntries(server.db, school.corp_id)
  await addEvents(server.db, school.corp_id)
}

/** Deliveries as a worker stores them. */
async function insertDeliveries(endpoint_id: string, state: string, numbers: number[], mtime = new Date()) {
  await server.database.superuser.query(
    `insert into webhook_deliveries (corp_id, endpoint_id, seq, event_id, type, state, failures, attempts, next_at, ctime, mtime)
     select $1, $2, seq, 'event-' || seq, 'user.created', $3, 10, 10, $5, $5, $5 from unnest($4::bigint[]) seq returning 1`,
    [school.corp_id, endpoint_id, state, numbers, mtime],
  )
  await server.database.superuser.query(
    `insert into webhook_attempts (corp_id, endpoint_id, seq, attempt, at, duration_ms, status, response)
     select $1, $2, seq, 1, $4, 12, 500, 'no' from unnest($3::bigint[]) seq returning 1`,
    [school.corp_id, endpoint_id, numbers, mtime],
  )
}

test('a new endpoint starts at the end of the feed and shows its secret once', async () => {
  await school.call(createUser, { email: `${newId()}@example.com` })
  await sequence()
  const made = await create(['order.*', 'user.created'])
  expect(made).toMatchObject({ health: 'new', is_enabled: true, lag: 0, waiting: 0, dead: 0 })
  expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const { list } = (await school.call(listWebhookEndpoints)).data
  const { secret: _, ...shown } = made
  expect(list).toEqual([shown])
  const stored = await findSecrets(server.db.of(school.corp_id), school.corp_id, new Date())
  expect(stored.map((each) => testKeyring.open(sealNameOf(school.corp_id, made.endpoint_id), each))).toEqual([
    made.secret,
  ])
  expect(JSON.stringify(stored)).not.toContain(made.secret)
})

test('an address that webhooks cannot reach is refused with the reason', async () => {
  for (const [address, reason] of [
    ['http://hooks.example.com/', 'must be an https address'],
    ['ftp://hooks.example.com/', 'must be an https address'],
    ['hooks.example.com', 'must be an https address'],
    ['https://user:password@hooks.example.com/', 'must not contain a user or password'],
    ['https://hooks.example.com/#part', 'must not contain a fragment'],
    ['https://hooks.example.com:8443/', 'must use port 443'],
    ['https://127.0.0.1/', 'must not lead into a private network'],
    ['https://2130706433/', 'must not lead into a private network'],
    ['https://localhost./', 'must not lead into a private network'],
    ['https://[::ffff:10.0.0.1]/', 'must not lead into a private network'],
  ]) {
    const answer = await school.call(createWebhookEndpoint, { url: address, types: ['*'] })
    expect(answer, address).toMatchObject({ code: 40002, data: { errors: [{ param: 'url', reason }] } })
  }
  expect(await school.call(createWebhookEndpoint, { url: url(), types: ['orders.*'] })).toMatchObject({
    code: 40002,
  })
})

test('an address has one endpoint, and an organization a limited number of them', async () => {
  const { url: address } = await create()
  const again = await school.call(createWebhookEndpoint, { url: address, types: ['*'] })
  expect(again).toMatchObject({ status: 409, code: 40901, data: { errors: [{ param: 'url' }] } })
  const other = await create()
  expect(
    await school.call(updateWebhookEndpoint, { endpoint_id: other.endpoint_id, url: address }),
  ).toMatchObject({ code: 40901 })
  for (let n = 2; n < 50; n++) await create()
  expect(await school.call(createWebhookEndpoint, { url: url(), types: ['*'] })).toMatchObject({
    code: 40904,
  })
})

test('a change without an effect makes no version; a pause keeps the cursor', async () => {
  const { endpoint_id, types } = await create(['user.*'])
  const update = (input: object) => school.call(updateWebhookEndpoint, { endpoint_id, ...input })
  expect((await update({ types })).data.version).toBe(1)
  expect((await update({ types: ['order.*'], description: 'Books' })).data).toMatchObject({
    types: ['order.*'],
    description: 'Books',
    version: 2,
  })
  expect((await update({ is_enabled: false })).data).toMatchObject({
    is_enabled: false,
    disabled_reason: 'paused',
    health: 'disabled',
  })
  expect((await update({ is_enabled: false })).data.version).toBe(3)
  await school.call(createUser, { email: `${newId()}@example.com` })
  await sequence()
  expect((await school.call(enableWebhookEndpoint, { endpoint_id })).data).toMatchObject({
    is_enabled: true,
    disabled_reason: null,
    lag: 1,
  })
  await update({ is_enabled: false })
  expect((await school.call(enableWebhookEndpoint, { endpoint_id, skip_missed: true })).data).toMatchObject({
    is_enabled: true,
    lag: 0,
  })
})

test('for a day after a rotation, two secrets are valid; another rotation ends the oldest', async () => {
  const { endpoint_id, secret: first } = await create()
  const start = new Date()
  server.setNow(start)
  const second = (await school.call(rotateWebhookSecret, { endpoint_id })).data
  expect(second.old_secret_until).toBe(new Date(start.getTime() + 86_400_000).toISOString())
  const validAt = async (now: Date) => {
    const stored = await findSecrets(server.db.of(school.corp_id), school.corp_id, now)
    return stored.map((each) => testKeyring.open(sealNameOf(school.corp_id, endpoint_id), each))
  }
  expect(await validAt(start)).toEqual([second.secret, first])
  expect(await validAt(new Date(start.getTime() + 86_400_001))).toEqual([second.secret])
  const third = (await school.call(rotateWebhookSecret, { endpoint_id })).data
  expect(await validAt(start)).toEqual([third.secret, second.secret])
})

test('a ping is an event of the feed; a disabled endpoint refuses it', async () => {
  const { endpoint_id } = await create()
  expect((await school.call(pingWebhookEndpoint, { endpoint_id })).code).toBe(0)
  await sequence()
  const { list } = (await school.call(listEvents, { types: 'ping' })).data
  expect(list).toMatchObject([{ type: 'ping', record_type: 'webhook', record_id: endpoint_id, changed: [] }])
  await school.call(updateWebhookEndpoint, { endpoint_id, is_enabled: false })
  expect(await school.call(pingWebhookEndpoint, { endpoint_id })).toMatchObject({ code: 40904 })
})

test('deliveries are listed in pages, the newest event first', async () => {
  const { endpoint_id } = await create()
  await insertDeliveries(endpoint_id, 'delivered', [1, 2, 3, 5])
  await insertDeliveries(endpoint_id, 'dead', [4, 6])
  const list = (input: object) => school.call(listWebhookDeliveries, { endpoint_id, ...input })
  const first = (await list({ limit: 4 })).data
  expect(first.list.map(({ seq }: { seq: number }) => seq)).toEqual([6, 5, 4, 3])
  expect(first.has_more).toBe(true)
  const second = (await list({ limit: 4, after: first.next_cursor })).data
  expect(second).toMatchObject({ list: [{ seq: 2 }, { seq: 1 }], next_cursor: '', has_more: false })
  expect((await list({ state: 'dead' })).data.list).toMatchObject([{ seq: 6 }, { seq: 4 }])
  expect(await list({ after: 'x' })).toMatchObject({ code: 40002 })
  const fetched = (await school.call(fetchWebhookDelivery, { delivery_id: `${endpoint_id}-4` })).data
  expect(fetched).toMatchObject({
    state: 'dead',
    body: null,
    attempt_list: [{ attempt: 1, status: 500, response: 'no' }],
  })
})

test('one delivery, a range or all dead ones are replayed', async () => {
  const { endpoint_id } = await create(['user.*'])
  for (let n = 0; n < 3; n++) await school.call(createUser, { email: `${newId()}@example.com` })
  await sequence()
  const { list: events } = (await school.call(listEvents)).data
  const newest = events.at(-1).seq
  await insertDeliveries(endpoint_id, 'delivered', [newest])
  await insertDeliveries(endpoint_id, 'dead', [901, 902])
  await server.database.superuser.query('update webhook_cursors set seq = $1 where endpoint_id = $2', [
    newest,
    endpoint_id,
  ])
  const replay = async (input: Record<string, unknown>) =>
    (await school.call(replayWebhookDeliveries, input)).data
  const waiting = async () => {
    const { list } = (await school.call(listWebhookDeliveries, { endpoint_id, state: 'waiting' })).data
    return list.map(({ seq }: { seq: number }) => seq)
  }
  expect(await replay({ endpoint_id, delivery_id: `${endpoint_id}-901` })).toEqual({
    replayed: 1,
    has_more: false,
  })
  expect(await waiting()).toEqual([901])
  expect(await replay({ endpoint_id, all_dead: true })).toEqual({ replayed: 1, has_more: false })
  expect(await waiting()).toEqual([902, 901])
  // The range includes events that the endpoint never received, but none of other types.
  expect(await replay({ endpoint_id, from_seq: 1, until_seq: newest })).toEqual({
    replayed: 3,
    has_more: false,
  })
  expect(await waiting()).toHaveLength(5)
  expect(await replay({ endpoint_id, all_dead: true })).toEqual({ replayed: 0, has_more: false })
  for (const input of [
    { endpoint_id },
    { endpoint_id, from_seq: 5 },
    { endpoint_id, from_seq: 5, until_seq: 4 },
    { endpoint_id, from_seq: 1, until_seq: 10_001 },
    { endpoint_id, all_dead: false },
  ])
    expect((await school.call(replayWebhookDeliveries, input)).status, JSON.stringify(input)).toBe(400)
  await school.call(updateWebhookEndpoint, { endpoint_id, is_enabled: false })
  expect(await school.call(replayWebhookDeliveries, { endpoint_id, all_dead: true })).toMatchObject({
    code: 40904,
  })
})

test('a leased delivery is replayed after its lease', async () => {
  const { endpoint_id } = await create()
  await insertDeliveries(endpoint_id, 'waiting', [1])
  const leased_until = new Date(Date.now() + 40_000)
  await server.database.superuser.query(
    'update webhook_deliveries set leased_until = $1, next_at = $1 where endpoint_id = $2',
    [leased_until, endpoint_id],
  )
  await school.call(replayWebhookDeliveries, { endpoint_id, delivery_id: `${endpoint_id}-1` })
  const { data } = await school.call(fetchWebhookDelivery, { delivery_id: `${endpoint_id}-1` })
  expect(data).toMatchObject({ failures: 0, next_at: leased_until.toISOString() })
})

test('a removed endpoint is gone at once, and its deliveries follow in steps', async () => {
  const { endpoint_id } = await create()
  await insertDeliveries(endpoint_id, 'waiting', [1, 2, 3, 4, 5])
  expect((await school.call(removeWebhookEndpoint, { endpoint_id })).code).toBe(0)
  expect((await school.call(removeWebhookEndpoint, { endpoint_id })).code).toBe(40471)
  expect((await school.call(fetchWebhookDelivery, { delivery_id: `${endpoint_id}-1` })).code).toBe(40472)
  const on = server.db.of(school.corp_id)
  expect(await pruneRemoved(on, school.corp_id, 2)).toBe(2)
  expect(await pruneRemoved(on, school.corp_id, 2)).toBe(2)
  expect(await pruneRemoved(on, school.corp_id, 2)).toBe(1)
  expect(await pruneRemoved(on, school.corp_id, 2)).toBe(0)
  for (const table of ['webhook_deliveries', 'webhook_attempts', 'webhook_cursors', 'webhook_secrets']) {
    const { rowCount } = await server.database.superuser.query(
      `select 1 from ${table} where corp_id = $1 and endpoint_id = $2`,
      [school.corp_id, endpoint_id],
    )
    expect(rowCount, table).toBe(0)
  }
})

test('completed deliveries are deleted after some time, waiting ones never', async () => {
  const { endpoint_id } = await create()
  const day = 86_400_000
  const ago = (days: number) => new Date(Date.now() - days * day)
  await insertDeliveries(endpoint_id, 'delivered', [1, 2], ago(15))
  await insertDeliveries(endpoint_id, 'delivered', [3], ago(13))
  await insertDeliveries(endpoint_id, 'dead', [4], ago(15))
  await insertDeliveries(endpoint_id, 'dead', [5], ago(91))
  await insertDeliveries(endpoint_id, 'waiting', [6], ago(91))
  const on = server.db.of(school.corp_id)
  const prune = (limit: number) =>
    pruneDeliveries(on, school.corp_id, { deliveredBefore: ago(14), deadBefore: ago(90) }, limit)
  expect(await prune(2)).toBe(2)
  expect(await prune(2)).toBe(1)
  const { list } = (await school.call(listWebhookDeliveries, { endpoint_id })).data
  expect(list.map(({ seq }: { seq: number }) => seq)).toEqual([6, 4, 3])
})

test('resealing with a new master key keeps the secrets readable for servers with both keys', async () => {
  const { endpoint_id, secret } = await create()
  const { corp_id } = school
  const rotated = createKeyring([randomBytes(32), Buffer.from(masterKeyText, 'hex')])
  const keysOf = async () =>
    (await sealingOrganization(server.db.of(corp_id), corp_id)).map(({ key_id }) => key_id)
  expect(await keysOf()).not.toContain(rotated.newestKeyId)
  await resealWebhooks(server.database.owner, rotated)
  expect(await keysOf()).toEqual([rotated.newestKeyId])
  expect(await resealWebhooks(server.database.owner, rotated)).toBe(0)
  const [stored] = await findSecrets(server.db.of(corp_id), corp_id, new Date())
  expect(rotated.open(sealNameOf(corp_id, endpoint_id), stored!)).toBe(secret)
})

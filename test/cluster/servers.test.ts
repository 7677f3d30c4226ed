import { exec } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createAccount } from '../../src/access/organizations/manage-accounts.ts'
import { createOrganization } from '../../src/access/organizations/manage-organizations.ts'
import { issueToken } from '../../src/access/tokens/issue-token.ts'
import { signatureOf } from '../../src/access/tokens/signature.ts'
import { checkLedger } from '../../src/backoffice/finance/check-ledger.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { newId } from '../../src/contract/new-id.ts'
import { appRole } from '../../src/database/migrate.ts'
import { sql } from '../../src/database/sql.ts'
import { rebuildDerivedData } from '../../src/derived/derived-data.ts'
import { createWebhookEndpoint } from '../../src/events/webhooks/create-endpoint.ts'
import { createOrder } from '../../src/orders/create-order.ts'
import { fetchOrder } from '../../src/orders/listing/fetch-order.ts'
import { createPayment } from '../../src/orders/payments/create-payment.ts'
import { importLead } from '../../src/people/leads/import-leads.ts'
import { createUser } from '../../src/people/users/create-user.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { masterKeyText, testKeyring } from '../harness/keyring.ts'
import { cleanUp, type ServiceProcess, startService, waitUntil } from '../harness/process.ts'
import { startReceiver, type TestReceiver } from '../harness/receiver.ts'
import { expectFeed } from './expect-feed.ts'
import { withClient } from './prepare.ts'

/** The command of the cluster's operator that kills a node and starts it again. */
const restart = process.env.MATRICULA_TEST_NODE_RESTART
const writersPerSchool = 4

interface School {
  corp_id: string
  node: string
  token: string
  user_id: string
  /** The webhook that sends all events to the receiver. */
  endpoint_id: string
}

let receiver: TestReceiver
let database: TestDatabase
let services: ServiceProcess[]
let urls: string[]
let schools: School[]

beforeAll(async () => {
  receiver = await startReceiver()
  database = await createTestDatabase()
  const settings = {
    ...database.settings,
    MATRICULA_KEY: masterKeyText,
    MATRICULA_WORKERS: '1',
    MATRICULA_LOG_LEVEL: 'warn',
    MATRICULA_POOL_SIZE: '8',
    MATRICULA_PRIVATE_WEBHOOKS: 'true',
  }
  services = [0, 1, 2].map(() => startService(settings))
  urls = await Promise.all(services.map(({ ready }) => ready))
  schools = await openSchools()
})
afterAll(async () => {
  await cleanUp()
  await receiver?.close()
  await database?.drop()
})

test('three servers, their feeds and their webhooks lose nothing while a node is restarted', {
  timeout: 900_000,
}, async () => {
  if (!restart) {
    throw new Error(
      'Set MATRICULA_TEST_NODE_RESTART to a command that ends a node of the cluster at once and starts it again.',
    )
  }
  expect(new Set(schools.map(({ node }) => node)).size, 'the schools lie on several nodes').toBeGreaterThan(1)
  const journal = await writeDuring(async ({ orders }) => {
    await promisify(exec)(restart)
    await servedAgain()
    const back = orders.length
    await until(() => orders.length >= back + 12)
  })
  await expectKept(journal)
})

test('an acknowledged write can be read after connections to the nodes are cut at any point', {
  timeout: 900_000,
}, async () => {
  const journal = await writeDuring(async ({ orders }) => {
    for (let cut = 0; cut < 60; cut++) {
      await cutConnections()
      await pause(Math.random() * 200)
    }
    // Citus recovers prepared transactions once a minute. Until then they hold their locks.
    await servedAgain()
    const back = orders.length
    await until(() => orders.length >= back + 12)
  })
  await expectKept(journal)
})

test('the servers stop without a failure', async () => {
  for (const service of services) expect(await service.stop()).toEqual({ code: 0, signal: null })
})

/** The responses to the writers of every school, before, during and after the work. */
async function writeDuring(work: (journal: Journal) => Promise<void>): Promise<Journal> {
  const stop = new AbortController()
  const journal: Journal = { orders: [], leads: [], refused: {}, scandals: [] }
  const writers = schools.flatMap((school) =>
    Array.from({ length: writersPerSchool }, (_, n) =>
      write(school, urls[n % urls.length]!, journal, stop.signal),
    ),
  )
  const failures = failuresOf(writers)
  try {
    await until(() => journal.orders.length >= 12)
    await work(journal)
  } finally {
    stop.abort()
    expect(await failures, faultsLogged()).toEqual([])
  }
  expect(journal.scandals).toEqual([])
  console.log(
    `${journal.orders.length} orders, ${journal.leads.length} leads; refused in the same time:`,
    journal.refused,
  )
  return journal
}

/** Every acknowledged write exists with its values. */
async function expectKept(journal: Journal): Promise<void> {
  for (const { corp_id } of schools) {
    const on = database.app.of(corp_id)
    const orders = await on.query<{ external_id: string; status: string }>(
      sql`select external_id, status from orders where corp_id = ${corp_id}`,
    )
    const told = journal.orders.filter((order) => order.corp_id === corp_id)
    expect(told.length).toBeGreaterThan(0)
    const statusOf = new Map(orders.map((order) => [order.external_id, order.status]))
    expect(told.filter(({ external_id }) => !statusOf.has(external_id))).toEqual([])
    expect(
      told.filter(({ external_id, isPaid }) => isPaid && statusOf.get(external_id) !== 'success'),
    ).toEqual([])
    const entries = await on.query<{ entry_id: string }>(
      sql`select entry_id from leads where corp_id = ${corp_id}`,
    )
    const stored = new Set(entries.map(({ entry_id }) => entry_id))
    const leads = journal.leads.filter((lead) => lead.corp_id === corp_id)
    expect(leads.filter(({ entry_id }) => !stored.has(entry_id))).toEqual([])
    expect(await rebuildDerivedData(on, corp_id)).toMatchObject({ orders: { wasRight: true } })
  }
  for (const school of schools) await expectFeed(database, school, journal, receiver)
  expect(await checkLedger(database.app)).toMatchObject({ total: 0, discrepancies: [] })
}

/** Ends the coordinator's connections to the nodes, between any two steps of a commit. */
async function cutConnections(): Promise<void> {
  for (const node of new Set(schools.map((school) => school.node))) {
    const connectionString = Object.assign(new URL(inject('cluster')!), {
      host: node,
      username: appRole,
    }).href
    await withClient({ connectionString }, (client) =>
      client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where usename = current_user and datname = current_database() and pid <> pg_backend_pid()`,
      ),
    )
  }
}

/** Warnings and errors in the logs of the servers. */
function faultsLogged(): string {
  const lines = services.flatMap((service) => service.stderr().split('\n'))
  return lines.filter((line) => line.includes('"level":50')).join('\n')
}

/** Waits for all of them, and returns their failures. */
async function failuresOf(writers: Promise<void>[]): Promise<unknown[]> {
  const outcomes = await Promise.allSettled(writers)
  return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
}

async function until(holds: () => boolean): Promise<void> {
  expect(await waitUntil(holds, 120_000)).toBe(true)
}

interface Journal {
  /** Acknowledged writes. */
  orders: { corp_id: string; external_id: string; isPaid: boolean }[]
  leads: { corp_id: string; entry_id: string }[]
  /** The number of refusals by code. */
  refused: Record<string, number>
  /** Responses that no failure of a node may cause. */
  scandals: unknown[]
}

/** Orders, payments and leads, one by one. A refused call is repeated until it succeeds. */
async function write(school: School, url: string, journal: Journal, signal: AbortSignal): Promise<void> {
  const { corp_id, user_id, token } = school
  const send = (endpoint: Endpoint, input: object) =>
    insist(url, token, endpoint, { corp_id, ...input }, journal)
  while (!signal.aborted) {
    const external_id = newId()
    const plan = { user_id, currency: 'CNY', listed_price: 100, installment_count: 1, external_id }
    const made = await send(createOrder, plan)
    const charge = { charge_id: newId(), source: 'payment_gateway' }
    await send(createPayment, { order_id: made.order_id, price: 100, ...charge })
    journal.orders.push({ corp_id, external_id, isPaid: true })
    const shown = await send(fetchOrder, { order_id: made.order_id! })
    if (shown.status !== 'success') journal.scandals.push({ external_id, status: shown.status })
    const entry_id = newId()
    await send(importLead, {
      entry_id,
      area_code: '86',
      mobile: `138${Math.random().toString().slice(2, 10)}`,
    })
    journal.leads.push({ corp_id, entry_id })
  }
}

/** A missing node is a failure of the server, never the caller's fault or a success. */
async function insist(
  url: string,
  token: string,
  endpoint: Endpoint,
  input: Record<string, unknown>,
  journal: Journal,
): Promise<Record<string, string>> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const { code, data } = await call(url, token, endpoint, input)
    if (code === 0) return data
    journal.refused[code] = (journal.refused[code] ?? 0) + 1
    if (code !== 50301 && code !== 40905) {
      journal.scandals.push({ endpoint: endpoint.id, code, data })
      throw new Error(`${endpoint.id} was answered with ${code}`)
    }
    await pause(100)
  }
  throw new Error(`${endpoint.id} was never done`)
}

async function call(
  url: string,
  token: string,
  endpoint: Endpoint,
  input: object,
): Promise<{ code: number; data: Record<string, string> }> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const query = endpoint.method === 'GET' ? `?${new URLSearchParams(input as Record<string, string>)}` : ''
  const body = endpoint.method === 'GET' ? undefined : JSON.stringify(input)
  const response = await fetch(`${url}${endpoint.path}${query}`, { method: endpoint.method, headers, body })
  return (await response.json()) as { code: number; data: Record<string, string> }
}

/** Waits until every school can write again. */
async function servedAgain(): Promise<void> {
  const journal: Journal = { orders: [], leads: [], refused: {}, scandals: [] }
  for (const [index, { corp_id, token }] of schools.entries()) {
    const lead = { corp_id, entry_id: newId(), area_code: '86', mobile: '13900139000' }
    await insist(urls[index % urls.length]!, token, importLead, lead, journal)
  }
  expect(journal.scandals).toEqual([])
}

/** One school per node, as far as there are nodes. */
async function openSchools(): Promise<School[]> {
  const found: School[] = []
  for (let n = 0; found.length < 3 && n < 60; n++) {
    const corp_id = newId()
    const node = await nodeOf(corp_id)
    if (n < 50 && found.some((school) => school.node === node) && (await nodesWithData()) > found.length)
      continue
    const { owner } = database
    await createOrganization(owner, { corp_id, name: `School ${n}` }, new Date())
    const account = await createAccount(
      owner,
      testKeyring,
      { name: 'Writer', corp_ids: [corp_id], permissions: ['read', 'write', 'finance', 'admin'] },
      new Date(),
    )
    const time_stamp = String(Date.now())
    const signature = signatureOf(account.app_id, time_stamp, account.user_api_secret)
    const { data } = await call(urls[0]!, '', issueToken, { app_id: account.app_id, time_stamp, signature })
    const user = await call(urls[0]!, data.token!, createUser, {
      corp_id,
      area_code: '86',
      mobile: '13800138000',
    })
    const webhook = { corp_id, url: `${receiver.url}/${corp_id}`, types: ['*'] }
    const { endpoint_id } = (await call(urls[0]!, data.token!, createWebhookEndpoint, webhook)).data
    found.push({
      ...{ corp_id, node, token: data.token!, user_id: user.data.user_id!, endpoint_id: endpoint_id! },
    })
  }
  return found
}

async function nodesWithData(): Promise<number> {
  const { rows } = await database.owner.pool.query(
    'select count(*)::int as count from pg_dist_node where shouldhaveshards',
  )
  return rows[0].count
}

async function nodeOf(corp_id: string): Promise<string> {
  const { rows } = await database.owner.pool.query(
    `select nodename || ':' || nodeport as node from citus_shards
      where table_name = 'users'::regclass and shardid = get_shard_id_for_distribution_column('users', $1::text)`,
    [corp_id],
  )
  return rows[0].node
}

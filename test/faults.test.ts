import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { newId } from '../src/contract/new-id.ts'
import { openDatabase } from '../src/database/database.ts'
import { borrowEmbeddedPostgres } from '../src/database/embedded/embedded-postgres.ts'
import { rebuildReadModel } from '../src/orders/read-model/rebuild.ts'
import { signatureOf } from '../src/tokens/signature.ts'
import {
  cleanUp,
  killPostmaster,
  newDataDir,
  postmasterOf,
  type ServiceProcess,
  startService,
  waitUntil,
} from './harness/process.ts'

const writersPerRound = 4
const writingMs = 600
/** No call may take longer, whatever dies meanwhile. */
const longestCallMs = 15_000

afterEach(cleanUp)

test('no acknowledged write is lost, whoever is killed under it', { timeout: 120_000 }, async () => {
  const dataDir = await newDataDir()
  let service = startService({ MATRICULA_DATA: dataDir, MATRICULA_LOG_LEVEL: 'warn' })
  await service.ready
  const school = await openSchool(dataDir)
  const journal = newJournal()

  for (const victim of ['server', 'postgres', 'both', 'postgres', 'server', 'both'] as const) {
    const stop = new AbortController()
    const before = journal.count()
    const writers = Array.from({ length: writersPerRound }, () => write(school, journal, stop.signal))
    await pause(writingMs)
    if (victim === 'postgres') await outlivePostgres(school, service, dataDir)
    else service = await startAnew(school, service, dataDir, victim === 'both')
    stop.abort()
    await Promise.all(writers)
    expect(journal.count(), `the ${victim} round wrote nothing`).toBeGreaterThan(before)
    expect(journal.scandals).toEqual([])
  }
  expect(await service.stop()).toEqual({ code: 0, signal: null })
  expect(postmasterOf(dataDir)).toBeUndefined()
  const found = await lookInto(dataDir, school, journal)
  expect(found.lost).toEqual({ users: [], leads: [], tags: [], payments: [] })
  expect(found.rebuilt.orders).toBeGreaterThan(260)
  expect(found.rebuilt.wasRight, 'what was kept beside the orders is what the data gives').toBe(true)
})

test('a PostgreSQL that cannot be brought back ends the server with one sentence', async () => {
  const dataDir = await newDataDir()
  const service = startService({ MATRICULA_DATA: dataDir, MATRICULA_LOG_LEVEL: 'silent' })
  await service.ready
  const control = join(dataDir, 'postgres', 'global', 'pg_control')
  await rename(control, `${control}.away`)
  killPostmaster(dataDir)
  expect((await service.exited).code).toBe(1)
  expect(service.stderr()).toMatch(/^PostgreSQL stopped and could not be started again\. /)
  expect(service.stderr()).not.toMatch(/^\s+at /m)
  expect(postmasterOf(dataDir)).toBeUndefined()
})

/** The running server brings PostgreSQL back by itself, and says so instead of failing meanwhile. */
async function outlivePostgres(school: School, service: ServiceProcess, dataDir: string): Promise<void> {
  const killed = postmasterOf(dataDir)
  killPostmaster(dataDir)
  const isBack = () => {
    const pid = postmasterOf(dataDir)
    return pid !== undefined && pid !== killed
  }
  expect(await waitUntil(isBack, 20_000), service.stderr()).toBe(true)
  const isReady = () => fetch(`${school.url}/readyz`).then(({ status }) => status === 200)
  expect(await waitUntil(isReady, 20_000), service.stderr()).toBe(true)
  await pause(writingMs)
}

async function startAnew(
  school: School,
  service: ServiceProcess,
  dataDir: string,
  killsPostgres: boolean,
): Promise<ServiceProcess> {
  service.kill('SIGKILL')
  if (killsPostgres) killPostmaster(dataDir)
  await service.exited
  const next = startService({ MATRICULA_DATA: dataDir, MATRICULA_LOG_LEVEL: 'warn' })
  // Whoever writes goes on with the new one.
  school.url = await next.ready
  await pause(writingMs)
  return next
}

interface School {
  url: string
  corp_id: string
  token: string
  tags_group_id: string
}

async function openSchool(dataDir: string): Promise<School> {
  const sample = JSON.parse(await readFile(join(dataDir, 'sample.json'), 'utf8'))
  const { base_url: url, corp_id, app_id, user_api_secret } = sample
  const time_stamp = String(Date.now())
  const signature = signatureOf(app_id, time_stamp, user_api_secret)
  const school: School = { url, corp_id, token: '', tags_group_id: '' }
  const { data } = await post(school, 'authentication/token', { app_id, time_stamp, signature })
  school.token = data.token
  const name = `faults_${newId()}`
  const group = { name, variable_name: name, description: 'Counts', attribute: 'number', category: 'test' }
  const made = await post(school, 'entity/tags/group/create', group)
  school.tags_group_id = made.data.tags_group_id
  return school
}

/** What has been acknowledged, and what must never be answered. */
interface Journal {
  users: Map<string, string>
  leads: Map<string, string>
  /** The last number that was acknowledged, by user. */
  tags: Map<string, number>
  /** The payments of the gateway, by charge. */
  payments: Map<string, string>
  scandals: string[]
  count(): number
}

function newJournal(): Journal {
  const journal = {
    users: new Map<string, string>(),
    leads: new Map<string, string>(),
    tags: new Map<string, number>(),
    payments: new Map<string, string>(),
    scandals: [] as string[],
    count: () => journal.users.size + journal.leads.size,
  }
  return journal
}

async function write(school: School, journal: Journal, signal: AbortSignal): Promise<void> {
  for (let n = 1; !signal.aborted; n++) {
    const email = `${newId()}@example.com`
    const user = await attempt(school, journal, 'entity/user/create', { email })
    if (!user) continue
    journal.users.set(email, user.user_id)
    const tag = { tags_group_id: school.tags_group_id, user_id: user.user_id, value: String(n) }
    if (await attempt(school, journal, 'entity/user/tags/assign', tag)) journal.tags.set(user.user_id, n)
    const entry_id = newId()
    const lead = await attempt(school, journal, 'entity/leads/import', { entry_id, user_id: user.user_id })
    if (lead) journal.leads.set(entry_id, lead.lead_id)
    await sell(school, journal, user.user_id)
  }
}

async function sell(school: School, journal: Journal, user_id: string): Promise<void> {
  const order = await attempt(school, journal, 'entity/order/create', { user_id, listed_price: 3000 })
  if (!order) return
  for (const price of [1000, 2000]) {
    const charge_id = newId()
    const notice = { order_id: order.order_id, price, source: 'payment_gateway', charge_id }
    const payment = await attempt(school, journal, 'entity/order/payment/create', notice)
    if (payment) journal.payments.set(charge_id, payment.payment_id)
  }
}

/** The data of a success; undefined where the service was away or said that it is. */
async function attempt(
  school: School,
  journal: Journal,
  path: string,
  body: object,
): Promise<Answered['data'] | undefined> {
  try {
    const { status, retryAfter, code, data } = await post(school, path, body)
    if (code === 0) return data
    if (status !== 503 || !retryAfter) journal.scandals.push(`${path} answered ${code}`)
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') journal.scandals.push(`${path} hung`)
  }
  await pause(50)
  return undefined
}

interface Answered {
  status: number
  retryAfter: string | null
  code: number
  // biome-ignore lint/suspicious/noExplicitAny: data of several shapes.
  data: any
}

async function post({ url, token, corp_id }: School, path: string, body: object): Promise<Answered> {
  const response = await fetch(`${url}/api/v5/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ corp_id, ...body }),
    signal: AbortSignal.timeout(longestCallMs),
  })
  const { code, data } = (await response.json()) as Pick<Answered, 'code' | 'data'>
  return { status: response.status, retryAfter: response.headers.get('retry-after'), code, data }
}

/** What the journal has and the database has not; and whether what is kept beside the data agrees with it. */
async function lookInto(dataDir: string, { corp_id }: School, journal: Journal) {
  const postgres = await borrowEmbeddedPostgres({ dataDir })
  const client = new pg.Client(postgres.owner)
  await client.connect()
  try {
    await client.query(`select set_config('app.corp_id', $1, false)`, [corp_id])
    const users = await client.query('select email as key, user_id as value from users')
    const leads = await client.query('select entry_id as key, lead_id as value from leads')
    const tags = await client.query('select user_id as key, number_value as value from user_tags')
    const payments = await client.query('select charge_id as key, payment_id as value from payments')
    const lost = {
      users: missing(journal.users, users.rows, (want, have) => want === have),
      leads: missing(journal.leads, leads.rows, (want, have) => want === have),
      tags: missing(journal.tags, tags.rows, (want, have) => want === Number(have)),
      payments: missing(journal.payments, payments.rows, (want, have) => want === have),
    }
    const db = openDatabase(postgres.owner)
    const rebuilt = await rebuildReadModel(db.of(corp_id), corp_id)
    await db.close()
    return { lost, rebuilt }
  } finally {
    await client.end()
    await postgres.stop()
  }
}

function missing<T>(
  acknowledged: Map<string, T>,
  rows: { key: string; value: unknown }[],
  isSame: (want: T, have: unknown) => boolean,
): string[] {
  const stored = new Map(rows.map(({ key, value }) => [key, value]))
  return [...acknowledged].filter(([key, want]) => !isSame(want, stored.get(key))).map(([key]) => key)
}

import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { verifyAudit } from '../../src/access/audit/verify-audit.ts'
import { signatureOf } from '../../src/access/tokens/signature.ts'
import { checkLedger } from '../../src/backoffice/finance/check-ledger.ts'
import { newId } from '../../src/contract/new-id.ts'
import { openDatabase } from '../../src/database/database.ts'
import { borrowEmbeddedPostgres } from '../../src/postgres/embedded-postgres.ts'
import { attemptsOf, noteAttempts } from '../harness/attempts.ts'
import {
  cleanUp,
  killPostmaster,
  postmasterOf,
  type ServiceProcess,
  settledDataDir,
  startService,
  waitUntil,
} from '../harness/process.ts'
import { childrenOf } from '../harness/processes.ts'

/** Number of kills, each process in turn: 500 with `npm run test:faults`. */
const kills = attemptsOf('MATRICULA_KILLS', 2)
const victims = ['both', 'postgres', 'worker', 'server'] as const
const writersPerRound = 4
const writingMs = 600
/** No call may take longer, even while a process dies. */
const longestCallMs = 15_000

afterEach(cleanUp)

test('no acknowledged write is lost or half-written, whichever process is killed', {
  timeout: kills * 60_000,
}, async () => {
  const dataDir = await settledDataDir()
  let service = startService({ MATRICULA_DATA: dataDir, MATRICULA_LOG_LEVEL: 'warn', MATRICULA_WORKERS: '2' })
  await service.ready
  const school = await openSchool(dataDir)
  const journal = newJournal()

  for (let n = 0; n < kills; n++) {
    const victim = victims[n % victims.length]!
    const stop = new AbortController()
    const before = journal.count()
    const writers = Array.from({ length: writersPerRound }, () => write(school, journal, stop.signal))
    await pause(writingMs * Math.random())
    if (victim === 'postgres') await outlivePostgres(school, service, dataDir)
    else if (victim === 'worker') await loseWorker(service, dataDir)
    else service = await startAnew(school, service, dataDir, victim === 'both')
    stop.abort()
    await Promise.all(writers)
    expect(journal.count(), `the ${victim} round wrote nothing`).toBeGreaterThan(before)
    expect(journal.scandals).toEqual([])
  }
  expect(await service.stop()).toEqual({ code: 0, signal: null })
  expect(postmasterOf(dataDir)).toBeUndefined()
  const found = await lookInto(dataDir, journal)
  noteAttempts('kill -9 under writes', kills, found.lost.length, `${journal.count()} writes acknowledged`)
  expect(found.lost).toEqual([])
  expect(found.books).toMatchObject({ total: 0, discrepancies: [] })
  expect(found.audit).toMatchObject({ total: 0, breaches: [] })
  expect(found.books.orders).toBeGreaterThan(260)
})

test('a PostgreSQL that cannot be brought back ends the server with one sentence', async () => {
  const dataDir = await settledDataDir()
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

/** The running server restarts PostgreSQL, and reports that instead of failing. */
async function outlivePostgres(school: School, service: ServiceProcess, dataDir: string): Promise<void> {
  const killed = postmasterOf(dataDir)
  killPostmaster(dataDir)
  const isBack = () => {
    const pid = postmasterOf(dataDir)
    return pid !== undefined && pid !== killed
  }
  expect(await waitUntil(isBack, 60_000), service.stderr()).toBe(true)
  const isReady = () => fetch(`${school.url}/readyz`).then(({ status }) => status === 200)
  expect(await waitUntil(isReady, 60_000), service.stderr()).toBe(true)
  await pause(writingMs)
}

async function loseWorker(service: ServiceProcess, dataDir: string): Promise<void> {
  const workers = () => childrenOf(service.pid).filter((pid) => pid !== postmasterOf(dataDir))
  const victim = workers()[0]!
  process.kill(victim, 'SIGKILL')
  await waitUntil(() => !workers().includes(victim), 60_000)
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
  const next = startService({ MATRICULA_DATA: dataDir, MATRICULA_LOG_LEVEL: 'warn', MATRICULA_WORKERS: '2' })
  // Writers continue with the new one.
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
  school.token = (await insist(school, 'authentication/token', { app_id, time_stamp, signature })).token
  const name = `faults_${newId()}`
  const group = { name, variable_name: name, description: 'Counts', attribute: 'number', category: 'test' }
  school.tags_group_id = (await insist(school, 'entity/tags/group/create', group)).tags_group_id
  return school
}

/** On a machine that is busy with other tests, the first calls may be refused with Retry-After. */
async function insist(school: School, path: string, body: object): Promise<Answered['data']> {
  for (let tries = 0; tries < 100; tries++, await pause(200)) {
    const { status, data } = await post(school, path, body)
    if (status !== 503) return data
  }
  throw new Error(`${path} is never taken`)
}

/** The place of an acknowledged write: the table, and the column of its id. */
const places = {
  users: 'user_id',
  leads: 'lead_id',
  orders: 'order_id',
  payments: 'payment_id',
  refunds: 'refund_id',
  payment_voids: 'payment_id',
  order_remarks: 'remark_id',
  user_follow_ups: 'follow_up_id',
} as const
type Table = keyof typeof places

/** The acknowledged writes, and the forbidden responses. */
interface Journal {
  written: Map<string, Table>
  /** The last number that was acknowledged, by user. */
  tags: Map<string, number>
  scandals: string[]
  count(): number
}

function newJournal(): Journal {
  const [written, tags] = [new Map<string, Table>(), new Map<string, number>()]
  return { written, tags, scandals: [], count: () => written.size + tags.size }
}

async function write(school: School, journal: Journal, signal: AbortSignal): Promise<void> {
  const make = async (table: Table, path: string, body: object) => {
    const data = await attempt(school, journal, path, body)
    const id: string | undefined = data?.[places[table]] ?? data?.id
    // A payment and its void have one id.
    if (id !== undefined) journal.written.set(`${table} ${id}`, table)
    return data
  }
  for (let n = 1; !signal.aborted; n++) {
    const user = await make('users', 'entity/user/create', { email: `${newId()}@example.com` })
    if (!user) continue
    const { user_id } = user
    const tag = { tags_group_id: school.tags_group_id, user_id, value: String(n) }
    if (await attempt(school, journal, 'entity/user/tags/assign', tag)) journal.tags.set(user_id, n)
    await make('leads', 'entity/leads/import', { entry_id: newId(), user_id })
    const leads = Array.from({ length: 3 }, () => ({ email: `${newId()}@example.com`, entry_id: newId() }))
    const batch = await attempt(school, journal, 'entity/leads/import/batch', { leads })
    for (const { lead_id } of batch?.list ?? []) if (lead_id) journal.written.set(`leads ${lead_id}`, 'leads')
    await make('user_follow_ups', 'entity/user/follow-up/create', { user_id, content: 'Called' })
    const order = await make('orders', 'entity/order/create', { user_id, listed_price: 3000 })
    if (!order) continue
    const { order_id } = order
    const pay = (price: number) =>
      make('payments', 'entity/order/payment/create', { order_id, price, charge_id: newId() })
    const first = await pay(1000)
    const second = await pay(2000)
    await make('order_remarks', 'entity/order/remark/create', { order_id, content: 'Paid' })
    if (first || second)
      await make('refunds', 'entity/order/refund/create', {
        order_id,
        price: 100,
        reason: 'Agreed',
        charge_id: newId(),
      })
    if (second && n % 2)
      await make('payment_voids', 'entity/order/payment/void', {
        payment_id: (await pay(500))?.payment_id ?? second.payment_id,
        reason: 'Bounced',
      })
  }
}

/** The data of a success; undefined if the service was unavailable. */
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

/** Acknowledged writes that the database lacks, and whether the books balance. */
async function lookInto(dataDir: string, journal: Journal) {
  const postgres = await borrowEmbeddedPostgres({ dataDir })
  const client = new pg.Client({ ...postgres.owner, user: 'postgres' })
  await client.connect()
  try {
    const stored = new Set<string>()
    for (const [table, id] of Object.entries(places))
      for (const row of (await client.query(`select ${id} as id from ${table}`)).rows)
        stored.add(`${table} ${row.id}`)
    const tags = await client.query('select user_id, number_value from user_tags')
    const numbers = new Map(tags.rows.map(({ user_id, number_value }) => [user_id, Number(number_value)]))
    const lost = [
      ...[...journal.written.keys()].filter((key) => !stored.has(key)),
      ...[...journal.tags]
        .filter(([user_id, n]) => numbers.get(user_id) !== n)
        .map(([user_id]) => `tag ${user_id}`),
    ]
    const db = openDatabase(postgres.owner)
    const books = await checkLedger(db)
    const audit = await verifyAudit(db)
    await db.close()
    return { lost, books, audit }
  } finally {
    await client.end()
    await postgres.stop()
  }
}

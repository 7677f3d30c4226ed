import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createKeyring } from '../src/access/organizations/keyring.ts'
import { openDatabase } from '../src/database/database.ts'
import { migrate } from '../src/database/migrate.ts'
import { type PostgresAddress, startEmbeddedPostgres } from '../src/postgres/embedded-postgres.ts'
import { readyUrl, startOurs, stopChild } from './contestants/start.ts'
import { type GeneratedSchool, generateSchool, settle } from './data.ts'
import { type Caller, headersOf, runLoad } from './load.ts'
import { type Figure, figure, median, percentile, printTable, tell, writeJson } from './report.ts'
import { type Closer, makeFacets, makeReadModel, openAccount, settings } from './stage.ts'

/** Measures the feed: its lag, the cost of waiting readers, and the reading speed of a long feed. */
async function main(closers: Closer[]): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'string' },
      seconds: { type: 'string', default: '20' },
      events: { type: 'string', default: '1000000' },
    },
  })
  const stage = await setStage(closers)
  // A server that has just started compiles its code.
  await change(stage, 5, 'first')
  const figures = [
    await measureLag(stage, Number(values.seconds)),
    await measureWebhook(stage, Number(values.seconds)),
    await measureWaiters(stage, closers),
    ...(await measureLongFeed(stage, Number(values.events))),
  ]
  printTable(figures)
  if (values.json) await writeJson(values.json, figures)
}

interface Stage {
  url: string
  database: PostgresAddress
  /** The organization with changes. */
  school: GeneratedSchool
  /** Its feed has only events of this benchmark. */
  quiet: GeneratedSchool
  caller: Caller
  openCaller(): Promise<Caller>
}

async function setStage(closers: Closer[]): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-bench-'))
  closers.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const postgres = await startEmbeddedPostgres({ dataDir: folder, settings })
  closers.push(postgres.stop)
  const owner = openDatabase(postgres.owner)
  closers.push(async () => void owner.close())
  await migrate(postgres.owner)
  const size = { users: 5000, orders: 5000 }
  const make = (corp_id: string) => generateSchool(postgres.owner, owner, { corp_id, ...size })
  const [school, quiet] = [await make('bench-busy'), await make('bench-quiet')]
  await settle(postgres.owner)
  for (const { corp_id } of [school, quiet]) {
    await makeReadModel(owner, corp_id)
    await makeFacets(postgres.owner, corp_id)
  }
  const key = randomBytes(32)
  const keyring = createKeyring([key])
  const permissions = ['read', 'write', 'finance', 'admin']
  const openCaller = () => openAccount(owner, keyring, [school.corp_id, quiet.corp_id], { permissions })
  const caller = await openCaller()
  const server = startOurs(postgres.owner, key.toString('hex'), join(folder, 'ours.log'), {
    // The receiver of this benchmark is on this machine.
    settings: { MATRICULA_PRIVATE_WEBHOOKS: 'true' },
  })
  closers.push(() => stopChild(server))
  return { url: await readyUrl(server), database: postgres.owner, school, quiet, caller, openCaller }
}

const agent = new Agent({ keepAlive: true, maxSockets: 1000 })

interface Page {
  list: { request_id: string }[]
  next_cursor: string
  newest_cursor: string
  has_more: boolean
}

/** The data of a success. */
function call<Data = Page>(
  url: string,
  caller: Caller,
  path: string,
  body?: object,
  requestId?: string,
): Promise<Data> {
  return new Promise((resolve, reject) => {
    const headers = { ...headersOf(caller), ...(requestId && { 'x-request-id': requestId }) }
    const sent = request(`${url}/api/v5/entity/${path}`, { agent, method: body ? 'POST' : 'GET', headers })
    sent.on('error', reject).on('response', async (response) => {
      const text = Buffer.concat(await Array.fromAsync(response)).toString()
      if (response.statusCode === 200) resolve(JSON.parse(text).data)
      else reject(new Error(`${path}: ${text}`))
    })
    sent.end(body && JSON.stringify(body))
  })
}

function listPath({ corp_id }: GeneratedSchool, query: Record<string, string>): string {
  return `event/list?${new URLSearchParams({ corp_id, ...query })}`
}

const changesPerSecond = 200

/** Makes changes at a steady rate. Resolves with the response time of each, by request id. */
async function change(stage: Stage, seconds: number, name: string): Promise<Map<string, number>> {
  const { url, caller, school } = stage
  const answeredAtMs = new Map<string, number>()
  const beganMs = performance.now()
  const writes: Promise<void>[] = []
  for (let n = 0; n < changesPerSecond * seconds; n++) {
    const dueMs = beganMs + (n * 1000) / changesPerSecond
    await setTimeout(Math.max(0, dueMs - performance.now()))
    const id = `${name}-${n}`
    const body = { corp_id: school.corp_id, email: `${id}@example.com` }
    const write = call(url, caller, 'user/create', body, id).then(
      () => void answeredAtMs.set(id, performance.now()),
    )
    // A failure ends the measurement below. Unhandled until then, it would end this process and leave the server behind.
    write.catch(() => undefined)
    writes.push(write)
  }
  await Promise.all(writes)
  return answeredAtMs
}

function lagFigure(
  to: string,
  answered: Map<string, number>,
  seen: Map<string, number>,
  target: string,
): Figure {
  const lags = [...answered].map(([id, ms]) => Math.max(0, seen.get(id)! - ms))
  const p95 = percentile(lags, 0.95)
  tell(`${to}: ${lags.length} changes, lag ${median(lags).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`)
  return figure(`commit to ${to}, ${changesPerSecond} changes/s`, 'p95 ms', p95, target)
}

/** From the response to a change until a waiting reader has its event. */
async function measureLag(stage: Stage, seconds: number): Promise<Figure> {
  const { url, caller, school } = stage
  const { newest_cursor } = await call(url, caller, listPath(school, { limit: '1' }))
  const seen = new Map<string, number>()
  const reader = (async () => {
    let after = newest_cursor
    while (seen.size < changesPerSecond * seconds) {
      const page = await call(url, caller, listPath(school, { after, limit: '1000', wait_seconds: '5' }))
      // Events of the changes before may still follow.
      for (const { request_id } of page.list)
        if (request_id.startsWith('feed-')) seen.set(request_id, performance.now())
      after = page.next_cursor
    }
  })()
  const answered = await change(stage, seconds, 'feed')
  await reader
  return lagFigure('event/list', answered, seen, '≤ 100')
}

/** From the response to a change until a webhook has its event. */
async function measureWebhook(stage: Stage, seconds: number): Promise<Figure> {
  const { url, caller, school } = stage
  const seen = new Map<string, number>()
  const all = Promise.withResolvers<void>()
  const receiver = createServer(async (request, response) => {
    const text = Buffer.concat(await Array.fromAsync(request)).toString()
    const { data } = JSON.parse(text) as { data: { request_id: string } }
    seen.set(data.request_id, performance.now())
    response.writeHead(204).end()
    if (seen.size === changesPerSecond * seconds) all.resolve()
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  const wanted = { corp_id: school.corp_id, url: `http://127.0.0.1:${port}/`, types: ['user.created'] }
  const { endpoint_id } = await call<{ endpoint_id: string }>(url, caller, 'webhook/endpoint/create', wanted)
  const answered = await change(stage, seconds, 'webhook')
  await all.promise
  await call(url, caller, 'webhook/endpoint/remove', { corp_id: school.corp_id, endpoint_id })
  receiver.close()
  receiver.closeAllConnections()
  return lagFigure('webhook', answered, seen, '≤ 500')
}

const readers = 500
const readersPerAccount = 4

/** Waiting readers of several accounts, concurrent with reads of another account. */
async function measureWaiters(stage: Stage, closers: Closer[]): Promise<Figure> {
  const { url, school, caller } = stage
  const callers: Caller[] = []
  for (let n = 0; n < readers / readersPerAccount; n++) callers.push(await stage.openCaller())
  const requests = Array.from({ length: 2000 }, (_, n) => ({
    method: 'GET' as const,
    path: `/api/v5/entity/order/fetch?${new URLSearchParams({ corp_id: school.corp_id, order_id: school.orderId(1 + n) })}`,
  }))
  const rate = async () => {
    const load = { url, caller, requests, connections: 64, seconds: 3, firstNumber: 1 }
    const { perSecond, failed } = await runLoad(load)
    if (failed > 0) throw new Error(`${failed} reads failed`)
    return perSecond
  }
  await rate()
  const ratios: number[] = []
  for (let round = 0; round < 4; round++) {
    const alone = await rate()
    const waiting = startReaders(stage, callers)
    await setTimeout(1000)
    const beside = await rate()
    await waiting.stop()
    tell(`order/fetch: ${beside.toFixed(0)}/s beside ${readers} waiting readers, ${alone.toFixed(0)}/s alone`)
    ratios.push(beside / alone)
  }
  closers.push(async () => agent.destroy())
  return figure(`order/fetch beside ${readers} waiting readers`, '÷ alone', median(ratios), '≥ 0.95')
}

function startReaders({ url, quiet }: Stage, callers: Caller[]): { stop(): Promise<void> } {
  let isOver = false
  const wait = async (caller: Caller) => {
    const { newest_cursor } = await call(url, caller, listPath(quiet, { limit: '1' }))
    const path = listPath(quiet, { after: newest_cursor, wait_seconds: '5' })
    while (!isOver) await call(url, caller, path)
  }
  const waiting = callers.flatMap((caller) => Array.from({ length: readersPerAccount }, () => wait(caller)))
  return {
    async stop() {
      isOver = true
      await Promise.all(waiting)
    },
  }
}

const pageSize = 1000

async function measureLongFeed({ url, database, quiet, caller }: Stage, events: number): Promise<Figure[]> {
  await fillFeed(database, quiet.corp_id, events)
  const pageMs: number[] = []
  let after: string | undefined
  let read = 0
  for (let hasMore = true; hasMore; ) {
    const beganMs = performance.now()
    const page = await call(
      url,
      caller,
      listPath(quiet, { limit: String(pageSize), ...(after && { after }) }),
    )
    pageMs.push(performance.now() - beganMs)
    read += page.list.length
    after = page.next_cursor
    hasMore = page.has_more
  }
  if (read !== events) throw new Error(`${read} of ${events} events were read`)
  const seconds = pageMs.reduce((sum, ms) => sum + ms, 0) / 1000
  const edge = Math.floor(pageMs.length / 10)
  const ratio = median(pageMs.slice(-edge)) / median(pageMs.slice(edge, 2 * edge))
  tell(`${read} events in ${seconds.toFixed(1)} s; the last pages took ${ratio.toFixed(2)} of the first`)
  const work = `feed of ${events} events`
  return [
    figure(work, 'events/s of one reader', read / seconds, '≥ 20000'),
    figure(work, 'last pages ÷ first pages', ratio, '≤ 1.3'),
  ]
}

async function fillFeed(postgres: PostgresAddress, corp_id: string, events: number): Promise<void> {
  const client = new pg.Client({ ...postgres, user: 'postgres' })
  await client.connect()
  await client.query('delete from events where corp_id = $1', [corp_id])
  await client.query(
    `insert into events (corp_id, seq, event_id, type, at, record_type, record_id, version, changed, related, actor_kind,
                         actor_id, request_id)
     select $1, n, md5(n::text) || '-1', (array['order.updated', 'user.updated', 'payment.recorded'])[1 + n % 3], now(),
            'user', md5((n % 5000)::text), 1, '["name", "email", "owner_ids"]',
            jsonb_build_object('user_id', md5((n % 5000)::text)), 'account', 'bench', md5(n::text)
       from generate_series(1, $2::integer) n`,
    [corp_id, events],
  )
  await client.query(
    `insert into event_feeds (corp_id, epoch, length, linked)
     values ($1, '0', $2, (select coalesce(max(length), 0) from audit_heads where corp_id = $1))
     on conflict (corp_id) do update set length = excluded.length, pruned = 0`,
    [corp_id, events],
  )
  await client.query('vacuum analyze events')
  await client.end()
}

const closers: Closer[] = []
try {
  await main(closers)
} finally {
  for (const close of closers.reverse()) await close()
}
process.exit()

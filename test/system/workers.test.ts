import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKeyring } from '../../src/access/organizations/keyring.ts'
import { createAccount } from '../../src/access/organizations/manage-accounts.ts'
import { signatureOf } from '../../src/access/tokens/signature.ts'
import { newId } from '../../src/contract/new-id.ts'
import { openDatabase } from '../../src/database/database.ts'
import { borrowEmbeddedPostgres } from '../../src/postgres/embedded-postgres.ts'
import {
  cleanUp,
  postmasterOf,
  type ServiceProcess,
  settledDataDir,
  startService,
  waitUntil,
} from '../harness/process.ts'
import { childrenOf, isRunning } from '../harness/processes.ts'

interface Credentials {
  app_id: string
  user_api_secret: string
}

const corp_id = 'lakeside'
const settings = { MATRICULA_WORKERS: '2', MATRICULA_LOG_LEVEL: 'info' }
let dataDir: string
let service: ServiceProcess
let url: string
let token: string

beforeAll(async () => {
  dataDir = await settledDataDir()
  await start()
})
afterAll(cleanUp)

async function start(): Promise<void> {
  service = startService({ ...settings, MATRICULA_DATA: dataDir })
  url = await service.ready
  token = await tokenOf(JSON.parse(await readFile(join(dataDir, 'sample.json'), 'utf8')))
}

/** Child processes of the first one that run the service. PostgreSQL is a child too. */
function workers(): number[] {
  return childrenOf(service.pid).filter((pid) => pid !== postmasterOf(dataDir))
}

describe('two workers', () => {
  test('both answer on one port, which was announced once', async () => {
    expect(workers()).toHaveLength(2)
    await Promise.all(Array.from({ length: 40 }, () => get('/healthz')))
    const served = () =>
      new Set(linesOf(service).flatMap(({ msg, worker }) => (msg === 'request' ? [worker] : [])))
    expect(await waitUntil(() => served().size === 2, 5000)).toBe(true)
    expect(service.stdout().match(/Matricula is ready/g)).toHaveLength(1)
  })

  test('/metrics of either is the sum of both', async () => {
    const before = await requestsCounted()
    await Promise.all(Array.from({ length: 30 }, () => verify(token)))
    for (let n = 0; n < 6; n++) expect(await requestsCounted()).toBe(before + 30)
  })

  test('the limit of an account applies to all workers together', async () => {
    const limited = await accountWith({ rate_limit_per_minute: 20 })
    const limitedToken = await tokenOf(limited)
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify(limitedToken)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(20)
    expect(answers.filter(({ code }) => code === 42901)).toHaveLength(30)
    const left = answers.map(({ headers }) => Number(headers.get('ratelimit-remaining')))
    expect(left.toSorted((a, b) => b - a).slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, n) => 19 - n))
  })

  test('failed signatures are counted over both workers', async () => {
    const { app_id } = await accountWith({})
    const guess = { app_id, user_api_secret: 'guess' }
    for (let n = 0; n < 10; n++) expect((await requestToken(guess)).code).toBe(40105)
    for (let n = 0; n < 4; n++) expect((await requestToken(guess)).code).toBe(42901)
  })

  test('a walk with pages of both workers misses no row while rows move', async () => {
    const query = { time_range_type: 'modify', page_size: '20' }
    const all = new Set<string>()
    const seen = new Set<string>()
    const first = await list({ ...query, page_size: '1000' })
    for (const { entity_id } of first.list) all.add(entity_id)
    // Each page comes from both workers: either continues after the page of the other.
    for (let page = 0; ; page++) {
      const { list: rows } = await list({ ...query, page: String(page) })
      for (const { entity_id } of rows) seen.add(entity_id)
      if (rows.length === 0) break
      // Moves a read row to the end, so all rows after it move up by one.
      await remark(rows[0]!.entity_id)
      if (page > 60) throw new Error('the walk does not end')
      if (seen.size === all.size) break
    }
    expect([...all].filter((id) => !seen.has(id))).toEqual([])
    const pages = () => linesOf(service).filter((line) => line.operation === 'listOrders')
    expect(await waitUntil(() => new Set(pages().map(({ worker }) => worker)).size === 2, 5000)).toBe(true)
  })

  test('a killed worker is replaced; acknowledged writes are kept, and only calls in flight fail', async () => {
    const [victim] = workers()
    const acknowledged: string[] = []
    const failedAfterwards: unknown[] = []
    let isOver = false
    const writers = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const create = () =>
          call('/api/v5/entity/user/create', { corp_id, email: `${newId()}@example.com` }).catch(
            (error) => error,
          )
        const isAfterwards = !isRunning(victim!)
        let answer = await create()
        // On a stalled machine a worker may have to be restarted, as at any time.
        if (isAfterwards && answer.code !== 0) answer = await create()
        if (answer.code === 0) acknowledged.push(answer.data.user_id)
        else if (isAfterwards) failedAfterwards.push(answer)
      }
    })
    await waitUntil(() => acknowledged.length > 20, 20_000)
    process.kill(victim!, 'SIGKILL')
    const atKill = acknowledged.length
    expect(await waitUntil(() => workers().length === 2 && !workers().includes(victim!), 20_000)).toBe(true)
    expect(await haveListened(3)).toBe(true)
    await waitUntil(() => acknowledged.length > atKill + 20, 20_000)
    isOver = true
    await Promise.all(writers)
    expect(failedAfterwards).toEqual([])
    for (const user_id of acknowledged) expect(await profileCode(user_id)).toBe(0)
    expect(linesOf(service).some(({ msg }) => /worker ended unexpectedly/.test(msg))).toBe(true)
  })

  test('the counts of a killed worker stay in the sum', async () => {
    const before = await requestsCounted()
    process.kill(workers()[0]!, 'SIGKILL')
    expect(await haveListened(4)).toBe(true)
    expect(await requestsCounted()).toBeGreaterThanOrEqual(before)
  })

  test('another server cannot use the shared port', async () => {
    const { port } = new URL(url)
    const second = startService({ ...settings, MATRICULA_DATA: await settledDataDir(), PORT: port })
    expect(await second.exited).toMatchObject({ code: 1 })
    expect(second.stderr()).toContain(`Port ${port} on 127.0.0.1 is already in use: set PORT to another one.`)
    expect((await get('/readyz')).status).toBe(200)
  })

  test('SIGTERM lets the workers finish, no process stays, and every request is in the log', async () => {
    const pids = workers()
    const ids = Array.from({ length: 300 }, (_, n) => `last-${n}`)
    const calls = ids.map((id) => fetch(`${url}/healthz`, { headers: { 'X-Request-Id': id } }))
    for (const response of await Promise.all(calls)) expect(response.status).toBe(200)
    expect(await service.stop('SIGTERM')).toEqual({ code: 0, signal: null })
    const logged = new Set(linesOf(service).map(({ request_id }) => request_id))
    expect(ids.filter((id) => !logged.has(id))).toEqual([])
    expect(pids.filter(isRunning)).toEqual([])
    expect(postmasterOf(dataDir)).toBeUndefined()
  })

  test('the workers end with a killed first process, and the next start works', async () => {
    await start()
    const pids = workers()
    service.kill('SIGKILL')
    await service.exited
    expect(await waitUntil(() => pids.every((pid) => !isRunning(pid)), 5000)).toBe(true)
    await start()
    expect((await get('/readyz')).status).toBe(200)
    expect(await service.stop()).toEqual({ code: 0, signal: null })
  })
})

test('workers that die repeatedly at their start end the server with a sentence', async () => {
  const doomed = startService({ ...settings, MATRICULA_DATA: dataDir })
  await doomed.ready
  let isOver = false
  doomed.exited.then(() => {
    isOver = true
  })
  await waitUntil(() => {
    for (const pid of childrenOf(doomed.pid)) if (pid !== postmasterOf(dataDir)) kill(pid)
    return isOver
  }, 30_000)
  expect((await doomed.exited).code).toBe(1)
  expect(doomed.stderr()).toMatch(/^Workers keep ending right after their start \(.+\)\.$/m)
  expect(postmasterOf(dataDir)).toBeUndefined()
})

test('a server with one worker is one process', async () => {
  const single = startService({ ...settings, MATRICULA_WORKERS: '1', MATRICULA_DATA: dataDir })
  const base = await single.ready
  expect((await fetch(`${base}/readyz`)).status).toBe(200)
  expect(childrenOf(single.pid)).toEqual([postmasterOf(dataDir)])
  expect((await single.stop()).code).toBe(0)
})

interface Answer {
  status: number
  headers: Headers
  code: number
  // biome-ignore lint/suspicious/noExplicitAny: data of every shape.
  data: any
}

/** A separate connection for each call, so that calls are spread over the workers. */
async function get(path: string, bearer = token): Promise<Answer> {
  const headers = { Authorization: `Bearer ${bearer}`, Connection: 'close' }
  const response = await fetch(`${url}${path}`, { headers })
  return { ...((await response.json()) as Answer), status: response.status, headers: response.headers }
}

async function call(path: string, body: object): Promise<Answer> {
  const headers = {
    Authorization: `Bearer ${token}`,
    Connection: 'close',
    'Content-Type': 'application/json',
  }
  // A call without a response must fail the test, not block it.
  const signal = AbortSignal.timeout(60_000)
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers,
    signal,
    body: JSON.stringify(body),
  })
  return (await response.json()) as Answer
}

const verify = (bearer: string) => get('/api/v5/authentication/verify', bearer)

async function list(query: Record<string, string>): Promise<{ list: { entity_id: string }[] }> {
  return (await get(`/api/v5/entity/order/list?${new URLSearchParams({ corp_id, ...query })}`)).data
}

async function remark(order_id: string): Promise<void> {
  const answer = await call('/api/v5/entity/order/remark/create', { corp_id, order_id, content: 'Moved' })
  expect(answer.code).toBe(0)
}

async function profileCode(user_id: string): Promise<number> {
  return (await get(`/api/v5/entity/profile/fetch?${new URLSearchParams({ corp_id, user_id })}`)).code
}

async function requestToken({ app_id, user_api_secret }: Credentials): Promise<Answer> {
  const time_stamp = String(Math.floor(Date.now() / 1000))
  const signature = signatureOf(app_id, time_stamp, user_api_secret)
  return call('/api/v5/authentication/token', { app_id, time_stamp, signature })
}

async function tokenOf(credentials: Credentials): Promise<string> {
  return (await requestToken(credentials)).data.token
}

async function accountWith(wanted: { rate_limit_per_minute?: number }): Promise<Credentials> {
  const postgres = await borrowEmbeddedPostgres({ dataDir })
  const db = openDatabase({ ...postgres.owner, max: 1 })
  const key = Buffer.from((await readFile(join(dataDir, 'master.key'), 'utf8')).trim(), 'hex')
  try {
    return await createAccount(
      db,
      createKeyring([key]),
      { name: 'Test', corp_ids: [corp_id], ...wanted },
      new Date(),
    )
  } finally {
    await db.close()
    await postgres.stop()
  }
}

/** The number of verify calls in the metrics. */
async function requestsCounted(): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { Connection: 'close' } })
  const counted = /^matricula_requests_total\{operation="verifyToken",code="0"\} (\d+)$/m.exec(
    await response.text(),
  )
  return Number(counted?.[1] ?? 0)
}

interface LogLine {
  msg: string
  request_id?: string
  worker?: number
  operation?: string
}

/** Whether this many workers have listened since the start. */
function haveListened(count: number): Promise<boolean> {
  return waitUntil(() => linesOf(service).filter(({ msg }) => msg === 'listening').length >= count, 60_000)
}

function linesOf({ stderr }: ServiceProcess): LogLine[] {
  return stderr()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line))
}

/** A worker that has already ended counts as well. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

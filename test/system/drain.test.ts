import { Agent, type IncomingMessage, request } from 'node:http'
import { BoundSocket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createAccount } from '../../src/access/organizations/manage-accounts.ts'
import { signatureOf } from '../../src/access/tokens/signature.ts'
import { newId } from '../../src/contract/new-id.ts'
import { attemptsOf, noteAttempts } from '../harness/attempts.ts'
import { newDataDir } from '../harness/data-folders.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { isCrowded } from '../harness/is-crowded.ts'
import { masterKeyText, testKeyring } from '../harness/keyring.ts'
import { cleanUp, type ServiceProcess, startOnPort, startService } from '../harness/process.ts'
import { freePorts, isNginxInstalled, type ReverseProxy, startNginx, startProxy } from '../harness/proxy.ts'

/** 50 and 200 with `npm run test:faults -- drains`. */
const restarts = attemptsOf('MATRICULA_SERVER_RESTARTS', 2)
const writesPerSecond = attemptsOf('MATRICULA_WRITES_PER_SECOND', 50)

let database: TestDatabase
let corp_id: string
let credentials: { app_id: string; user_api_secret: string }
beforeAll(async () => {
  database = await createTestDatabase('sample')
  ;({ corp_id } = database.sample!)
  const wanted = { name: 'Writer', corp_ids: [corp_id], rate_limit_per_minute: null }
  credentials = await createAccount(database.owner, testKeyring, wanted, new Date())
})
afterEach(cleanUp)
afterAll(() => database?.drop())

describe('after SIGTERM', () => {
  test.for([1, 2])(
    'with %i workers, /readyz says so, readers end with their cursor, and requests are served until the end',
    async (workers) => {
      // Longer than the test: the second signal ends it.
      const service = await start({ MATRICULA_WORKERS: `${workers}`, MATRICULA_DRAIN_MS: '600000' })
      const url = await service.ready
      const token = await tokenOf(url)
      const feed = `/api/v5/entity/event/list?corp_id=${corp_id}`
      const { data: page } = await call(url, `${feed}&limit=1`, token)
      const after = encodeURIComponent(page.newest_cursor)
      // A type that does not occur here: the start of a server causes other events, and readers would not wait.
      const never = `after=${after}&types=ping`
      const reader = call(url, `${feed}&${never}&wait_seconds=30`, token)
      const stream = await open(url, `/api/v5/entity/event/stream?corp_id=${corp_id}&${never}`, token)
      const beganMs = performance.now()
      service.kill('SIGTERM')

      expect((await reader).data).toMatchObject({ list: [], next_cursor: expect.any(String) })
      const streamed = Buffer.concat(await stream.toArray()).toString()
      expect(streamed).toMatch(/^id: \S+$/m)
      // Earlier than the reader asked for.
      expect(performance.now() - beganMs).toBeLessThan(25_000)
      expect((await fetch(`${url}/readyz`)).status).toBe(503)
      const response = await open(url, feed, token)
      expect([response.statusCode, response.headers.connection]).toEqual([200, 'keep-alive'])
      response.resume()
      expect((await createUser(url, token)).code).toBe(0)
      expect(await service.stop('SIGINT')).toEqual({ code: 0, signal: null })
    },
  )

  test('SIGINT does not drain', async () => {
    const service = await start({ MATRICULA_DRAIN_MS: '600000' })
    await service.ready
    expect(await service.stop('SIGINT')).toEqual({ code: 0, signal: null })
  })
})

test.for([1, 2])(
  'a server with %i workers restarts on a port that systemd keeps: requests wait, and none fails',
  { timeout: 3_600_000 },
  async (workers) => {
    const port = new BoundSocket({ host: '127.0.0.1' })
    const url = `http://127.0.0.1:${port.address().port}`
    const settings = await settingsOf({ MATRICULA_WORKERS: `${workers}`, MATRICULA_DRAIN_MS: '500' })
    let service = startOnPort(port, settings)
    await service.ready
    const writing = await writeThrough(url)
    for (let n = 0; n < restarts; n++) {
      expect(await service.stop('SIGTERM')).toEqual({ code: 0, signal: null })
      service = startOnPort(port, settings)
      await service.ready
    }
    const { acknowledged, failures, made } = await writing.end()
    await service.stop('SIGINT')
    port.close()
    noteAttempts(`restarts on a kept port, ${workers} workers`, restarts, failures.length, made)
    expect(failures).toEqual([])
    expect(await missingOf(acknowledged)).toEqual([])
  },
)

interface Restarted {
  name: string
  startIt(ports: number[]): Promise<ReverseProxy>
  /** Whether systemd keeps the ports: otherwise closing one may reset a connection that was just opened. */
  keepsPorts: boolean
}

describe('two servers behind a proxy are restarted one after the other, and no request fails', async () => {
  const hasNginx = await isNginxInstalled()
  if (!hasNginx) console.warn('NOT RUN: restarts behind nginx, which is not installed.')
  const asking = (ports: number[]) => startProxy(ports, 'checks')
  const unaware = (ports: number[]) => startProxy(ports, 'refusals')
  const proxies: Restarted[] = [
    { name: 'one that asks /readyz', startIt: asking, keepsPorts: false },
    hasNginx
      ? { name: 'nginx, on ports that systemd keeps', startIt: startNginx, keepsPorts: true }
      : { name: 'one without checks, on ports that systemd keeps', startIt: unaware, keepsPorts: true },
  ]

  test.for(proxies)('$name', { timeout: 3_600_000 }, async ({ name, startIt, keepsPorts }) => {
    const held = keepsPorts ? [1, 2].map(() => new BoundSocket({ host: '127.0.0.1' })) : undefined
    const ports = held?.map((socket) => socket.address().port) ?? (await freePorts(2))
    const startOn = async (index: number) => {
      const settings = await settingsOf({ PORT: `${ports[index]}`, MATRICULA_DRAIN_MS: '1000' })
      return held ? startOnPort(held[index]!, settings) : startService(settings)
    }
    const services = await Promise.all([startOn(0), startOn(1)])
    for (const service of services) await service.ready
    const proxy = await startIt(ports)
    const writing = await writeThrough(proxy.url)
    for (let n = 0; n < restarts; n++) {
      const index = n % services.length
      expect(await services[index]!.stop('SIGTERM')).toEqual({ code: 0, signal: null })
      services[index] = await startOn(index)
      await services[index]!.ready
      await proxy.knowsAll()
    }
    const { acknowledged, failures, made } = await writing.end()
    await proxy.close()
    for (const socket of held ?? []) socket.close()
    noteAttempts(`restarts behind ${name}`, restarts, failures.length, made)
    expect(failures).toEqual([])
    expect(acknowledged.length).toBeGreaterThan(restarts * 20)
    expect(await missingOf(acknowledged)).toEqual([])
  })
})

async function settingsOf(settings: Record<string, string>): Promise<Record<string, string>> {
  return {
    ...database.settings,
    MATRICULA_DATA: await newDataDir(),
    MATRICULA_KEY: masterKeyText,
    MATRICULA_LOG_LEVEL: 'warn',
    ...settings,
  }
}

async function start(settings: Record<string, string>): Promise<ServiceProcess> {
  return startService(await settingsOf(settings))
}

/** Writes at a fixed rate, whether or not earlier writes have been answered. */
async function writeThrough(url: string) {
  const token = await tokenOf(url)
  const acknowledged: string[] = []
  const failures: unknown[] = []
  const underWay = new Set<Promise<void>>()
  let crowded = 0
  const write = async (): Promise<void> => {
    const answer = await createUser(url, token).catch((error) => ({ code: error.message, data: undefined }))
    if (isCrowded(answer)) {
      crowded++
      await pause(1000)
      return write()
    }
    if (answer.code === 0) acknowledged.push(answer.data.user_id)
    else failures.push(answer)
  }
  const begunMs = performance.now()
  let begun = 0
  const timer = setInterval(() => {
    for (; begun < ((performance.now() - begunMs) * writesPerSecond) / 1000; begun++) {
      const written = write().finally(() => underWay.delete(written))
      underWay.add(written)
    }
  }, 5)
  return {
    async end() {
      clearInterval(timer)
      await Promise.all(underWay)
      return {
        acknowledged,
        failures,
        made: `${acknowledged.length} writes, ${crowded} refused for load and repeated`,
      }
    },
  }
}

async function missingOf(ids: string[]): Promise<string[]> {
  const { rows } = await database.superuser.query('select user_id from users where user_id = any($1)', [ids])
  const found = new Set(rows.map(({ user_id }) => user_id))
  return ids.filter((id) => !found.has(id))
}

const kept = new Agent({ keepAlive: true, maxSockets: 32 })
afterAll(() => kept.destroy())

interface Envelope {
  code: number
  msg?: string
  // biome-ignore lint/suspicious/noExplicitAny: data of several shapes.
  data: any
}

function createUser(url: string, token: string): Promise<Envelope> {
  return call(url, '/api/v5/entity/user/create', token, { corp_id, email: `${newId()}@example.com` })
}

async function tokenOf(url: string): Promise<string> {
  const { app_id, user_api_secret } = credentials
  const time_stamp = String(Date.now())
  const signature = signatureOf(app_id, time_stamp, user_api_secret)
  const body = { app_id, time_stamp, signature }
  return (await call(url, '/api/v5/authentication/token', '', body)).data.token
}

async function call(url: string, path: string, token: string, body?: object): Promise<Envelope> {
  const response = await open(url, path, token, body)
  const text = Buffer.concat(await response.toArray()).toString()
  if (response.headers['content-type']?.includes('json')) return JSON.parse(text)
  throw new Error(`${response.statusCode} ${text}`)
}

function open(url: string, path: string, token: string, body?: object): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) }
    const options = { method: body ? 'POST' : 'GET', agent: kept, headers }
    request(`${url}${path}`, options, resolve)
      .on('error', reject)
      .end(body && JSON.stringify(body))
  })
}

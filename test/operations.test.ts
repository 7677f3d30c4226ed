import { once } from 'node:events'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createAuth } from '../src/access/tokens/auth.ts'
import { signatureOf } from '../src/access/tokens/signature.ts'
import { newId } from '../src/contract/new-id.ts'
import { openDatabase } from '../src/database/database.ts'
import { wantedSchema } from '../src/database/migrate.ts'
import { endpoints } from '../src/endpoints.ts'
import type { Services } from '../src/server/call.ts'
import { createHttpServer, type HttpOptions, type HttpServer } from '../src/server/http-server.ts'
import { listen } from '../src/server/listen.ts'
import { createLog } from '../src/server/log.ts'
import { createServerMemory } from '../src/server/server-memory.ts'
import { createTestDatabase, type TestDatabase } from './harness/database.ts'
import { testKeyring } from './harness/keyring.ts'
import { waitUntil } from './harness/process.ts'

const sample = inject('sample')
let database: TestDatabase
let log: string[]
let server: Server
let token: string

beforeAll(async () => {
  database = await createTestDatabase('sample')
  log = []
  server = await startServer({}, { log: createLog('trace', { write: (line) => void log.push(line) }) })
  token = await obtainToken(server)
})

afterAll(async () => {
  await server.close()
  await database.drop()
})

describe('probes', () => {
  test('/healthz and /readyz answer in the envelope', async () => {
    expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({
      code: 0,
      msg: 'success',
      data: { status: 'alive', is_read_only: false },
    })
    const ready = { status: 'ready', schema: await wantedSchema(), is_read_only: false }
    expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({
      code: 0,
      msg: 'success',
      data: ready,
    })
  })

  test('/readyz is 503 on another schema, while stopping and without a database; /healthz stays', async () => {
    const away = openDatabase({ host: '127.0.0.1', port: 1, user: 'x', database: 'x' })
    for (const services of [
      { wantedSchema: (await wantedSchema()) + 1 },
      { isDraining: () => true },
      { db: away },
    ]) {
      const unready = await startServer(services)
      const response = await fetch(`${unready.url}/readyz`)
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toMatch(/^[0-9]+$/)
      expect(await response.json()).toMatchObject({ code: 50301, data: { errors: [] } })
      expect((await fetch(`${unready.url}/healthz`)).status).toBe(200)
      await unready.close()
    }
    await away.close()
  })

  test('/metrics counts per operation and code, and no label holds data', async () => {
    const email = `${newId()}@example.com`
    await call('entity/user/create', { corp_id: sample.corp_id, email })
    await call('entity/user/create', { corp_id: sample.corp_id })
    await fetch(`${server.url}/nowhere/${email}?email=${email}`)
    const response = await fetch(`${server.url}/metrics`)
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
    const text = await response.text()
    expect(text).toMatch(/^matricula_requests_total\{operation="createUser",code="0"\} [1-9]/m)
    expect(text).toMatch(/^matricula_requests_total\{operation="createUser",code="40001"\} [1-9]/m)
    expect(text).toMatch(/^matricula_requests_total\{operation="other",code="40404"\} [1-9]/m)
    expect(text).toMatch(/^matricula_request_seconds_bucket\{le="0\.05",operation="createUser"\} /m)
    for (const state of ['open', 'idle', 'waiting']) {
      expect(text).toMatch(new RegExp(`^matricula_pool_connections\\{state="${state}"\\} \\d`, 'm'))
    }
    const labels = new Set([...text.matchAll(/(operation|code)="([^"]*)"/g)].map(([, , value]) => value))
    const known = new Set(['other', ...endpoints.map(({ id }) => id)])
    for (const label of labels) expect(known.has(label!) || /^(0|[45]\d{4})$/.test(label!)).toBe(true)
    expect(text).not.toContain(email)
    expect(text).not.toContain(sample.app_id)
  })
})

test('a database that keeps a call waiting too long is 503, and the next call works', async () => {
  const { host, port } = inject('postgres')
  const role = { host, port, user: 'matricula_app', database: database.name }
  const db = openDatabase({ ...role, lock_timeout: 200, statement_timeout: 5000, max: 2 })
  const impatient = await startServer({ db })
  const blocker = await database.superuser.connect()
  const body = { corp_id: sample.corp_id, email: `${newId()}@example.com` }
  try {
    await blocker.query('begin; lock table users in access exclusive mode')
    const response = await post(impatient, 'entity/user/create', body)
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toMatch(/^[0-9]+$/)
  } finally {
    await blocker.query('rollback')
    blocker.release()
  }
  expect((await post(impatient, 'entity/user/create', body)).status).toBe(200)
  await impatient.close()
  await db.close()
})

describe('the log', () => {
  test('has every request with its id, and no name, contact or secret', async () => {
    const secrets = await runScenario()
    const lines = await linesWith('probe-after-scenario')
    const requests = lines.filter(({ msg }) => msg === 'request')
    expect(requests.length).toBeGreaterThan(10)
    for (const line of requests) {
      expect(line).toMatchObject({ request_id: expect.any(String), operation: expect.any(String) })
    }
    const codes = new Set(requests.map(({ code }) => code))
    for (const code of [0, 40002, 40102, 40105, 40404, 40901, 50001]) expect(codes).toContain(code)
    for (const line of lines) {
      if (line.err) expect(line).toMatchObject({ request_id: expect.any(String) })
    }
    const text = log.join('')
    for (const secret of secrets) expect(text).not.toContain(secret)
    expect(text).not.toContain('?')
  })

  test('the request id of the caller is in the log and in the response', async () => {
    const headers = { 'X-Request-Id': 'caller-42' }
    const response = await fetch(`${server.url}/api/v5/authentication/verify`, { headers })
    expect(response.headers.get('x-request-id')).toBe('caller-42')
    expect(await response.json()).toMatchObject({ data: { request_id: 'caller-42' } })
    const lines = await linesWith('caller-42')
    expect(lines.some(({ request_id }) => request_id === 'caller-42')).toBe(true)
    const odd = await fetch(`${server.url}/healthz`, { headers: { 'X-Request-Id': 'a b\t"' } })
    expect(odd.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/)
  })
})

describe('an invalid request', () => {
  test.for([
    ['broken HTTP', 'NONSENSE\r\n\r\n', 400],
    ['a method that does not exist', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['oversized headers', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    [
      'two lengths',
      'POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
    ],
    ['no host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['an address that is no address', 'GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
  ] as const)('%s is answered in the envelope', async ([, bytes, status]) => {
    const answer = await exchange(server, bytes)
    expect(answer.status).toBe(status)
    expect(Object.keys(answer.body)).toEqual(['code', 'msg', 'data'])
    expect(Math.floor(answer.body.code / 100)).toBe(status)
    const read = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(answer.head)?.[1]?.trim()
    expectSecurityHeaders(read)
    expect(read('x-request-id')).toBe(answer.body.data.request_id)
  })

  test('an unknown expectation is ignored', async () => {
    const answer = await exchange(
      server,
      'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n',
    )
    expect(answer).toMatchObject({ status: 200, body: { code: 0 } })
  })

  test('a body over the limit is 41301, with or without Content-Length', async () => {
    const small = await startServer({}, { bodyLimitBytes: 2000 })
    const body = JSON.stringify({ app_id: 'x'.repeat(3000) })
    const headers = { 'Content-Type': 'application/json' }
    const told = await fetch(`${small.url}/api/v5/authentication/token`, { method: 'POST', headers, body })
    expect([told.status, await told.json()]).toMatchObject([413, { code: 41301 }])
    const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    const untold = await exchange(
      small,
      `POST /api/v5/authentication/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunks}`,
    )
    expect(untold.body.code).toBe(41301)
    await small.close()
  })

  test('a body that arrives too slowly is cut off, and does not count as a fault of the database', async () => {
    const lines: string[] = []
    const impatient = await startServer(
      {},
      { requestTimeoutMs: 500, log: createLog('trace', { write: (line) => void lines.push(line) }) },
    )
    // The rest of the body never arrives: any response proves the limit.
    const answer = await exchange(
      impatient,
      'POST /api/v5/authentication/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    )
    expect(answer.body).toMatchObject({ code: 40002, data: { errors: [] } })
    await impatient.close()
    expect(lines.join('')).not.toContain('database')
  })

  test('a caller that disconnects during its body does not count as a fault of the database', async () => {
    const before = log.length
    const { port } = new URL(server.url)
    const accepted = once(server.http.server, 'request')
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      'POST /api/v5/authentication/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    )
    const [, response] = await accepted
    const ended = once(response, 'close')
    socket.resetAndDestroy()
    await ended
    // The server logs a call after its response has closed.
    await setImmediate()
    const levels = linesOf(log.slice(before)).map(({ level }) => level)
    expect(Math.max(0, ...levels)).toBeLessThan(40)
  })
})

test('every response carries the security headers, its id and the service version', async () => {
  for (const [path, init] of [
    ['/healthz', {}],
    ['/readyz', {}],
    ['/metrics', {}],
    ['/nowhere', {}],
    ['/docs', {}],
    ['/api/v5/authentication/token', { method: 'POST', body: '{' }],
    ['/api/v5/authentication/token', { method: 'DELETE' }],
    ['/api/v5/entity/order/list?corp_id=x', {}],
    [
      `/api/v5/entity/order/list?corp_id=${sample.corp_id}`,
      { headers: { Authorization: `Bearer ${token}` } },
    ],
  ] as [string, RequestInit][]) {
    const { headers } = await fetch(`${server.url}${path}`, init)
    expectSecurityHeaders((name) => headers.get(name) ?? undefined)
  }
})

interface LogLine {
  level: number
  msg: string
  request_id: string
  code?: number
  err?: object
}

function linesOf(written: string[]): LogLine[] {
  const lines = written.join('').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line))
}

/** The log up to a request; requests are written in groups. */
async function linesWith(requestId: string): Promise<LogLine[]> {
  await fetch(`${server.url}/healthz`, { headers: { 'X-Request-Id': requestId } })
  expect(await waitUntil(() => log.join('').includes(requestId), 5000)).toBe(true)
  return linesOf(log)
}

function expectSecurityHeaders(read: (name: string) => string | undefined): void {
  expect(read('x-content-type-options')).toBe('nosniff')
  expect(read('x-frame-options')).toBe('DENY')
  expect(read('referrer-policy')).toBe('no-referrer')
  expect(read('content-security-policy')).toMatch(/default-src '(none|self)'/)
  expect(read('x-service-version')).toMatch(/^Ver5\.\d{4}-\d{2}-\d{2}$/)
  expect(read('x-request-id')).toMatch(/^[A-Za-z0-9._-]+$/)
}

interface Server {
  http: HttpServer
  url: string
  close(): Promise<void>
}

async function startServer(services: Partial<Services>, options: Partial<HttpOptions> = {}): Promise<Server> {
  const http = createHttpServer(
    {
      db: database.app,
      auth: createAuth(database.app, testKeyring),
      memory: createServerMemory(),
      now: () => new Date(),
      newId,
      wantedSchema: await wantedSchema(),
      isReadOnly: () => false,
      isDraining: () => false,
      isLeaving: () => false,
      ...services,
    },
    {
      log: createLog('silent'),
      bodyLimitBytes: 1_048_576,
      requestTimeoutMs: 30_000,
      trustProxy: 0,
      dataDir: tmpdir(),
      ...options,
    },
  )
  const url = await listen(http.server, { host: '127.0.0.1', port: 0 })
  const close = () => {
    http.server.closeIdleConnections()
    return http.close()
  }
  return { http, url, close }
}

/** Successes, refusals and faults of every kind with personal data. Returns all values that must not be logged. */
async function runScenario(): Promise<string[]> {
  const { corp_id, app_id, user_api_secret } = sample
  const [mobile, otherMobile] = ['13912345678', '13987654321']
  const [email, otherEmail] = ['zhang.wei.private@example.com', 'li.na.private@example.com']
  const name = '张伟机密'
  const note = `note-${newId()}`
  const first = await call('entity/user/create', { corp_id, email })
  await call('entity/user/create', { corp_id, email: otherEmail })
  await call('entity/user/create', { corp_id, area_code: '86', mobile })
  await call('entity/user/email/update', { corp_id, user_id: first.data.user_id, email: otherEmail })
  await call('entity/user/create', { corp_id, area_code: '86', mobile: `${otherMobile}x` })
  await call('entity/leads/import', { corp_id, area_code: '86', mobile, name, form1_name: note })
  await call('entity/leads/import', { corp_id, user_id: first.data.user_id, area_code: '86', mobile })
  const headers = { Authorization: `Bearer ${token}` }
  await fetch(`${server.url}/api/v5/entity/profile/fetch?corp_id=${corp_id}&user_id=${note}`, { headers })
  await fetch(`${server.url}/nowhere/at/all?email=${email}&token=${token}`, { headers })
  await fetch(`${server.url}/%zz?email=${email}`, { headers })
  await fetch(`${server.url}/api/v5/authentication/verify`, { headers: { Authorization: `Bearer ${note}` } })
  const signature = signatureOf(app_id, '1234567890', 'wrong')
  const wrong = { app_id, time_stamp: '1234567890', signature, user_api_secret }
  await call('authentication/token', wrong)
  await breakDatabase(async () => {
    const broken = await call('entity/user/create', { corp_id, area_code: '86', mobile: otherMobile })
    expect(broken).toEqual({
      code: 50001,
      msg: 'An internal error occurred.',
      data: { request_id: expect.any(String), errors: [] },
    })
    const alsoBroken = await call('entity/leads/import', {
      corp_id,
      user_id: first.data.user_id,
      name,
      form1_name: note,
    })
    expect(alsoBroken.code).toBe(50001)
  })
  return [mobile, otherMobile, email, otherEmail, name, note, token, user_api_secret, signature]
}

/** Constraints whose violations quote the offending row in the details of their errors. */
async function breakDatabase(work: () => Promise<void>): Promise<void> {
  await database.superuser.query(`
    alter table users add constraint nobody_new check (mobile is distinct from '13987654321') not valid;
    alter table leads add constraint no_leads check (lead_id = '') not valid`)
  try {
    await work()
  } finally {
    await database.superuser.query(`
      alter table users drop constraint nobody_new; alter table leads drop constraint no_leads`)
  }
}

interface Body {
  code: number
  msg: string
  data: Record<string, string>
}

async function call(path: string, body: object): Promise<Body> {
  return (await (await post(server, path, body)).json()) as Body
}

function post({ url }: Server, path: string, body: object): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) }
  return fetch(`${url}/api/v5/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function obtainToken(on: Server): Promise<string> {
  const { app_id, user_api_secret } = sample
  const time_stamp = String(Date.now())
  const signature = signatureOf(app_id, time_stamp, user_api_secret)
  const response = await post(on, 'authentication/token', { app_id, time_stamp, signature })
  return ((await response.json()) as Body).data.token!
}

/** Sends raw bytes, and reads until the server closes. */
async function exchange(
  { url }: Server,
  bytes: string,
): Promise<{ status: number; head: string; body: Body }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => undefined)
  socket.write(bytes)
  await once(socket, 'close')
  const [head = '', body = ''] = text.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head, body: JSON.parse(body || '{}') }
}

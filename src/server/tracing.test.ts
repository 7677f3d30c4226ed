import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../test/harness/server.ts'
import { fetchUser } from '../people/users/fetch-profile.ts'
import { updateUser } from '../people/users/update-user.ts'
import { createLog } from './log.ts'
import type { Tracing } from './observe-calls.ts'
import type { SamplerName } from './trace-settings.ts'
import { type OpenTracing, openTracing } from './tracing.ts'

interface ReceivedSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, unknown> }[]
}

/** A collector: it takes OTLP over HTTP with JSON. */
let collector: Server
let received: { text: string; headers: NodeJS.Dict<string | string[]> }[] = []
let url: string
let server: TestServer
let open: OpenTracing
let user: { corp_id: string; user_id: string }
const secret: string[] = []
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    received.push({ text, headers: request.headers })
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`
  const tracing: Tracing = { begin: (...call) => open.begin(...call) }
  server = await startTestServer('sample', { tracing })
  const { rows } = await server.database.superuser.query(
    'select corp_id, user_id, name, email, mobile from users where corp_id = $1 and email is not null limit 1',
    [server.sample.corp_id],
  )
  const { corp_id, user_id, ...personal } = rows[0]
  user = { corp_id, user_id }
  secret.push(user_id, server.sample.app_id, ...Object.values<string>(personal).filter(Boolean))
})
afterAll(async () => {
  await server?.close()
  collector?.close()
})

const openWith = (sampler: SamplerName, log = pino({ level: 'silent' })) => {
  const headers = { 'x-collector-token': 'abc' }
  return openTracing(
    {
      url,
      headers,
      serviceName: 'admissions',
      attributes: { 'deployment.environment': 'test' },
      sampler,
      ratio: 1,
    },
    log,
  )
}
const spans = (): ReceivedSpan[] =>
  received.flatMap(({ text }) =>
    JSON.parse(text).resourceSpans.flatMap((each: { scopeSpans: { spans: ReceivedSpan[] }[] }) =>
      each.scopeSpans.flatMap((scope) => scope.spans),
    ),
  )
const traceparent = (flags: string) => ({ headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } })

describe('a call', () => {
  beforeEach(() => {
    received = []
    open = openWith('parentbased_always_on')
  })
  afterEach(() => open.close())

  test('is a span below that of the caller, with its waits, locks, statements and rendering below', async () => {
    const answer = await server.call(updateUser, { ...user, city: 'Nantes' }, traceparent('01'))
    expect(answer.code).toBe(0)
    await open.close()
    const [{ text, headers }] = received as [(typeof received)[0]]
    expect(headers).toMatchObject({ 'x-collector-token': 'abc', 'content-type': 'application/json' })
    expect(text).toContain('{"key":"service.name","value":{"stringValue":"admissions"}}')
    const call = spans().find(({ name }) => name === 'updateUser')!
    expect(call).toMatchObject({ traceId, parentSpanId: spanId })
    expect(answer.headers.get('traceparent')).toBe(`00-${traceId}-${call.spanId}-01`)
    expect(call.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 200 } })
    const below = spans().filter(({ parentSpanId }) => parentSpanId === call.spanId)
    // The token of the first call has a trace of its own.
    expect(below).toHaveLength(spans().filter((each) => each.traceId === traceId).length - 1)
    const names = below.map(({ name }) => name)
    expect(names).toContain('wait for the request')
    expect(names.some((name) => /^lock: select users/.test(name))).toBe(true)
    expect(names.some((name) => /^statement: /.test(name))).toBe(true)
    expect(names).toContain('render')
    for (const each of below) {
      expect(BigInt(each.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(call.startTimeUnixNano))
      expect(BigInt(each.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(call.endTimeUnixNano))
    }
    const ageMs = Date.now() - Number(BigInt(call.endTimeUnixNano) / 1_000_000n)
    expect(Math.abs(ageMs)).toBeLessThan(60_000)
  })

  test('holds no ids, names or contacts of people', async () => {
    await server.call(fetchUser, user)
    await server.call(updateUser, { ...user, city: 'Quimper-Sud' })
    await server.call(fetchUser, { ...user, user_id: 'nobody-8741' })
    await open.close()
    expect(spans().filter(({ name }) => ['fetchUser', 'updateUser'].includes(name))).toHaveLength(3)
    const text = received.map((each) => each.text).join()
    for (const each of [...secret, 'Quimper-Sud', 'nobody-8741']) expect(text).not.toContain(each)
    const keys = new Set(spans().flatMap(({ attributes }) => attributes.map(({ key }) => key)))
    expect([...keys].sort()).toEqual([
      'db.query.summary',
      'db.system.name',
      'http.request.method',
      'http.response.status_code',
      'matricula.code',
      'matricula.operation',
    ])
  })

  test('begins a trace where the caller has none', async () => {
    const answer = await server.call(fetchUser, user)
    const returned = answer.headers.get('traceparent')!
    await open.close()
    const call = spans().find(({ name }) => name === 'fetchUser')!
    expect(call.parentSpanId).toBeFalsy()
    expect(returned).toBe(`00-${call.traceId}-${call.spanId}-01`)
  })

  test('is not recorded if the caller does not record', async () => {
    const answer = await server.call(fetchUser, user, traceparent('00'))
    expect(answer.headers.get('traceparent')).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`))
    await open.close()
    expect(spans()).toEqual([])
  })
})

test('a sampler without parents ignores the decision of the caller', async () => {
  received = []
  open = openWith('always_off')
  const answer = await server.call(fetchUser, user, traceparent('01'))
  expect(answer.headers.get('traceparent')).toMatch(/-00$/)
  await open.close()
  expect(received).toEqual([])
})

test('a collector that refuses is logged once, and no call fails', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const refusing = createServer((_, response) => response.writeHead(400).end()).listen(0, '127.0.0.1')
  await once(refusing, 'listening')
  const [healthy] = [url]
  url = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}/v1/traces`
  open = openWith('always_on', log)
  url = healthy
  expect((await server.call(fetchUser, user)).code).toBe(0)
  await open.close()
  refusing.close()
  expect(lines.filter((line) => line.includes('traces cannot be sent'))).toHaveLength(1)
})

import { EventEmitter } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitUntil } from '../../test/harness/process.ts'
import { startTestServer, type TestServer } from '../../test/harness/server.ts'
import { newCallTimes } from '../contract/call-times.ts'
import { fetchUser } from '../people/users/fetch-profile.ts'
import { updateUser } from '../people/users/update-user.ts'
import type { Call } from './call.ts'
import { createLog } from './log.ts'
import { createCallObserver } from './observe-calls.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'
const lines: string[] = []
const log = createLog('info', { write: (text) => void lines.push(...text.split('\n').filter(Boolean)) })

/** The lines of the log with this message, once a call with this id is among them. */
async function linesOf(msg: string, request_id: string) {
  const found = () =>
    lines.map((line) => JSON.parse(line)).filter((line) => line.msg === msg && line.request_id === request_id)
  await waitUntil(() => found().length > 0, 2000)
  return found()
}

let server: TestServer
let user: { corp_id: string; user_id: string }
beforeAll(async () => {
  server = await startTestServer('sample', {
    log,
    slowCallMs: 1,
    serverTiming: ['198.51.100.0/24'],
    trustProxy: 1,
  })
  const { rows } = await server.database.superuser.query(
    'select corp_id, user_id from users where corp_id = $1 order by user_id limit 1',
    [server.sample.corp_id],
  )
  user = rows[0]
})
afterAll(() => server?.close())

describe('traceparent', () => {
  test('the trace of the caller is logged, and returned with a span of this call', async () => {
    const headers = { traceparent: `00-${traceId}-${spanId}-01`, 'x-request-id': 'traced' }
    const answer = await server.call(fetchUser, user, { headers })
    const returned = answer.headers.get('traceparent')
    expect(returned).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`))
    expect(returned).not.toContain(spanId)
    expect(await linesOf('request', 'traced')).toMatchObject([{ trace_id: traceId, operation: 'fetchUser' }])
  })

  test('without one, or with an invalid one, nothing is returned and nothing logged', async () => {
    for (const [index, traceparent] of [undefined, 'nonsense', `00-${traceId}-${spanId}-01-x`].entries()) {
      const headers = { 'x-request-id': `untraced-${index}`, ...(traceparent && { traceparent }) }
      const answer = await server.call(fetchUser, user, { headers })
      expect(answer.headers.has('traceparent')).toBe(false)
      const [line] = await linesOf('request', `untraced-${index}`)
      expect(line).not.toHaveProperty('trace_id')
    }
  })

  test('a failure has it as well', async () => {
    const headers = { traceparent: `00-${traceId}-${spanId}-00` }
    const answer = await server.call(fetchUser, { ...user, user_id: 'nobody' }, { headers })
    expect(answer.code).not.toBe(0)
    expect(answer.headers.get('traceparent')).toMatch(/-00$/)
  })
})

test('Server-Timing is for the networks of operators only', async () => {
  const callFrom = async (address: string) => {
    const { headers } = await server.call(fetchUser, user, { headers: { 'x-forwarded-for': address } })
    return headers.get('server-timing')
  }
  expect(await callFrom('198.51.100.7')).toMatch(
    /(^|, )statements;dur=[\d.]+;desc="\d+ in all", .*total;dur=[\d.]+$/,
  )
  expect(await callFrom('203.0.113.7')).toBeNull()
})

describe('the log of slow calls', () => {
  test('says how long a call waited for a lock', async () => {
    const heldMs = 30
    const blocker = await server.database.superuser.connect()
    try {
      await blocker.query('begin')
      await blocker.query('select 1 from users where corp_id = $1 and user_id = $2 for update', [
        user.corp_id,
        user.user_id,
      ])
      const options = { headers: { 'x-request-id': 'locked' } }
      const call = server.call(updateUser, { ...user, city: 'Harbin' }, options)
      const isWaiting = async () =>
        (await server.database.superuser.query('select 1 from pg_locks where not granted')).rows.length > 0
      expect(await waitUntil(isWaiting, 1000)).toBe(true)
      await new Promise((resolve) => setTimeout(resolve, heldMs))
      await blocker.query('commit')
      expect((await call).code).toBe(0)
    } finally {
      blocker.release()
    }
    const [line] = await linesOf('slow call', 'locked')
    expect(line).toMatchObject({ level: 40, operation: 'updateUser', code: 0 })
    expect(line.statements).toBeGreaterThan(1)
    const { ms, lock_ms, statements_ms, other_ms } = line
    expect(lock_ms).toBeGreaterThanOrEqual(heldMs)
    expect(lock_ms + statements_ms + other_ms).toBeLessThanOrEqual(ms + 0.5)
    expect(JSON.stringify(line)).not.toContain(user.user_id)
  })

  const entry = {
    request_id: 'x',
    operation: 'x',
    route: undefined,
    method: 'GET',
    status: 200,
    code: 0,
    app_id: 'a',
  }
  const slow = (response: object, times = newCallTimes()) => {
    const written: string[] = []
    const observer = createCallObserver(
      { slowCallMs: 1000, trustProxy: 0 },
      createLog('info', { write: (text) => void written.push(text) }),
    )
    const call = { response, times, beganMs: performance.now() - 5000, trace: undefined } as Call
    observer.noteAnswer(call, { ...entry, ms: 5000 })
    return written
  }

  test('counts the wait for a client that does not read', () => {
    const response = Object.assign(new EventEmitter(), { destroyed: false, writableLength: 10 })
    const written = slow(response)
    expect(written).toEqual([])
    response.emit('close')
    expect(JSON.parse(written[0]!)).toHaveProperty('other_ms')
  })

  test('leaves out the wait for events that the caller asked for', () => {
    const sent = { destroyed: false, writableLength: 0 }
    expect(slow(sent)).toHaveLength(1)
    expect(slow(sent, { ...newCallTimes(), events: 4500 })).toEqual([])
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { type ClientSchool, openClientSchool } from '../test/client-of.ts'
import { type Fault, type FaultProxy, startFaultProxy } from '../test/fault-proxy.ts'
import { ConnectionError, MatriculaError } from './errors.ts'
import type { Matricula } from './matricula.ts'

let server: TestServer
let proxy: FaultProxy
let school: ClientSchool
let m: Matricula
let user_id: string

beforeAll(async () => {
  server = await startTestServer('matricula')
  proxy = await startFaultProxy(server.url, 1200)
  school = await openClientSchool(server)
  m = school.client({ baseUrl: proxy.url, timeoutMs: 1000 })
  ;({ user_id } = await m.users.create({ email: 'mei.lin@example.com' }))
})
afterAll(async () => {
  await proxy?.close()
  await server?.close()
})
beforeEach(() => {
  proxy.headers.length = 0
  proxy.choose = () => undefined
})

/** Harms the next calls, one fault each. */
function harm(...next: Fault[]): void {
  proxy.choose = () => next.shift()
}

const keysSent = () => proxy.headers.map(({ headers }) => headers['idempotency-key'])

describe('a POST', () => {
  test('keeps its key when it is sent again, and has its effect once', async () => {
    const replays: boolean[] = []
    const noting = school.client({
      baseUrl: proxy.url,
      timeoutMs: 1000,
      onResponse: ({ isReplayed }) => replays.push(isReplayed),
    })
    await noting.tokens.verify()
    harm('reset after', 'truncated after', '503 of a gateway after', 'late answer')
    proxy.headers.length = 0
    const { lead_id } = await noting.leads.import({ user_id, name: 'Mei Lin' })
    expect(keysSent()).toHaveLength(5)
    expect(new Set(keysSent()).size).toBe(1)
    expect(replays.at(-1)).toBe(true)
    expect((await m.leads.list()).list.map((lead) => lead.lead_id)).toEqual([lead_id])
  })

  test('takes a key of the caller, and another key for another call', async () => {
    await m.followUps.create({ user_id, content: 'One' }, { idempotencyKey: 'notification-1' })
    await m.followUps.create({ user_id, content: 'One' }, { idempotencyKey: 'notification-1' })
    await m.followUps.create({ user_id, content: 'One' })
    await m.followUps.create({ user_id, content: 'One' })
    expect((await m.followUps.list({ user_id })).total).toBe(3)
    expect(new Set(keysSent().slice(0, 4)).size).toBe(3)
  })

  test('that moves money is signed again on each retry', async () => {
    const { order_id } = await m.orders.create({ user_id, currency: 'CNY', listed_price: 90_000 })
    proxy.headers.length = 0
    harm('reset after', 'reset after', '503', 'shortened after')
    await m.payments.create({ order_id, price: 100 })
    const signatures = proxy.headers.map(({ headers }) => headers['x-signature'])
    expect(new Set(signatures).size).toBe(5)
    expect((await m.orders.fetch({ order_id })).paid_price).toBe(100)
  })

  test('has another signature than an equal call at the same time', async () => {
    const { order_id } = await m.orders.create({ user_id, currency: 'CNY', listed_price: 90_000 })
    await Promise.all(Array.from({ length: 9 }, () => m.payments.create({ order_id, price: 7 })))
    expect((await m.orders.fetch({ order_id })).paid_price).toBe(63)
  })
})

describe('a refused call', () => {
  test('waits as long as the service asks', async () => {
    const slow = await startFaultProxy(server.url, 0, '1')
    try {
      const waiting = school.client({ baseUrl: slow.url })
      await waiting.tokens.verify()
      const next: Fault[] = ['429']
      slow.choose = () => next.shift()
      const began = performance.now()
      await waiting.users.fetch({ user_id })
      expect(performance.now() - began).toBeGreaterThan(995)
      slow.choose = () => '503'
      const error = await school
        .client({ baseUrl: slow.url, longestWaitMs: 500 })
        .users.list()
        .catch((each) => each)
      expect(error).toBeInstanceOf(MatriculaError)
      expect(error).toMatchObject({ code: 50301, retryable: true, retryAfterMs: 1000, attempts: 1 })
    } finally {
      await slow.close()
    }
  })

  test('fails after its retries', async () => {
    proxy.choose = () => '429'
    const error = await m.users.list({}, { retries: 2 }).catch((each) => each)
    expect(error).toMatchObject({
      code: 42901,
      status: 429,
      retryable: true,
      attempts: 3,
      operation: 'users.list',
    })
    proxy.choose = () => 'reset before'
    const cut = await m.users.list({}, { retries: 1, requestId: 'cut-call' }).catch((each) => each)
    expect(cut).toBeInstanceOf(ConnectionError)
    expect(cut).toMatchObject({ attempts: 2, retryable: true, requestId: 'cut-call' })
    expect(proxy.headers.at(-1)?.headers['x-request-id']).toBe('cut-call')
  })

  test('is not repeated where that changes nothing', async () => {
    await expect(m.users.fetch({ user_id: 'nobody' })).rejects.toMatchObject({ code: 40401, attempts: 1 })
    const lost = school.client({ baseUrl: `${server.url}/elsewhere` })
    await expect(lost.users.list()).rejects.toMatchObject({ code: 40404, attempts: 1 })
  })

  test('ends with its signal, in a wait too', async () => {
    proxy.choose = () => '503'
    const controller = new AbortController()
    const call = m.users.list({}, { signal: controller.signal, retries: 1000 })
    controller.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    const ended = AbortSignal.abort(new Error('before'))
    await expect(m.users.list({}, { signal: ended })).rejects.toThrow('before')
  })
})

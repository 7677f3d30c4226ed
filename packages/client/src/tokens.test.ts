import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { rotateSecret } from '../../../src/access/organizations/manage-accounts.ts'
import { testKeyring } from '../../../test/harness/keyring.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import { openClientSchool } from '../test/client-of.ts'
import { type FaultProxy, startFaultProxy } from '../test/fault-proxy.ts'

const path = '/api/v5/authentication/token'

let server: TestServer
let proxy: FaultProxy

beforeAll(async () => {
  server = await startTestServer('matricula')
  proxy = await startFaultProxy(server.url, 0)
})
afterAll(async () => {
  await proxy?.close()
  await server?.close()
})
afterEach(() => {
  vi.useRealTimers()
  server.setNow(undefined)
  proxy.calls.clear()
  proxy.choose = () => undefined
})

const renewals = () => proxy.calls.get(path) ?? 0

test('one renewal serves many callers', async () => {
  const m = (await openClientSchool(server)).client({ baseUrl: proxy.url })
  await Promise.all(Array.from({ length: 30 }, () => m.users.list()))
  expect(renewals()).toBe(1)
})

test('many processes renew at the same time, of an account that takes each signature once', async () => {
  const school = await openClientSchool(server)
  const processes = Array.from({ length: 30 }, () => school.client({ baseUrl: proxy.url }))
  await Promise.all(processes.map((m) => m.users.list()))
  expect(renewals()).toBeGreaterThanOrEqual(30)
})

test('a token is renewed a minute before it ends', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const start = Date.now()
  const m = (await openClientSchool(server)).client({ baseUrl: proxy.url })
  await m.users.list()
  vi.setSystemTime(start + 7_200_000 - 62_000)
  server.forgetAccounts()
  await m.users.list()
  expect(renewals()).toBe(1)
  vi.setSystemTime(start + 7_200_000 - 58_000)
  await m.users.list()
  expect(renewals()).toBe(2)
})

test('a token that has expired for the service is renewed once, for all callers', async () => {
  const m = (await openClientSchool(server, 'UTC', 'any')).client({ baseUrl: proxy.url })
  await m.users.list()
  server.setNow(new Date(Date.now() + 7_200_000 + 1000))
  await Promise.all(Array.from({ length: 10 }, () => m.users.list()))
  expect(renewals()).toBe(2)
})

test('a refused token is renewed once', async () => {
  const school = await openClientSchool(server)
  let refused = 0
  const m = school.client({
    baseUrl: proxy.url,
    fetch(url, init) {
      const headers = { ...(init?.headers as Record<string, string>) }
      if (headers.Authorization && refused++ < 1) headers.Authorization = 'Bearer no.such.token'
      return fetch(url, { ...init, headers })
    },
  })
  await m.users.list()
  expect(renewals()).toBe(2)
  refused = Number.NEGATIVE_INFINITY
  await expect(m.users.list()).rejects.toMatchObject({ code: 40102, retryable: false })
  expect(renewals()).toBe(3)
})

test('a secret that has ended is the failure of the call', async () => {
  const school = await openClientSchool(server)
  const m = school.client({ baseUrl: proxy.url })
  await m.users.list()
  await rotateSecret(server.database.owner, testKeyring, { app_id: school.account.app_id }, new Date())
  server.forgetAccounts()
  await expect(m.users.list()).rejects.toMatchObject({ code: 40105, operation: 'tokens.issue' })
})

test('a renewal survives faults', async () => {
  const m = (await openClientSchool(server)).client({ baseUrl: proxy.url })
  const next = ['503', 'reset after', 'truncated after', '429'] as const
  let n = 0
  proxy.choose = () => next[n++]
  expect((await m.users.list()).total).toBe(0)
  expect(renewals()).toBe(5)
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { methodNameOf } from '../../../scripts/client-methods.ts'
import { consoleOperations, integratorOperations } from '../../../src/endpoints.ts'
import { openOrganization, type TestOrganization } from '../../../test/harness/organization.ts'
import { startTestServer, type TestServer } from '../../../test/harness/server.ts'
import type { MatriculaOptions } from './call-options.ts'
import { MatriculaError } from './errors.ts'
import { Matricula } from './matricula.ts'

let server: TestServer
let school: TestOrganization
let m: Matricula
const warnings: string[] = []

beforeAll(async () => {
  server = await startTestServer('matricula')
  school = await openOrganization(server, 'Asia/Shanghai', ['read', 'write', 'finance', 'admin'])
  m = clientOf({ onWarning: ({ message }) => warnings.push(message) })
})
afterAll(() => server?.close())

function clientOf(options: Partial<MatriculaOptions>): Matricula {
  const { account, corp_id } = school
  const { app_id, user_api_secret } = account
  return new Matricula({
    baseUrl: `${server.url}/`,
    appId: app_id,
    secret: user_api_secret,
    corpId: corp_id,
    ...options,
  })
}

describe('the operations', () => {
  type AnyMethod = (input: object, options: object) => Promise<unknown>
  const methodsOf = (client: Matricula) => client as unknown as Record<string, Record<string, AnyMethod>>

  test('each operation for integrators has a method, which calls it', async () => {
    const sent: string[] = []
    const recording = clientOf({
      retries: 0,
      fetch(url, init) {
        sent.push(`${init?.method} ${new URL(String(url)).pathname}`)
        return fetch(url, init)
      },
    })
    for (const { id, group, method, path } of integratorOperations) {
      const name = methodNameOf(id, group)
      // Most lack parameters. The address shows which operation refuses that.
      await methodsOf(recording)[name.group]![name.method]!({}, {}).catch(() => undefined)
      expect(sent.at(-1), id).toBe(`${method} ${path}`)
    }
  })

  test('no operation of the console has one', () => {
    const paths = new Set(consoleOperations.map(({ path }) => path))
    expect(paths.size).toBeGreaterThan(40)
    expect(integratorOperations.filter(({ path }) => paths.has(path))).toEqual([])
  })
})

test('a call answers the data of the operation, for the organization of the client', async () => {
  const { user_id, is_user_exists } = await m.users.create({ email: 'mei.lin@example.com' })
  expect(is_user_exists).toBe(false)
  expect((await m.users.fetch({ user_id })).email).toBe('mei.lin@example.com')
  expect((await m.users.list()).list.map((user) => user.user_id)).toContain(user_id)
})

test('an amount may be a bigint, and prices of an answer have their currency', async () => {
  const { user_id } = await m.users.create({ email: 'amount@example.com' })
  const { order_id } = await m.orders.create({ user_id, currency: 'CNY', listed_price: 900_000n })
  expect((await m.orders.fetch({ order_id })).total_price).toBe(900_000)
  await expect(m.orders.create({ user_id, listed_price: 2n ** 60n })).rejects.toThrow(
    'listed_price is too large',
  )
})

test('a failure has its code, every faulty parameter and the request id', async () => {
  const error = await m.orders
    .create({ user_id: '', listed_price: -1 }, { requestId: 'my-call' })
    .catch((each) => each)
  expect(error).toBeInstanceOf(MatriculaError)
  const { code, status, errors, retryable, requestId, operation, attempts } = error as MatriculaError
  expect({ code, status, retryable, requestId, operation, attempts }).toEqual({
    code: 40002,
    status: 400,
    retryable: false,
    requestId: 'my-call',
    operation: 'orders.create',
    attempts: 1,
  })
  expect(errors.map(({ param }) => param)).toEqual(expect.arrayContaining(['user_id', 'listed_price']))
})

test('parameters that the service does not know cause a warning', async () => {
  await m.users.list({ pool: 'alive', colour: 'red' } as never)
  expect(warnings).toEqual(['users.list does not know these parameters, and ignored them: colour'])
})

test('the organization tells the zone of the times of its records', async () => {
  const { name, time } = await m.school()
  expect(name).toBe('Organization in Asia/Shanghai')
  const { user_id } = await m.users.create({ email: 'time@example.com' })
  const { ctime } = await m.users.fetch({ user_id })
  const local = time(ctime)!
  expect(String(local)).toBe(`${ctime.replace(' ', 'T')}+08:00[Asia/Shanghai]`)
  expect(Math.abs(local.instant.getTime() - Date.now())).toBeLessThan(60_000)
  expect(time('')).toBeUndefined()
})

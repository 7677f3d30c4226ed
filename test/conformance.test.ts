import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serviceVersion } from '../src/contract/service-version.ts'
import { endpoints } from '../src/endpoints.ts'
import { testCallers, testRights } from './conformance/callers.ts'
import { testLimits, testParameters } from './conformance/parameters.ts'
import { testRandomCalls } from './conformance/random-calls.ts'
import { representativesOf } from './conformance/representatives.ts'
import { testRoundTrips } from './conformance/round-trips.ts'
import { fingerprint } from './conformance/school.ts'
import { type Stage, setStage } from './conformance/stage.ts'
import { testForeignRecords } from './conformance/tenancy.ts'
import { testHead, testRoute, testTransport, testUnknownParameters } from './conformance/transport.ts'
import { validInput } from './conformance/valid-inputs.ts'

// Filled before the first test; the loop below is set up earlier.
const stage = {} as Stage

beforeAll(async () => {
  Object.assign(stage, await setStage({}, 500))
})
afterAll(() => stage.server?.close())

const representatives = new Set(representativesOf(endpoints))

/** Every operation of the catalogue must pass these tests. Shared code is tested on representatives. */
describe.each(endpoints)('$method $path', (endpoint) => {
  const isRepresentative = representatives.has(endpoint)

  describe('succeeds', () => {
    test('with a valid input, in the shape that its contract declares', async () => {
      const answer = await stage.server.call(endpoint, validInput(endpoint, stage.school))
      expect(answer).toMatchObject({ status: 200, code: 0, msg: 'success' })
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    })

    test('in another organization of the same account', async () => {
      const input = validInput(endpoint, stage.otherSchool)
      const answer = await stage.server.call(endpoint, input, { token: stage.tokens.both })
      expect(answer.code).toBe(0)
    })

    testLimits(endpoint, stage)
    if (!isRepresentative) return
    test('with X-APP-ID that agrees with the token', async () => {
      const headers = { 'X-APP-ID': stage.server.sample.app_id }
      const answer = await stage.server.call(endpoint, validInput(endpoint, stage.school), { headers })
      expect(answer.code).toBe(0)
    })

    testUnknownParameters(endpoint, stage)
    if (endpoint.method === 'GET') testHead(endpoint, stage)
  })

  describe('survives', () => testRandomCalls(endpoint, stage))
})

/** Changes are checked after each group: a check takes longer than most calls. */
describe.each([...Map.groupBy(endpoints, ({ group }) => group)])('of %s', (_, ofGroup) => {
  let before: Record<string, string>
  beforeAll(async () => {
    before = await fingerprint(stage.server)
  })

  describe.each(ofGroup)('$method $path refuses', (endpoint) => {
    const isRepresentative = representatives.has(endpoint)
    if (endpoint.scope !== 'public') testRights(endpoint, stage)
    if (endpoint.scope === 'organization') testForeignRecords(endpoint, stage)
    testParameters(endpoint, stage, isRepresentative)
    if (!isRepresentative) return
    testRoute(endpoint, stage)
    if (endpoint.scope !== 'public') testCallers(endpoint, stage)
    testTransport(endpoint, stage)
  })

  test('a refused call has changed nothing', async () => {
    expect(await fingerprint(stage.server)).toEqual(before)
  })
})

describe('every answer', () => {
  const requests = [
    '/api/v5/authentication/verify',
    '/api/v5/nothing',
    '/',
    '/%',
    '/healthz',
    '/readyz',
    '/openapi.json',
    '/openapi-console.json',
    '/docs/console',
    '/docs',
  ]

  test.each(requests)('names the service version and the request: %s', async (path) => {
    const { headers } = await fetch(`${stage.server.url}${path}`, { redirect: 'manual' })
    expect(headers.get('x-service-version')).toBe(serviceVersion)
    expect(headers.get('x-request-id')).toMatch(/^\S+$/)
  })

  test('carries a valid request id of the caller', async () => {
    for (const id of ['a', 'order-42.retry_1', 'x'.repeat(128)]) {
      const answer = await stage.server.send('/api/v5/authentication/verify', {
        headers: { 'X-Request-Id': id },
      })
      expect(answer.headers.get('x-request-id')).toBe(id)
      expect(answer.data.request_id).toBe(id)
    }
  })

  test('carries a new request id if the caller sent none or an invalid one', async () => {
    for (const id of ['', 'a b', 'é', '<script>', 'x'.repeat(129), 'a,b']) {
      const answer = await stage.server.send('/api/v5/authentication/verify', {
        headers: { 'X-Request-Id': id },
      })
      expect(answer.headers.get('x-request-id'), id).toMatch(/^[0-9a-f]{32}$/)
    }
  })

  test('is an envelope for an unknown route, with every method', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      expect(await stage.server.send('/api/v5/nothing', { method })).toMatchObject({
        status: 404,
        code: 40404,
      })
    }
  })
})

describe('texts', () => testRoundTrips(stage))

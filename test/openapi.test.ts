import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiError } from '../src/contract/errors.ts'
import { formats } from '../src/contract/formats.ts'
import { openApiOf } from '../src/contract/openapi.ts'
import { serviceVersion } from '../src/contract/service-version.ts'
import { inputValidator } from '../src/contract/validate.ts'
import {
  additions,
  administration,
  catalogue,
  consoleOperations,
  interfaceOperations,
} from '../src/endpoints.ts'
import { dereferenced } from './harness/openapi.ts'
import { startTestServer, type TestServer } from './harness/server.ts'

/** Reads schemas as others would, who know two of our formats. */
const reader = new Ajv({ strict: false })
for (const name of ['date', 'email'] as const) reader.addFormat(name, formats[name][0])

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

describe('the OpenAPI document', () => {
  const document = JSON.parse(JSON.stringify(openApiOf(catalogue, { version: serviceVersion })))
  const { paths, components } = dereferenced(document)
  const operationAt = (path: string, method: string) => paths[path][method.toLowerCase()]

  test('is served as it is generated', async () => {
    const response = await fetch(`${server.url}/openapi.json`)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toEqual(document)
  })

  test('has every operation of the catalogue, each under an id of its own', () => {
    const operations = Object.values<object>(document.paths).flatMap((path) => Object.values(path))
    expect(operations.map(({ operationId }) => operationId)).toEqual(catalogue.map(({ id }) => id))
    expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length)
    expect(interfaceOperations).toHaveLength(19)
    expect(catalogue).toEqual([...interfaceOperations, ...additions, ...administration, ...consoleOperations])
  })

  test('points only at components that it has', () => {
    for (const [, path] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = path!.split('/').reduce((node, name) => node?.[name], document)
      expect(target, path).toBeDefined()
    }
  })

  test('names what clients work with, and knows none of our own formats', () => {
    const wanted = [
      ...['Order', 'OrderRow', 'FinancialRow', 'SubOrder', 'Payment', 'Remark', 'UserProfile', 'TagGroup'],
      ...[
        'UserTag',
        'Course',
        'Batch',
        'Coupon',
        'Currency',
        'ShareProportion',
        'PlannedSubOrder',
        'Failure',
      ],
      ...catalogue.filter(({ method }) => method === 'POST').map(({ id }) => `${capital(id)}Input`),
      ...catalogue.map(({ id }) => `${capital(id)}Answer`),
    ]
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(wanted))
    const schemas = JSON.stringify(document, (key, value) => (key === 'example' ? undefined : value))
    const formats = [...schemas.matchAll(/"format":"([^"]+)"/g)].map(([, name]) => name)
    expect(new Set(formats)).toEqual(new Set(['email', 'date']))
  })

  test('says which members make a call, as the operation takes it', async () => {
    const shaped = catalogue.filter(({ oneOfSets }) => oneOfSets)
    expect(shaped.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['issueToken', 'createUser', 'importLead']),
    )
    for (const endpoint of shaped) {
      const { anyOf, properties } = operationAt(endpoint.path, 'POST').requestBody.content['application/json']
        .schema
      const optional = anyOf.flatMap(({ required }: { required: string[] }) => required)
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(optional))
      const read = inputValidator(endpoint)
      const complaintsOf = (names: string[]) => {
        try {
          read(Object.fromEntries(names.map((name) => [name, name === 'email' ? 'a@example.com' : '86'])))
        } catch (error) {
          const { errors } = (error as ApiError).details
          return errors!.map(({ param }) => param).filter((param) => optional.includes(param))
        }
        return []
      }
      for (const { required } of anyOf) expect(complaintsOf(required), endpoint.id).toEqual([])
      expect(complaintsOf([]).length, endpoint.id).toBeGreaterThan(0)
    }
  })

  test('asks for a token everywhere but where tokens are obtained and people sign in', () => {
    const open = catalogue.filter(({ path, method }) => operationAt(path, method).security?.length === 0)
    expect(open.map(({ path }) => path)).toEqual([
      '/api/v5/authentication/token',
      '/api/v5/console/session/create',
      '/api/v5/console/session/link',
      '/api/v5/console/password/choose',
      '/api/v5/console/session/passkey/begin',
      '/api/v5/console/session/passkey',
      '/api/v5/console/session/provider/begin',
      '/api/v5/console/session/provider',
    ])
    expect(document.security).toEqual([{ bearer: [] }])
  })

  test.each(catalogue)('$id: its examples fit its schemas', ({ path, method, since }) => {
    const operation = operationAt(path, method)
    expect(operation.description).toContain(`Since ${since}`)
    const success = operation.responses['200'].content['application/json']
    expectFit(success.schema, success.example)
    if (method === 'POST') {
      const body = operation.requestBody.content['application/json']
      expectFit(body.schema, body.example)
    }
    for (const { schema, example, required } of operation.parameters.filter(isQuery)) {
      if (example !== undefined || required) expectFit(schema, example)
    }
  })

  test('offers an Idempotency-Key on every POST on records, and nowhere else', () => {
    for (const { path, method, scope } of catalogue) {
      const operation = operationAt(path, method)
      const names = operation.parameters.map((parameter: { name: string }) => parameter.name)
      const takesKey = method === 'POST' && scope === 'organization'
      expect(names.includes('Idempotency-Key'), path).toBe(takesKey)
      expect('Idempotent-Replayed' in operation.responses['200'].headers, path).toBe(takesKey)
      const conflict = operation.responses['409']
      if (takesKey) expect(Object.keys(conflict.content['application/json'].examples)).toContain('keyReused')
      if (takesKey) expect(conflict.description).toContain('40905')
      else expect(conflict?.description ?? '').not.toContain('40903')
    }
  })

  test('answers every failure with an example that fits', () => {
    for (const { value } of Object.values<{ value: unknown }>(components.examples)) {
      expectFit(components.schemas.Failure, value)
    }
  })
})

function capital(id: string): string {
  return `${id[0]!.toUpperCase()}${id.slice(1)}`
}

function expectFit(schema: object, value: unknown): void {
  reader.validate(schema, value)
  expect(reader.errors ?? []).toEqual([])
}

function isQuery(parameter: { in?: string }): boolean {
  return parameter.in === 'query'
}

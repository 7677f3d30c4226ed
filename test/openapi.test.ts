import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { membersOf } from '../scripts/openapi-members.ts'
import type { Endpoint } from '../src/contract/endpoint.ts'
import type { ApiError } from '../src/contract/errors.ts'
import { formats } from '../src/contract/formats.ts'
import { maxInt32 } from '../src/contract/forms.ts'
import { inputValidator } from '../src/contract/validate.ts'
import {
  additions,
  administration,
  catalogue,
  consoleOperations,
  integratorOperations,
  interfaceOperations,
} from '../src/endpoints.ts'
import { eventTypeNames, eventTypes } from '../src/events/event-types.ts'
import { openApiDocuments } from '../src/openapi-documents.ts'
import { dereferenced } from './harness/openapi.ts'
import { startTestServer, type TestServer } from './harness/server.ts'

/** Reads schemas like other tools, which know two of our formats. */
const reader = new Ajv({ strict: false })
for (const name of ['date', 'email'] as const) reader.addFormat(name, formats[name][0])
reader.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)))
reader.addFormat('int64', { type: 'number', validate: Number.isSafeInteger })

// biome-ignore lint/suspicious/noExplicitAny: the document is read as plain JSON.
type Schemas = any

/** Days that orders copy as text from records of other systems. */
const copiedDates = /^(OrderRow\.user_|FinancialRow\.batch_)/
/** Counts that have the name of a column of 64 bits elsewhere. */
const countsLines = /\.(number|start|rows|received|length)$|^(SubOrder|\w+Instalment)\.seq$/

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('operations for integrators and operations of the console are two documents, without overlap', () => {
  expect(interfaceOperations).toHaveLength(19)
  expect(catalogue).toEqual([...interfaceOperations, ...additions, ...administration, ...consoleOperations])
  expect(catalogue).toEqual([...integratorOperations, ...consoleOperations])
  expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length)
})

describe.each([
  ['openapi.json', integratorOperations],
  ['openapi-console.json', consoleOperations],
] as const)('%s', (name, operations) => {
  const document = JSON.parse(JSON.stringify(openApiDocuments[name]()))
  const { paths, components } = dereferenced(document)
  const operationAt = (path: string, method: string) => paths[path][method.toLowerCase()]

  test('is served as it is generated', async () => {
    const response = await fetch(`${server.url}/${name}`)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toEqual(document)
  })

  test('has every operation of its audience, and no other', () => {
    const found = Object.values<object>(document.paths).flatMap((path) => Object.values(path))
    expect(found.map(({ operationId }) => operationId)).toEqual(operations.map(({ id }) => id))
  })

  test('points only at components that it has', () => {
    for (const [, path] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = path!.split('/').reduce((node, name) => node?.[name], document)
      expect(target, path).toBeDefined()
    }
  })

  test('names the input and the answer of every operation, and knows none of our own formats', () => {
    const wanted = [
      ...operations.filter(({ method }) => method === 'POST').map(({ id }) => `${capital(id)}Input`),
      ...operations.map(({ id }) => `${capital(id)}Answer`),
    ]
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(wanted))
    const schemas = JSON.stringify(document, (key, value) => (key === 'example' ? undefined : value))
    const formats = [...schemas.matchAll(/"format":"([^"]+)"/g)].map(([, name]) => name)
    expect(['email', 'date', 'date-time', 'int64']).toEqual(expect.arrayContaining(formats))
  })

  const members = membersOf(document)

  test('describes every member and every parameter', () => {
    expect(members.filter(({ schema }) => !schema.description).map(({ place }) => place)).toEqual([])
    expect(members.length).toBeGreaterThan(500)
  })

  test('gives every time a pattern or a format', () => {
    const isTime = /(^|_)(time|ctime|mtime|deadline|at|until|since|expires)$|_date$/
    const texts = members.filter(({ schema }) => [schema.type].flat().includes('string') && !schema.enum)
    const times = texts.filter(
      ({ place, schema }) =>
        (isTime.test(place.split('.').at(-1)!) || /YYYY-MM|ISO 8601/.test(schema.description)) &&
        !copiedDates.test(place),
    )
    expect(times.filter(({ schema }) => !schema.pattern && !schema.format).map(({ place }) => place)).toEqual(
      [],
    )
    expect(times.length).toBeGreaterThan(10)
  })

  test('marks integers that the database keeps in 64 bits', async () => {
    const { rows } = await server.database.superuser.query(
      "select distinct column_name from information_schema.columns where data_type = 'bigint'",
    )
    const long = new Set(rows.map(({ column_name }) => column_name))
    const integers = members.filter(({ schema }) => [schema.type].flat().includes('integer'))
    const found = integers.filter(
      ({ place, schema: { format, maximum = Number.MAX_SAFE_INTEGER } }) =>
        (long.has(place.split('.').at(-1)!) || place.endsWith('_price')) &&
        format !== 'int64' &&
        maximum > maxInt32 &&
        !countsLines.test(place),
    )
    expect(found.map(({ place }) => place)).toEqual([])
    for (const { place, schema } of integers)
      if (schema.maximum > maxInt32) expect(schema.format, place).toBe('int64')
  })

  test('has a union of success and failures, which the code distinguishes', () => {
    for (const { path, method, id } of operations) {
      const { 200: success, ...failed } = operationAt(path, method).responses
      const { properties, required } = success.content['application/json'].schema
      expect(properties.code.const, id).toBe(0)
      expect(required, id).toContain('code')
      for (const [status, response] of Object.entries<Schemas>(failed)) {
        const { schema, examples } = response.content['application/json']
        const { enum: codes } = schema.allOf[1].properties.code
        const shown = Object.values<Schemas>(examples).map(({ value }) => value.code)
        expect(codes, `${id} ${status}`).toEqual(shown)
        for (const code of codes) expect(Math.floor(code / 100), id).toBe(Number(status))
      }
    }
  })

  test('lets answers have members that a later version adds', () => {
    for (const { path, method } of operations) {
      const { schema, example } = operationAt(path, method).responses['200'].content['application/json']
      expect(JSON.stringify(schema)).not.toContain('"additionalProperties":false')
      expectFit(schema, { ...example, added: 1, data: withMember(example.data) })
    }
  })

  test('names types briefly', () => {
    const names = [document.components.schemas, document.components.responses].flatMap((each) =>
      Object.keys(each),
    )
    expect(names.filter((name) => name.length > 32)).toEqual([])
    // Generators make one identifier of each, some without underscores.
    expect(new Set(names.map((name) => name.replaceAll('_', '').toLowerCase())).size).toBe(names.length)
    expect(operations.map(({ id }) => id).filter((id) => id.length > 26)).toEqual([])
  })

  test.each(operations)('$id: its examples fit its schemas', ({ path, method, since }) => {
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
    for (const { path, method, scope } of operations) {
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

describe('the document for integrators', () => {
  const document = JSON.parse(JSON.stringify(openApiDocuments['openapi.json']()))
  const { paths, webhooks } = dereferenced(document)

  test('names what clients work with', () => {
    const { schemas } = document.components
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining([
        ...['Order', 'OrderRow', 'FinancialRow', 'SubOrder', 'Payment', 'Remark', 'UserProfile', 'TagGroup'],
        ...['UserTag', 'Course', 'Batch', 'Coupon', 'Currency', 'ShareProportion', 'PlannedSubOrder'],
        'Failure',
      ]),
    )
  })

  test('says which members make a call, as the operation takes it', async () => {
    const shaped = integratorOperations.filter(({ oneOfSets }) => oneOfSets)
    expect(shaped.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['issueToken', 'createUser', 'importLead']),
    )
    for (const endpoint of shaped) {
      const { schema } = paths[endpoint.path].post.requestBody.content['application/json']
      const shapes: Schemas[] = endpoint.setsExclude ? schema.oneOf : schema.anyOf
      const sets = endpoint.oneOfSets as string[][]
      const optional = sets.flat()
      const properties = Object.assign({}, schema.properties, ...shapes.map(({ properties }) => properties))
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(optional))
      for (const [index, { required }] of shapes.entries())
        expect(required).toEqual(expect.arrayContaining(sets[index]!))
      const read = inputValidator(endpoint)
      const sampleOf = (name: string) =>
        ({ array: ['86'], object: {} })[properties[name].type as string] ??
        (name === 'email' ? 'a@example.com' : '86')
      const complaintsOf = (names: string[]) => {
        try {
          read(Object.fromEntries(names.map((name) => [name, sampleOf(name)])))
        } catch (error) {
          const { errors } = (error as ApiError).details
          return errors!.map(({ param }) => param).filter((param) => optional.includes(param))
        }
        return []
      }
      for (const set of sets) expect(complaintsOf(set), endpoint.id).toEqual([])
      expect(complaintsOf([]).length, endpoint.id).toBeGreaterThan(0)
      expect(complaintsOf(optional).length > 0, endpoint.id).toBe(endpoint.setsExclude === true)
    }
  })

  test('has two shapes of user/create, of which a call has exactly one', () => {
    const { schema } = paths['/api/v5/entity/user/create'].post.requestBody.content['application/json']
    const byMobile = { corp_id: 'northgate', area_code: '86', mobile: '13800138000' }
    const byEmail = { corp_id: 'northgate', email: 'a@example.com' }
    expect([byMobile, byEmail].map((body) => reader.validate(schema, body))).toEqual([true, true])
    for (const body of [
      { ...byMobile, ...byEmail },
      { corp_id: 'northgate' },
      { ...byMobile, mobile: undefined },
    ])
      expect(reader.validate(schema, JSON.parse(JSON.stringify(body)))).toBe(false)
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['CreateUserByMobile', 'CreateUserByEmail']),
    )
  })

  test('asks for a token everywhere but where tokens are obtained', () => {
    expect(document.security).toEqual([{ bearer: [] }])
    expect(openOf(integratorOperations, paths)).toEqual(['/api/v5/authentication/token'])
  })

  test('has a webhook for every event type, with the headers of Standard Webhooks', () => {
    expect(Object.keys(document.webhooks)).toEqual(eventTypeNames)
    for (const { post } of Object.values<{ post: Webhook }>(webhooks)) {
      expect(post.parameters.map(({ name }) => name)).toEqual([
        'webhook-id',
        'webhook-timestamp',
        'webhook-signature',
      ])
      expect(Object.keys(post.responses)).toEqual(['410', '2XX', 'default'])
    }
    const size = JSON.stringify(document.webhooks).length
    expect(size, 'what webhooks share belongs into components').toBeLessThan(1_500 * eventTypeNames.length)
  })

  test.each(eventTypeNames)('%s: the example fits its schema, and no event of another type does', (type) => {
    const { schema, example } = webhooks[type].post.requestBody.content['application/json']
    expectFit(schema, example)
    expect(Object.keys(example.data.related).toSorted()).toEqual(eventTypes[type].related.toSorted())
    for (const other of [
      { ...example, type: 'other.type' },
      { ...example, data: { ...example.data, type: type === 'ping' ? 'user.created' : 'ping' } },
      { ...example, data: { ...example.data, record_type: 'other' } },
      { ...example, data: { ...example.data, related: { user_id: 7 } } },
    ])
      expect(reader.validate(schema, other)).toBe(false)
  })
})

test('the console asks for a session everywhere but where people sign in', () => {
  const document = openApiDocuments['openapi-console.json']()
  expect(document.security).toEqual([{ session: [] }])
  expect(openOf(consoleOperations, document.paths)).toEqual([
    '/api/v5/console/session/create',
    '/api/v5/console/session/link',
    '/api/v5/console/password/choose',
    '/api/v5/console/session/passkey/begin',
    '/api/v5/console/session/passkey',
    '/api/v5/console/session/provider/begin',
    '/api/v5/console/session/provider',
  ])
})

interface Webhook {
  parameters: { name: string }[]
  responses: object
}

/** The paths of operations that need no token and no session. */
// biome-ignore lint/suspicious/noExplicitAny: the document is read as plain JSON.
function openOf(operations: readonly Endpoint[], paths: any): string[] {
  return operations
    .filter(({ path, method }) => paths[path][method.toLowerCase()].security?.length === 0)
    .map(({ path }) => path)
}

/** The data with one more member, where it is an object. */
function withMember(data: unknown): unknown {
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? { ...data, added: 1 } : data
}

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

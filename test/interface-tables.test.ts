import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fields, OperationTable } from '../packages/conformance/src/tables/field-types.ts'
import { operationTables } from '../packages/conformance/src/tables/operations.ts'
import { orderStatuses, paymentSlots } from '../packages/conformance/src/tables/records.ts'
import { isOfType } from '../packages/conformance/src/types.ts'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { endpoints, interfaceOperations } from '../src/endpoints.ts'
import { type School, sampleSchool } from './conformance/school.ts'
import { validInput } from './conformance/valid-inputs.ts'
import { dereferenced } from './harness/openapi.ts'
import { startTestServer, type TestServer } from './harness/server.ts'
import { type Schema, schemaTypesOf } from './interface-tables/types.ts'

let server: TestServer
let school: School
// biome-ignore lint/suspicious/noExplicitAny: the document is read as plain JSON.
let document: any

beforeAll(async () => {
  server = await startTestServer()
  school = await sampleSchool(server)
  document = dereferenced(await (await fetch(`${server.url}/openapi.json`)).json())
})
afterAll(() => server?.close())

test('the interface has nineteen operations, and the catalogue begins with them in their order', () => {
  expect(operationTables).toHaveLength(19)
  const listed = interfaceOperations.map(({ method, path }) => `${method} ${path}`)
  expect(listed).toEqual(operationTables.map(({ method, path }) => `${method} ${path}`))
})

describe.each(operationTables)('OpenAPI has $method $path', (table) => {
  const operation = () => document.paths[table.path][table.method.toLowerCase()]

  test('with every parameter: name, type, whether required, default, maximum, allowed words', () => {
    const found = table.method === 'GET' ? queryParameters(operation()) : bodyMembers(operation())
    const { addedParameters = [] } = table
    expect(Object.keys(found).toSorted()).toEqual(
      [...Object.keys(table.request), ...addedParameters].toSorted(),
    )
    for (const name of addedParameters) expect(found[name]!.isRequired, name).toBe(false)
    for (const [name, wanted] of Object.entries(table.request)) {
      const { schema, isRequired } = found[name]!
      expect(schemaTypesOf(schema), name).toContain(wanted.type)
      expect(isRequired, name).toBe(wanted.required ?? false)
      expect(schema.default, name).toBe(wanted.default)
      if (wanted.maximum !== undefined) expect(schema.maximum, name).toBe(wanted.maximum)
      if (wanted.values) expect(schema.enum, name).toEqual(expect.arrayContaining(wanted.values))
    }
  })

  test('with every member of the answer: name, type, order', () => {
    const envelope = operation().responses['200'].content['application/json'].schema as Schema
    expect(Object.keys(envelope.properties!)).toEqual(['code', 'msg', 'data'])
    expect(schemaTypesOf(envelope.properties!.code!)).toEqual(['Integer'])
    expect(schemaTypesOf(envelope.properties!.msg!)).toEqual(['String'])
    const { data } = envelope.properties!
    if (table.data === 'String') return expect(schemaTypesOf(data!)).toEqual(['String'])
    expectMembers(data!, membersOf(table))
    if (table.rows) {
      expectMembers(data!.properties![table.rows.member]!.items!, {
        ...table.rows.fields,
        ...table.additions,
      })
    }
  })

  test('with the version that it is available after', () => {
    if (table.since) expect(operation()['x-since']).toBe(table.since)
    else expect(operation()['x-since']).toMatch(/^Ver5\.\d{4}-\d{2}-\d{2}$/)
  })
})

describe.each(operationTables)('the sample school answers $method $path', (table) => {
  test('with every member: name, type, order', async () => {
    const { data } = await callAt(table)
    if (table.data === 'String') return expect(typeof data).toBe('string')
    expectValues([data], membersOf(table))
  })

  if (table.rows) {
    const { member, fields } = table.rows
    test('with every member of every row, each seen with a value', async () => {
      const rows = await rowsOf(table)
      expect(rows.length).toBeGreaterThan(0)
      expectValues(rows, { ...fields, ...table.additions })
      const unseen = Object.keys(fields).filter((name) => !rows.some((row) => row[name] !== null))
      // Slots are filled from the first one. The sample need not fill all of them.
      expect(
        unseen.filter((name) => !/^payment([2-9]|1\d)_/.test(name)),
        member,
      ).toEqual([])
    })
  }
})

describe('details that the tables name', () => {
  test('order rows and financial rows: 10 attributes in each of 15 payment slots, none beyond', async () => {
    const [row] = await rowsOf(tableOf('/api/v5/entity/order/financial/list'))
    const columns = Object.keys(row!).filter((name) => /^payment\d/.test(name))
    expect(columns).toHaveLength(paymentSlots * 10)
  })

  test('every profile of the sample has the declared types, each member seen with a value', async () => {
    const { rows: users } = await server.database.superuser.query(
      'select user_id from users where corp_id = $1 order by user_id limit 300',
      [school.corp_id],
    )
    const table = tableOf('/api/v5/entity/profile/fetch')
    const profiles = await inBatches(users, async ({ user_id }) => (await callAt(table, { user_id })).data)
    expectValues(profiles, membersOf(table))
    expect(neverSeen(profiles, membersOf(table))).toEqual([])
  })

  test('every order of the sample has a detail of the declared types, each member seen with a value', async () => {
    const orders = await rowsOf(tableOf('/api/v5/entity/order/list'))
    const table = tableOf('/api/v5/entity/order/fetch')
    const details = await inBatches(
      orders,
      async ({ entity_id }) => (await callAt(table, { order_id: entity_id })).data,
    )
    expectValues(details, table.data as Fields)
    expect(neverSeen(details, table.data as Fields)).toEqual([])
    // Integer here, String in the list; a price may be null in both.
    expect(details.map(({ version }) => String(version))).toEqual(orders.map(({ version }) => version))
    for (const { pre_sub_order_ids, sub_order_ids, coupon_ids } of details) {
      for (const id of [pre_sub_order_ids, sub_order_ids, coupon_ids].flat()) expect(typeof id).toBe('string')
    }
  })

  test('record timestamps have the form YYYY-MM-DD HH:MM:SS', async () => {
    const lists = operationTables.filter(({ rows }) => rows)
    for (const table of lists) {
      for (const row of await rowsOf(table)) {
        for (const [name, value] of Object.entries(row)) {
          if (!/(^|_)[cm]?time$/.test(name) || value === null || value === '') continue
          expect(value, `${table.path} ${name}`).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
        }
      }
    }
  })

  test.each(['/api/v5/entity/order/list', '/api/v5/entity/order/financial/list'])(
    '%s: page 0 of 10 rows by default, at most 1000',
    async (path) => {
      const { data } = await callExactly(tableOf(path), { corp_id: school.corp_id })
      expect(data).toMatchObject({ page: 0, page_size: 10 })
      expect(data.list).toHaveLength(Math.min(10, data.total))
      expect((await callExactly(tableOf(path), { corp_id: school.corp_id, page_size: 1000 })).code).toBe(0)
      expect((await callExactly(tableOf(path), { corp_id: school.corp_id, page_size: 1001 })).code).toBe(
        40002,
      )
    },
  )

  test.each(orderStatuses)('the status %s filters the order list', async (status) => {
    const query = { corp_id: school.corp_id, status, page_size: 1000 }
    const { data } = await callExactly(tableOf('/api/v5/entity/order/list'), query)
    expect(data.list.every((row: { status: string }) => row.status === status)).toBe(true)
  })

  test('all words of the tables are accepted', async () => {
    for (const table of operationTables) {
      for (const [name, { values = [] }] of Object.entries(table.request)) {
        for (const value of values) {
          const { data } = await callAt(table, { [name]: value })
          const faulty = data.errors?.map(({ param }: { param: string }) => param) ?? []
          // A group with tags keeps its attribute, so its refusal says nothing about the word.
          if (name !== 'attribute') expect(faulty, `${table.path} ${name}=${value}`).toEqual([])
          else expect(JSON.stringify(data), `${name}=${value}`).not.toContain('must be one of')
        }
      }
    }
  })

  test('deactivate and activate move is_active', async () => {
    const { corp_id, entity_id, category } = school
    const group = async () => {
      const query = { corp_id, category, start_index: 0, step: 1000 }
      const { data } = await callExactly(tableOf('/api/v5/entity/tags/group/list'), query)
      return data.rows.find((row: { entity_id: string }) => row.entity_id === entity_id)
    }
    for (const [move, is_active] of [
      ['deactivate', false],
      ['deactivate', false],
      ['activate', true],
      ['activate', true],
    ] as const) {
      const { data } = await callExactly(tableOf(`/api/v5/entity/tags/group/${move}`), { corp_id, entity_id })
      expect(data).toBe(entity_id)
      expect((await group()).is_active).toBe(is_active)
    }
  })
})

interface FoundParameter {
  schema: Schema
  isRequired: boolean
}

function queryParameters(operation: {
  parameters: { name: string; in: string; required: boolean; schema: Schema }[]
}) {
  const found = operation.parameters.filter((parameter) => parameter.in === 'query')
  return Object.fromEntries(
    found.map(({ name, required, schema }): [string, FoundParameter] => [
      name,
      { schema, isRequired: required },
    ]),
  )
}

// biome-ignore lint/suspicious/noExplicitAny: see document.
function bodyMembers(operation: any): Record<string, FoundParameter> {
  const { schema } = operation.requestBody.content['application/json']
  // A body with several shapes has a schema for each. A member is required if all of them require it.
  const shapes: Schema[] = schema.oneOf ?? [schema]
  return Object.fromEntries(
    shapes
      .flatMap(({ properties }) => Object.entries(properties!))
      .map(([name, schema]) => [
        name,
        { schema, isRequired: shapes.every(({ required = [] }) => required.includes(name)) },
      ]),
  )
}

function expectMembers({ properties, required = [] }: Schema, fields: Fields): void {
  expect(Object.keys(properties!)).toEqual(Object.keys(fields))
  expect(required).toEqual(Object.keys(fields))
  for (const [name, type] of Object.entries(fields))
    expect(schemaTypesOf(properties![name]!), name).toEqual([type])
}

type Row = Record<string, unknown>

function expectValues(rows: Row[], fields: Fields): void {
  const names = Object.keys(fields)
  for (const row of rows) {
    expect(Object.keys(row)).toEqual(names)
    const wrong = names.filter((name) => !isOfType(row[name], fields[name]!))
    expect(wrong.map((name) => `${name}: ${JSON.stringify(row[name])} is no ${fields[name]}`)).toEqual([])
  }
}

function neverSeen(rows: Row[], fields: Fields): string[] {
  return Object.keys(fields).filter((name) => !rows.some((row) => row[name] !== null))
}

/** The members of the data, with what the service adds to it. */
function membersOf({ data, rows, additions }: OperationTable): Fields {
  return rows ? (data as Fields) : { ...(data as Fields), ...additions }
}

function tableOf(path: string): OperationTable {
  return operationTables.find((table) => table.path === path)!
}

function endpointOf({ method, path }: OperationTable): Endpoint {
  return endpoints.find((endpoint) => endpoint.method === method && endpoint.path === path)!
}

function callAt(table: OperationTable, changes: Row = {}) {
  return server.call(endpointOf(table), { ...validInput(endpointOf(table), school), ...changes })
}

function callExactly(table: OperationTable, input: Row) {
  return server.call(endpointOf(table), input)
}

/** All rows that the sample has for a list. */
async function rowsOf(table: OperationTable): Promise<Row[]> {
  const { member } = table.rows!
  if (table.path.includes('/order/')) {
    return (await callExactly(table, { corp_id: school.corp_id, page_size: 1000 })).data[member]
  }
  const { rows: askedFor } = await server.database.superuser.query(
    table.path.includes('/user/')
      ? 'select distinct user_id from user_tags where corp_id = $1 order by user_id limit 100'
      : 'select distinct category, 0 as start_index, 1000 as step from tag_groups where corp_id = $1',
    [school.corp_id],
  )
  return (await inBatches(askedFor, async (input) => (await callAt(table, input)).data[member])).flat()
}

async function inBatches<Item, Result>(
  items: Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let start = 0; start < items.length; start += 20) {
    results.push(...(await Promise.all(items.slice(start, start + 20).map(work))))
  }
  return results
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bulkUpdateUsers } from '../src/changes/bulk-edits/bulk-update.ts'
import { secretRemover } from '../src/contract/contacts.ts'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { newId } from '../src/contract/new-id.ts'
import { endpoints } from '../src/endpoints.ts'
import { createOrder } from '../src/orders/create-order.ts'
import { importLead } from '../src/people/leads/import-leads.ts'
import { representativesOf } from './conformance/representatives.ts'
import { bodyOf } from './conformance/requests.ts'
import { fingerprint } from './conformance/school.ts'
import { serverCheck } from './conformance/server-check.ts'
import { type Stage, setStage } from './conformance/stage.ts'
import { type Input, parametersOf, validInput } from './conformance/valid-inputs.ts'

const stage = {} as Stage
beforeAll(async () => {
  Object.assign(stage, await setStage())
})
afterAll(() => stage.server?.close())

const posts = endpoints.filter(({ method }) => method === 'POST')
const valid = (endpoint: Endpoint): Input => validInput(endpoint, stage.school)
const optionalNames = (endpoint: Endpoint) =>
  parametersOf(endpoint)
    .filter(({ isRequired }) => !isRequired)
    .map(({ name }) => name)

/** Sends two inputs under one Idempotency-Key: if the first succeeds, the second must count as the same call. */
async function expectAlike(endpoint: Endpoint, without: Input, nulled: Input, title: string): Promise<void> {
  const headers = { 'Idempotency-Key': newId() }
  const first = await stage.server.call(endpoint, without, { headers })
  const second = await stage.server.call(endpoint, nulled, { headers })
  expect({ code: second.code, msg: second.msg }, title).toEqual({ code: first.code, msg: first.msg })
  if (first.code !== 0) return expect(bodyOf(second), title).toEqual(bodyOf(first))
  if (endpoint.scope !== 'organization') return
  // By default this operation is a dry run, which does not use up a key.
  if (endpoint === bulkUpdateUsers && without.dry_run !== false)
    return expect(second.data, title).toEqual(first.data)
  expect(second.headers.get('idempotent-replayed'), title).toBe('true')
  // A repeated response has no secrets.
  const withoutSecrets = secretRemover(endpoint.data) ?? String
  const { data } = JSON.parse(withoutSecrets(JSON.stringify({ data: first.data })))
  expect(second.data, title).toEqual(data)
}

/** Both inputs have the same parsed value, which the use case gets and the key is stored with. */
function expectSameInput(endpoint: Endpoint, without: Input, empty: Input, title: string): void {
  const check = serverCheck(endpoint)
  expect(check(empty), title).toEqual(check(without))
}

describe('null in an optional member counts as absent', () => {
  test.each(posts)('$path: each member', (endpoint) => {
    const input = valid(endpoint)
    for (const name of optionalNames(endpoint)) {
      const { [name]: _, ...without } = input
      expectSameInput(endpoint, without, { ...without, [name]: null }, name)
    }
  })

  test.each(representativesOf(posts))('$path: each member, over HTTP', async (endpoint) => {
    for (const name of optionalNames(endpoint)) {
      const { [name]: _, ...without } = valid(endpoint)
      await expectAlike(endpoint, without, { ...without, [name]: null }, name)
    }
  })

  test.each(posts)('$path: all members at once', async (endpoint) => {
    const nulls = Object.fromEntries(optionalNames(endpoint).map((name) => [name, null]))
    const input = valid(endpoint)
    await expectAlike(endpoint, input, { ...nulls, ...input }, 'those that the call does not need')
    const bare = Object.fromEntries(Object.entries(input).filter(([name]) => !(name in nulls)))
    await expectAlike(endpoint, bare, { ...bare, ...nulls }, 'all')
  })

  test('in the objects of a list too', async () => {
    const { installment_count: _, first_payment_deadline: __, ...order } = valid(createOrder)
    const prices = { listed_price: 300, discounted_price: 300 }
    const parts = [{ total_price: 100 }, { total_price: 200 }]
    const nulled = parts.map((part) => ({ ...part, sub_order_id: null, type: null, payment_deadline: null }))
    await expectAlike(
      createOrder,
      { ...order, ...prices, sub_orders: parts },
      { ...order, ...prices, sub_orders: nulled },
      'sub_orders',
    )
  })

  test('a creation that is repeated with nulls returns the same order', async () => {
    const nulls = Object.fromEntries(optionalNames(createOrder).map((name) => [name, null]))
    const input = valid(createOrder)
    const made = await stage.server.call(createOrder, input)
    const again = await stage.server.call(createOrder, { ...nulls, ...input })
    expect(again).toMatchObject({ code: 0, data: made.data })
  })

  test('null in a required member is 40002: it was sent, and is invalid', async () => {
    const before = await fingerprint(stage.server)
    for (const endpoint of posts) {
      for (const { name } of parametersOf(endpoint).filter(({ isRequired }) => isRequired)) {
        const answer = await stage.server.call(endpoint, { ...valid(endpoint), [name]: null })
        expect(answer, `${endpoint.id} ${name}`).toMatchObject({ status: 400, code: 40002 })
      }
    }
    expect(await fingerprint(stage.server)).toEqual(before)
  })
})

describe('a parameter that has a default', () => {
  const queries = endpoints.filter(({ method }) => method === 'GET')
  const defaultsOf = (endpoint: Endpoint) =>
    parametersOf(endpoint).flatMap(({ name, schema }) =>
      'default' in schema ? [[name, schema.default] as const] : [],
    )

  test('there are some', () => expect(queries.flatMap(defaultsOf).length).toBeGreaterThan(8))

  test.each(queries)('$path is answered alike with it and without it', async (endpoint) => {
    for (const [name, value] of defaultsOf(endpoint)) {
      const { [name]: _, ...without } = valid(endpoint)
      const [absent, sent] = [
        await stage.server.call(endpoint, without),
        await stage.server.call(endpoint, { ...without, [name]: value }),
      ]
      expect(absent.code).toBe(0)
      // The instant of the response, if it has one.
      const { as_of: _as, ...withDefault } = sent.data
      const { as_of: _of, ...withNothing } = absent.data
      expect(withDefault, name).toEqual(withNothing)
    }
  })
})

describe('in the import of a lead, an empty text or list counts as absent too', () => {
  const empties: unknown[] = ['', '  ', [], null]

  test('in every member, of every type', () => {
    const lead = valid(importLead)
    for (const name of optionalNames(importLead)) {
      for (const empty of empties) {
        const { [name]: _, ...without } = lead
        const title = `${name} ${JSON.stringify(empty)}`
        expectSameInput(importLead, without, { ...without, [name]: empty }, title)
      }
    }
  })

  test('in all members at once, over HTTP', async () => {
    for (const empty of empties) {
      const lead = valid(importLead)
      const others = optionalNames(importLead).filter((name) => !(name in lead))
      const padded = { ...lead, ...Object.fromEntries(others.map((name) => [name, empty])) }
      await expectAlike(importLead, lead, padded, JSON.stringify(empty))
    }
  })

  test('an entry that is repeated with them has the same content', async () => {
    const lead = valid(importLead)
    const made = await stage.server.call(importLead, lead)
    expect(made.code).toBe(0)
    for (const empty of empties) {
      const others = optionalNames(importLead).filter((name) => !(name in lead))
      const padded = { ...lead, ...Object.fromEntries(others.map((name) => [name, empty])) }
      expect(await stage.server.call(importLead, padded)).toMatchObject({ code: 0, data: made.data })
    }
    expect((await stage.server.call(importLead, { ...lead, city: 'Lyon' })).code).toBe(40901)
  })

  test('an entry with empty cells may be repeated without them', async () => {
    const lead = valid(importLead)
    const forms = { is_corporate_training: '', owner_ids: '', city: '' }
    const { is_corporate_training: _, owner_ids: __, ...plain } = lead
    const made = await stage.server.call(importLead, { ...plain, ...forms })
    expect(made.code).toBe(0)
    expect(await stage.server.call(importLead, plain)).toMatchObject({ code: 0, data: made.data })
  })
})

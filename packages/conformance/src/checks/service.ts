import { type Check, expect, expectEqual } from '../check.ts'
import { type Kit, shortOf } from '../kit.ts'
import { makeUser, user } from '../subjects.ts'
import { failureTable } from '../tables/failures.ts'
import { expectFailure } from './failures.ts'

/** Decisions of Matricula: failures, headers, repetitions. */
export function serviceChecks(): Check[] {
  return [...failureChecks(), ...headerChecks(), ...idempotencyChecks()]
}

function failureChecks(): Check[] {
  return failureTable.map(({ code, words, call, params }) => ({
    ...{ id: `failures ${code} ${words}`, level: 'matricula', gap: 'failures', operation: call.path },
    row: `${code}: ${words}`,
    async run(kit) {
      const { method, path, input, ...rest } = call
      const exchange = await kit.call(method, path, input, rest)
      expectFailure(exchange, code, params)
      if (code === 40501) {
        const allow = exchange.headers.get('allow') ?? ''
        expect(/\bGET\b/.test(allow), 'Allow: GET', allow, exchange)
      }
    },
  }))
}

function headerChecks(): Check[] {
  const verify = 'authentication/verify'
  return [
    {
      ...{ id: 'headers X-Service-Version', level: 'matricula', gap: 'versions', operation: verify },
      row: 'X-Service-Version: Ver5.<YYYY-MM-DD> of the newest operation, in every response',
      async run(kit) {
        for (const path of [verify, 'entity/nothing/here']) {
          const exchange = await kit.get(path)
          const version = exchange.headers.get('x-service-version')
          expect(
            /^Ver5\.\d{4}-\d\d-\d\d$/.test(version ?? ''),
            'X-Service-Version: Ver5.<YYYY-MM-DD>',
            version,
            exchange,
          )
          expect(
            String(version) >= 'Ver5.2025-04-16',
            'not before the newest operation of the interface',
            version,
            exchange,
          )
        }
      },
    },
    {
      ...{ id: 'headers X-Request-Id', level: 'matricula', gap: 'failures', operation: verify },
      row: 'X-Request-Id: the id of the call, as it was sent',
      async run(kit) {
        const id = kit.unique()
        const exchange = await kit.call('GET', verify, {}, { headers: { 'X-Request-Id': id } })
        expectEqual(exchange.headers.get('x-request-id'), id, 'X-Request-Id', exchange)
      },
    },
    {
      ...{
        id: 'headers X-Ignored-Parameters',
        level: 'matricula',
        gap: 'invalid-parameters',
        operation: 'entity/order/list',
      },
      row: 'Unknown parameters are ignored and named in X-Ignored-Parameters',
      async run(kit) {
        const exchange = await kit.take('GET', 'entity/order/list', { page_size: 1, unheard_of: 1 })
        expectEqual(
          exchange.headers.get('x-ignored-parameters'),
          'unheard_of',
          'X-Ignored-Parameters',
          exchange,
        )
      },
    },
    {
      ...{ id: 'headers Content-Type', level: 'matricula', gap: 'failures', operation: verify },
      row: 'Content-Type: application/json; charset=utf-8, also of failures',
      async run(kit) {
        for (const path of [verify, 'entity/nothing/here']) {
          const exchange = await kit.get(path)
          const type = exchange.headers.get('content-type')?.toLowerCase().replaceAll(' ', '')
          expectEqual(type, 'application/json;charset=utf-8', 'Content-Type', exchange)
        }
      },
    },
    {
      ...{
        id: 'null in optional members',
        level: 'matricula',
        gap: 'invalid-parameters',
        operation: 'entity/user/create',
        writes: true,
      },
      row: 'null in an optional member counts as left out',
      async run(kit) {
        const { email, user_id } = await user(kit)
        const exchange = await kit.take('POST', 'entity/user/create', {
          email,
          area_code: null,
          mobile: null,
        })
        expectEqual(exchange.data.user_id, user_id, 'user_id', exchange)
      },
    },
  ]
}

const repeated = 'entity/tags/group/create'

function idempotencyChecks(): Check[] {
  const base = { level: 'matricula', gap: 'repeats', operation: repeated, writes: true } as const
  return [
    {
      ...base,
      id: 'idempotency same body',
      row: 'The same Idempotency-Key and body: one effect, the same response, Idempotent-Replayed: true',
      async run(kit) {
        const { first, again } = await repeat(kit)
        expectEqual(again.text, first.text, 'the first response, byte by byte:', again)
        expectEqual(
          first.headers.get('idempotent-replayed'),
          null,
          'Idempotent-Replayed of the first call',
          first,
        )
        expectEqual(again.headers.get('idempotent-replayed'), 'true', 'Idempotent-Replayed', again)
        const { category } = first
        const listed = await kit.take('GET', 'entity/tags/group/list', { category, start_index: 0, step: 10 })
        expectEqual(listed.data.total, 1, 'number of groups', listed)
      },
    },
    {
      ...base,
      id: 'idempotency order of members',
      row: 'Order of members and unknown members make no other body',
      async run(kit) {
        const { fields, headers, first } = await repeat(kit)
        const reversed = Object.fromEntries(Object.entries({ ...fields, unheard_of: 1 }).reverse())
        const exchange = await kit.take('POST', repeated, reversed, { headers })
        expectEqual(exchange.data, first.data, 'data', exchange)
      },
    },
    {
      ...base,
      id: 'idempotency other body',
      row: '40903: the Idempotency-Key was used with another body',
      async run(kit) {
        const { fields, headers } = await repeat(kit)
        const other = { ...fields, name: kit.unique(), variable_name: kit.unique().replaceAll('-', '_') }
        expectFailure(await kit.call('POST', repeated, other, { headers }), 40903)
      },
    },
    {
      ...base,
      id: 'idempotency failures',
      row: 'A failure stores nothing: the key can be used again',
      async run(kit) {
        const { user_id } = await makeUser(kit)
        const headers = { 'Idempotency-Key': kit.unique() }
        const failed = await kit.call(
          'POST',
          'entity/user/pool/update',
          { user_id, pool: kit.unique() },
          { headers },
        )
        expectFailure(failed, 40002, ['pool'])
        await kit.take('POST', 'entity/user/pool/update', { user_id, pool: 'alive' }, { headers })
      },
    },
    {
      ...base,
      id: 'idempotency form of the key',
      row: 'Idempotency-Key: 1 to 255 visible ASCII characters',
      async run(kit) {
        const { user_id } = await user(kit)
        const headers = { 'Idempotency-Key': 'x'.repeat(256) }
        const exchange = await kit.call(
          'POST',
          'entity/user/pool/update',
          { user_id, pool: 'alive' },
          { headers },
        )
        expect(exchange.status === 400, 'HTTP status 400', shortOf(exchange), exchange)
        expectFailure(exchange, 40002)
      },
    },
  ]
}

/** A group that is created twice under one key. */
async function repeat(kit: Kit) {
  kit.requireWrites()
  const name = kit.unique()
  const fields = {
    name,
    variable_name: name.replaceAll('-', '_'),
    description: name,
    attribute: 'define',
    category: name,
  }
  const headers = { 'Idempotency-Key': kit.unique() }
  const first = await kit.take('POST', repeated, fields, { headers })
  kit.made.push({ kind: 'tag group', id: first.data?.tags_group_id })
  const again = await kit.call('POST', repeated, fields, { headers })
  const second = again.data?.tags_group_id
  if (typeof second === 'string' && second !== first.data?.tags_group_id)
    kit.made.push({ kind: 'tag group', id: second })
  return { fields, headers, first: { ...first, category: name }, again }
}

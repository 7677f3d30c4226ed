import { expect, test } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { callBody, paramsOf } from './requests.ts'
import type { Stage } from './stage.ts'
import { validInput } from './valid-inputs.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** The address of an operation. */
export function testRoute(endpoint: Endpoint, stage: Stage): void {
  test('another method is 40501 and told the right one', async () => {
    const wrong = methods.filter((method) => method !== endpoint.method)
    for (const method of wrong) {
      const answer = await stage.server.send(`${endpoint.path}?corp_id=a`, { method })
      expect(answer, method).toMatchObject({ status: 405, code: 40501 })
      expect(answer.headers.get('allow')?.split(', '), method).toContain(endpoint.method)
    }
  })

  test('a path that is nearly right is 40404', async () => {
    const paths = [`${endpoint.path}/`, `${endpoint.path}s`, endpoint.path.toUpperCase(), `/${endpoint.path}`]
    for (const path of paths) {
      const answer = await stage.server.send(path, { method: endpoint.method })
      expect(answer, path).toMatchObject({ status: 404, code: 40404 })
    }
  })
}

/** The code that reads a request. */
export function testTransport(endpoint: Endpoint, stage: Stage): void {
  if (endpoint.method === 'GET') return
  const validBody = () => JSON.stringify(validInput(endpoint, stage.school))

  test('another media type is 41501', async () => {
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'application/json; charset=gbk',
    ]
    for (const type of types) {
      const answer = await callBody(stage, endpoint, validBody(), { 'Content-Type': type })
      expect(answer, type).toMatchObject({ status: 415, code: 41501 })
    }
    // A body of bytes, because fetch gives texts a type of their own.
    const answer = await callBody(stage, endpoint, Buffer.from(validBody()), {})
    expect(answer, 'none').toMatchObject({ status: 415, code: 41501 })
  })

  test('a body that is no JSON object in UTF-8 is 40003', async () => {
    const texts = [
      '{',
      '{"a":1,}',
      "{'a':1}",
      '[]',
      '[{}]',
      '"text"',
      'null',
      '1',
      'true',
      '',
      ' ',
      '{}{}',
      '\ufeff{',
      'NaN',
    ]
    const latin1 = Buffer.from('{"corp_id":"\xe9"}', 'latin1')
    const bodies = [...texts, latin1, Buffer.from(validBody(), 'utf16le'), Buffer.from([0xff, 0xfe])]
    for (const body of bodies) {
      const answer = await callBody(stage, endpoint, body)
      expect(answer, String(body)).toMatchObject({ status: 400, code: 40003 })
    }
  })

  test('a body that is nested too deep is 40003, with an Idempotency-Key as without', async () => {
    const nested = (levels: number) => '['.repeat(levels - 1) + ']'.repeat(levels - 1)
    const bodyOf = (levels: number) => validBody().replace('{', `{"padding":${nested(levels)},`)
    const json = { 'Content-Type': 'application/json' }
    for (const headers of [json, { ...json, 'Idempotency-Key': `deep-${endpoint.id}` }]) {
      for (const levels of [65, 66, 10_000, 250_000]) {
        const answer = await callBody(stage, endpoint, bodyOf(levels), headers)
        expect(answer, String(levels)).toMatchObject({ status: 400, code: 40003 })
        expect(answer.msg).toMatch(/nested more than 64 levels deep/)
      }
    }
  })

  test('a body above the limit is 41301, with and without its length in advance', async () => {
    const long = JSON.stringify({ ...validInput(endpoint, stage.school), padding: 'x'.repeat(1_048_576) })
    expect(await callBody(stage, endpoint, long)).toMatchObject({ status: 413, code: 41301 })
    const chunked = new Blob([long]).stream()
    expect(await callBody(stage, endpoint, chunked)).toMatchObject({ status: 413, code: 41301 })
  })
}

/** HEAD is GET without the body. */
export function testHead(endpoint: Endpoint, stage: Stage): void {
  test('a HEAD gets the headers of the GET and no body', async () => {
    const input = Object.entries(validInput(endpoint, stage.school))
    const query = new URLSearchParams(input.map(([name, value]) => [name, String(value)]))
    const read = async (method: string) => {
      const response = await fetch(`${stage.server.url}${endpoint.path}?${query}`, {
        method,
        // Not compressed: the length is that of the body.
        headers: { Authorization: `Bearer ${stage.tokens.sample}`, 'Accept-Encoding': 'identity' },
      })
      const headers = Object.fromEntries(response.headers)
      // fetch sets the last two headers itself.
      for (const name of ['date', 'x-request-id', 'connection', 'keep-alive']) delete headers[name]
      return { status: response.status, headers, body: await response.text() }
    }
    const { body, ...got } = await read('GET')
    expect(got).toMatchObject({ status: 200, headers: { 'content-length': String(Buffer.byteLength(body)) } })
    expect(await read('HEAD')).toEqual({ ...got, body: '' })
  })
}

const oddNames = [
  'unknown',
  'Corp_Id',
  'a,b',
  'a b',
  'a\r\nX-Evil: 1',
  '名字',
  '🎓',
  '__proto__',
  'constructor',
  'toString',
  '',
]

/** Unknown parameters. */
export function testUnknownParameters(endpoint: Endpoint, stage: Stage): void {
  const extras = Object.fromEntries(oddNames.map((name) => [name, 'x']))
  const known = new Set(Object.keys(endpoint.input.properties))

  if (endpoint.movesMoney || endpoint.refusesUnknown) {
    test('unknown parameters are refused, and named', async () => {
      const input = validInput(endpoint, stage.school)
      const answer = await stage.server.call(endpoint, { ...input, prise: 1 })
      expect(answer.code).toBe(40002)
      expect(paramsOf(answer)).toEqual(['prise'])
      expect(answer.headers.has('x-ignored-parameters')).toBe(false)
    })
    return
  }

  test('unknown parameters are ignored, and named in X-Ignored-Parameters', async () => {
    const answer = await stage.server.call(endpoint, { ...validInput(endpoint, stage.school), ...extras })
    expect(answer.code).toBe(0)
    expectNamed(answer.headers)
  })

  if ((endpoint.input.required as string[] | undefined)?.length) {
    test('so they are on a failure', async () => {
      const answer = await stage.server.call(endpoint, extras)
      expect(answer.code).toBe(40001)
      expect(paramsOf(answer).filter((name) => !known.has(name))).toEqual([])
      expectNamed(answer.headers)
    })
  }

  test('without unknown parameters there is no such header', async () => {
    const answer = await stage.server.call(endpoint, validInput(endpoint, stage.school))
    expect(answer.headers.has('x-ignored-parameters')).toBe(false)
  })

  function expectNamed(headers: Headers): void {
    const named = headers
      .get('x-ignored-parameters')!
      .split(',')
      .map((name) => decodeURIComponent(name.trim()))
    expect(named.toSorted()).toEqual(oddNames.toSorted())
    expect(headers.has('x-evil')).toBe(false)
  }
}

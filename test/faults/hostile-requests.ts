import type { Endpoint } from '../../src/contract/endpoint.ts'
import type { School } from '../conformance/school.ts'
import { type Input, parametersOf, validInput } from '../conformance/valid-inputs.ts'
import type { Random } from '../harness/attempts.ts'

/** A generated request: valid, slightly wrong, or malicious. */
export interface HostileRequest {
  query?: string
  body?: string | Buffer
  headers: Record<string, string>
}

const json = { 'Content-Type': 'application/json' }

const hostileValues: unknown[] = [
  "'; drop table users; --",
  "1' or '1'='1",
  '%s%s%n',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  'a\0b',
  '\ud800',
  'аdmin',
  'ﬁnance',
  '\u202egnp.exe',
  'e\u0301'.repeat(500),
  'x'.repeat(70_000),
  '',
  ' ',
  null,
  true,
  -1,
  0,
  1e308,
  -1e308,
  9_007_199_254_740_992,
  1.5,
  '9'.repeat(400),
  '2024-02-30',
  '0000-00-00 00:00:00',
  '9999-12-31',
  [],
  {},
  { __proto__: null, constructor: { prototype: {} } },
  Array(2000).fill(1),
  Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, n])),
  nested(60),
  nested(5000),
]

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let n = 0; n < depth; n++) value = n % 2 ? [value] : { a: value }
  return value
}

/** Generates requests for one operation after another. */
export function createRequests(school: School, random: Random) {
  const sound = new Map<Endpoint, Input>()

  function soundInput(endpoint: Endpoint): Input {
    try {
      sound.set(endpoint, validInput(endpoint, school))
    } catch {
      // Stock may be used up. The last input was still valid when it was built.
    }
    return sound.get(endpoint) ?? {}
  }

  return (endpoint: Endpoint): HostileRequest => {
    const input = { ...soundInput(endpoint) }
    const names = parametersOf(endpoint).map(({ name }) => name)
    const faults = random.below(4)
    for (let n = 0; n < faults; n++) {
      const name = random.pick([...names, 'unknown'])
      if (random.below(5) === 0) delete input[name]
      else input[name] = random.below(4) === 0 ? noise(random) : random.pick(hostileValues)
    }
    return endpoint.method === 'GET' ? { query: queryOf(input, random), headers: {} } : bodyOf(input, random)
  }
}

function noise(random: Random): string {
  return String.fromCharCode(...Array.from({ length: random.below(40) }, () => random.below(0xffff)))
}

function queryOf(input: Input, random: Random): string {
  const pairs = Object.entries(input).map(
    ([name, value]) => `${name}=${encodeURIComponent(asText(value).toWellFormed())}`,
  )
  if (random.below(20) === 0)
    pairs.push(random.pick(['%', '%zz=1', '&&&', '=', 'corp_id=x', '%c0%af=1', '[]=1']))
  // The head of a request has room for 16 kB.
  return pairs.join('&').slice(0, 12_000)
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function bodyOf(input: Input, random: Random): HostileRequest {
  const text = JSON.stringify(input)
  switch (random.below(24)) {
    case 0:
      return { body: text.slice(0, random.below(text.length + 1)), headers: json }
    case 1:
      return { body: Buffer.from(text, 'utf16le'), headers: json }
    case 2:
      return { body: Buffer.from(Array.from({ length: 200 }, () => random.below(256))), headers: json }
    case 3:
      return { body: text, headers: { 'Content-Type': random.pick(['text/plain', 'application/xml', 'x']) } }
    case 4:
      return { body: text, headers: { 'Content-Type': 'application/json; charset=latin1' } }
    case 5:
      return { body: `${text}${text}`, headers: json }
    case 6:
      return { body: text.replace('{', '{"__proto__":{"x":1},'), headers: json }
    case 7:
      return { body: text, headers: { ...json, 'Content-Encoding': 'gzip' } }
    case 8:
      return {
        body: text,
        headers: { ...json, 'Idempotency-Key': noiseKey(random), 'X-Request-Id': noiseKey(random) },
      }
    default:
      return { body: text, headers: json }
  }
}

function noiseKey(random: Random): string {
  return Array.from({ length: random.below(300) }, () => String.fromCharCode(0x21 + random.below(94))).join(
    '',
  )
}

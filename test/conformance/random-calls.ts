import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { attemptsOf } from '../harness/attempts.ts'
import { callBody, callQuery } from './requests.ts'
import type { Stage } from './stage.ts'
import { type Input, parametersOf, validInput } from './valid-inputs.ts'

/** Random calls per operation. `npm run test:long` makes more, `npm run test:faults` a million in total. */
const numRuns = attemptsOf('MATRICULA_RANDOM_CALLS', 4)

/** Created once: fast-check takes 50 ms of CPU for each arbitrary that makes texts of all characters. */
const anyText = fc.string({ unit: 'binary' })
const anyJson = fc.jsonValue()

/** Every response to random input fits the contract and is no failure of the service. */
export function testRandomCalls(endpoint: Endpoint, stage: Stage): void {
  const isQuery = endpoint.method === 'GET'

  test('random parameters never break the service', async () => {
    const valid = validInput(endpoint, stage.school)
    const parameters = mixed(endpoint, valid, isQuery ? anyText : anyJson)
    const property = fc.asyncProperty(parameters, async (input) => {
      const answer = isQuery
        ? await callQuery(stage, endpoint, queryOfWellFormed(input))
        : await callBody(stage, endpoint, JSON.stringify(input))
      expect(answer.status).toBeLessThan(500)
    })
    await fc.assert(property, { numRuns })
  })

  test('random bytes never break the service', async () => {
    const property = fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      const answer = isQuery
        ? await callQuery(stage, endpoint, escaped(bytes))
        : await callBody(stage, endpoint, Buffer.from(bytes))
      expect(answer.status).toBeLessThan(500)
    })
    await fc.assert(property, { numRuns: Math.ceil(numRuns / 3) })
  })
}

/** Each parameter is valid, absent or random; often enough valid that calls reach the database. */
function mixed(endpoint: Endpoint, valid: Input, anything: fc.Arbitrary<unknown>): fc.Arbitrary<Input> {
  const fields = parametersOf(endpoint).map(({ name }) => {
    const sound = name in valid ? fc.constant(valid[name]) : fc.constant(undefined)
    const weight = name === 'corp_id' ? 50 : 6
    const field = fc.oneof(
      { weight, arbitrary: sound },
      { weight: 1, arbitrary: fc.constant(undefined) },
      { weight: 3, arbitrary: anything },
    )
    return [name, field] as const
  })
  return fc.record(Object.fromEntries(fields)).map((input) => {
    return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
  })
}

function queryOfWellFormed(input: Input): string {
  const pairs = Object.entries(input).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`,
  )
  return pairs.join('&')
}

/** Bytes of a query string: printable ones as they are, others escaped, sometimes invalidly. */
function escaped(bytes: Uint8Array): string {
  const parts = Array.from(bytes, (byte) => {
    if (byte > 0x20 && byte < 0x7f && byte !== 0x23) return String.fromCharCode(byte)
    return byte < 8 ? '%' : `%${byte.toString(16).padStart(2, '0')}`
  })
  return parts.join('')
}

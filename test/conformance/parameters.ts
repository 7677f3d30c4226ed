import { expect, test } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { faultyBodies, faultyQueries } from './faulty-inputs.ts'
import { callQuery, paramsOf } from './requests.ts'
import type { Stage } from './stage.ts'
import { parametersOf, validInput } from './valid-inputs.ts'

/** The reported faults of one request. */
const mostFaults = 20

/** Missing and wrong parameters. */
export function testParameters(endpoint: Endpoint, stage: Stage): void {
  const parameters = parametersOf(endpoint)
  const required = parameters.filter(({ isRequired }) => isRequired)
  const names = parameters.map(({ name }) => name)
  const isQuery = endpoint.method === 'GET'
  const valid = () => validInput(endpoint, stage.school)
  const wrongBody = () =>
    Object.fromEntries(parameters.map(({ name, types }) => [name, types.includes('object') ? [] : {}]))

  test('one faulty parameter is refused by its name', async () => {
    const faults = isQuery ? faultyQueries(endpoint, valid()) : faultyBodies(endpoint, valid())
    const found = faults.map(async ({ title, param, sent }) => {
      const answer =
        typeof sent === 'string'
          ? await callQuery(stage, endpoint, sent)
          : await stage.server.call(endpoint, sent)
      return { title, code: answer.code, isNamed: answer.code !== 0 && paramsOf(answer).includes(param) }
    })
    const wanted = faults.map(({ title, code }) => ({ title, code, isNamed: true }))
    expect(await Promise.all(found)).toEqual(wanted)
  })

  if (required.length > 0) {
    test('all missing parameters are named at once', async () => {
      const answer = await stage.server.call(endpoint, {})
      expect(answer).toMatchObject({ status: 400, code: 40001 })
      expect(paramsOf(answer)).toEqual(expect.arrayContaining(required.map(({ name }) => name)))
      expect(names).toEqual(expect.arrayContaining(paramsOf(answer)))
    })
  }

  if (names.length > 0) {
    test('all wrong parameters are named at once', async () => {
      const answer = isQuery
        ? await callQuery(stage, endpoint, names.flatMap((name) => [`${name}=a`, `${name}=b`]).join('&'))
        : await stage.server.call(endpoint, wrongBody())
      expect(answer).toMatchObject({ status: 400, code: 40002 })
      expect(names).toEqual(expect.arrayContaining(paramsOf(answer)))
      expect(paramsOf(answer)).toHaveLength(Math.min(names.length, mostFaults))
    })
  }
}

/** Accepted edge cases: values at the limits, and empty optional query parameters. */
export function testLimits(endpoint: Endpoint, stage: Stage): void {
  const parameters = parametersOf(endpoint)
  const valid = () => validInput(endpoint, stage.school)

  test('a text as long as its limit is not too long', async () => {
    const texts = parameters.filter(
      ({ schema }) => ['line', 'text'].includes(schema.format!) && schema.maxLength,
    )
    for (const { name, schema } of texts) {
      // Four bytes a character: the limit counts characters, and the database must take them all.
      const answer = await stage.server.call(endpoint, { ...valid(), [name]: '𠮷'.repeat(schema.maxLength!) })
      expect(JSON.stringify(answer.data), name).not.toContain('characters long')
      expect(answer.status, name).toBeLessThan(500)
    }
  })

  if (endpoint.method === 'POST') return
  test('an optional query parameter that is empty counts as absent', async () => {
    const optional = parameters.filter(({ isRequired }) => !isRequired).map(({ name }) => [name, ''])
    const answer = await stage.server.call(endpoint, { ...valid(), ...Object.fromEntries(optional) })
    expect(answer.code).toBe(0)
  })

  test('true and false are what they say, and nothing else is', async () => {
    for (const { name } of parameters.filter(({ types }) => types.includes('boolean'))) {
      for (const value of ['true', 'false'])
        expect((await stage.server.call(endpoint, { ...valid(), [name]: value })).code, name).toBe(0)
      for (const value of ['1', 'True', 'yes'])
        expect((await stage.server.call(endpoint, { ...valid(), [name]: value })).code, name).toBe(40002)
    }
  })

  test('an integer may be as small and as large as its limits', async () => {
    for (const { name, schema } of parameters.filter(({ types }) => types.includes('integer'))) {
      for (const limit of [schema.minimum, schema.maximum, '007']) {
        if (limit === undefined) continue
        const answer = await stage.server.call(endpoint, { ...valid(), [name]: limit })
        expect(answer.code, `${name} ${limit}`).toBe(0)
      }
    }
  })
}

import { expect, test } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { type FaultyInput, faultyBodies, faultyQueries } from './faulty-inputs.ts'
import { callQuery, paramsOf } from './requests.ts'
import { refusedBy, serverCheck } from './server-check.ts'
import type { Stage } from './stage.ts'
import { type Input, parametersOf, validInput } from './valid-inputs.ts'

/** The reported faults of one request. */
const mostFaults = 20

/** Missing and invalid parameters. Those of a representative are all sent over HTTP. */
export function testParameters(endpoint: Endpoint, stage: Stage, isRepresentative: boolean): void {
  const parameters = parametersOf(endpoint)
  const required = parameters.filter(({ isRequired }) => isRequired)
  const names = parameters.map(({ name }) => name)
  const isQuery = endpoint.method === 'GET'
  const valid = () => validInput(endpoint, stage.school)
  const wrongBody = () =>
    Object.fromEntries(parameters.map(({ name, types }) => [name, types.includes('object') ? [] : {}]))

  const everyFault = (): FaultyInput<Input | string>[] =>
    isQuery ? faultyQueries(endpoint, valid()) : faultyBodies(endpoint, valid())

  test('one faulty parameter is refused by its name', async () => {
    const faults = everyFault()
    const check = serverCheck(endpoint)
    const found = faults.map(({ title, param, sent }) => {
      const refusal = check(sent)
      return { title, code: 'code' in refusal && refusal.code, isNamed: refusedBy(refusal).includes(param) }
    })
    expect(found).toEqual(faults.map(({ title, code }) => ({ title, code, isNamed: true })))
  })

  test('so it is over HTTP', async () => {
    const faults = isRepresentative ? everyFault() : oneOfEach(everyFault())
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

/** One fault of each parameter: of the first parameter the first, of the second the second, and so on. */
function oneOfEach(faults: FaultyInput<Input | string>[]): FaultyInput<Input | string>[] {
  const byParameter = Map.groupBy(faults, ({ param }) => param.split('.')[0])
  return [...byParameter.values()].map((all, n) => all[n % all.length]!)
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
      // Four bytes per character: the limit counts characters, and the database must accept them all.
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

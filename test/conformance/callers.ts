import { expect, test } from 'vitest'
import { tokenLifeMs } from '../../src/access/tokens/access-token.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { newId } from '../../src/contract/new-id.ts'
import { forgedTokens } from './forged-tokens.ts'
import { bodyOf } from './requests.ts'
import type { Stage } from './stage.ts'
import { validInput } from './valid-inputs.ts'

const malformedHeaders = ['Bearer', 'Bearer a b', 'Basic dXNlcjpwYXNz', 'Token abc', 'abc']

/** Calls as other callers than the sample account. */
function callerOf(endpoint: Endpoint, stage: Stage) {
  return (
    token: string | null,
    headers?: Record<string, string>,
    input = validInput(endpoint, stage.school),
  ) => stage.server.call(endpoint, input, { token, headers })
}

/** The callers that an operation refuses by its kind. */
export function testRights(endpoint: Endpoint, stage: Stage): void {
  const call = callerOf(endpoint, stage)

  test('a caller without a token is 40101', async () => {
    expect(await call(null)).toMatchObject({ status: 401, code: 40101 })
    expect(await call(null, { Authorization: '' })).toMatchObject({ status: 401, code: 40101 })
  })

  if (endpoint.permission) {
    const { permission } = endpoint
    test(`an account without the permission ${permission} is 40303`, async () => {
      expect(await call(stage.tokens.lacking[permission])).toMatchObject({ status: 403, code: 40303 })
    })
  }

  if (endpoint.scope !== 'organization') return
  test('an organization that is not granted is 40301, whether it exists or not', async () => {
    const foreign = await call(stage.tokens.stranger)
    const input = { ...validInput(endpoint, stage.school), corp_id: newId() }
    const missing = await call(stage.tokens.stranger, {}, input)
    expect(foreign).toMatchObject({ status: 403, code: 40301 })
    expect(bodyOf(foreign)).toEqual(bodyOf(missing))
  })
}

/** The code that identifies a caller. */
export function testCallers(endpoint: Endpoint, stage: Stage): void {
  const call = callerOf(endpoint, stage)

  test('a malformed Authorization header is 40102', async () => {
    const malformed = [...malformedHeaders, `bearer${stage.tokens.sample}`, stage.tokens.sample]
    const answers = malformed.map(async (Authorization) => [
      Authorization,
      (await call(null, { Authorization })).code,
    ])
    expect(await Promise.all(answers)).toEqual(malformed.map((header) => [header, 40102]))
  })

  test('a token without Bearer is refused with this reason', async () => {
    const { msg } = await call(null, { Authorization: stage.tokens.sample })
    expect(msg).toBe('Authorization must be Bearer followed by a space and the token.')
  })

  test('a forged token is 40102', async () => {
    const forged = Object.entries(forgedTokens(stage.tokens.sample))
    const answers = forged.map(async ([how, token]) => [how, (await call(token)).code])
    expect(await Promise.all(answers)).toEqual(forged.map(([how]) => [how, 40102]))
  })

  test('a token is 40103 once its two hours are over', async () => {
    const token = await stage.server.tokenOf(stage.server.sample)
    try {
      stage.server.setNow(new Date(Date.now() + tokenLifeMs + 1000))
      expect(await call(token)).toMatchObject({ status: 401, code: 40103 })
    } finally {
      stage.server.setNow(undefined)
    }
  })

  test('a revoked token is 40104', async () => {
    expect(await call(stage.tokens.revoked)).toMatchObject({ status: 401, code: 40104 })
  })

  test('X-APP-ID that disagrees with the token is 40302', async () => {
    const { stranger, sample } = stage.tokens
    expect(await call(sample, { 'X-APP-ID': newId() })).toMatchObject({ status: 403, code: 40302 })
    expect(await call(stranger, { 'X-APP-ID': stage.server.sample.app_id })).toMatchObject({ code: 40302 })
  })
}

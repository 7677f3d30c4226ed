import { accountEndpoint, exampleIds } from '../../contract/endpoint.ts'
import { IsoInstant } from '../../contract/fields.ts'
import { Type } from '../../contract/type.ts'

/** Interface › Token and verification › verify. The call itself checks the token. */
export const verifyToken = accountEndpoint({
  id: 'verifyToken',
  method: 'GET',
  path: '/api/v5/authentication/verify',
  group: 'Tokens',
  since: 'Ver5.2023-11-01',
  guard: { effect: 'reads', people: 'none' },
  summary: 'Check that a token is valid',
  input: Type.Object({}),
  data: Type.Object({ app_id: Type.String(), result: Type.String(), time: IsoInstant }),
  example: {
    input: {},
    data: { app_id: exampleIds.app_id, result: 'valid', time: '2026-11-15T02:00:00.000Z' },
  },
  async handle({ account, now }) {
    return { app_id: account.app_id, result: 'valid', time: now.toISOString() }
  },
})

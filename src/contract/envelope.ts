import type { ApiError, ParameterFault } from './errors.ts'
import { type TSchema, Type } from './type.ts'

/** Every response of the service, a failure included, has exactly these three members. */
export interface Envelope {
  code: number
  msg: string
  data: unknown
}

export function success(data: unknown): Envelope {
  return { code: 0, msg: 'success', data }
}

interface FailureData {
  request_id: string
  errors: ParameterFault[]
  allowed?: string[]
}

export function failure(error: ApiError, requestId: string): Envelope {
  const { errors = [], allowed, extra } = error.details
  const data: FailureData = { request_id: requestId, errors, ...(allowed && { allowed }), ...extra }
  return { code: error.code, msg: error.message, data }
}

/** The schema of a success around the data of an operation. */
export function envelopeOf(data: TSchema) {
  return Type.Object({ code: Type.Integer(), msg: Type.String(), data }, { additionalProperties: false })
}

export const Failure = Type.Object({
  code: Type.Integer({ description: 'HTTP status × 100 + n; see the error catalogue' }),
  msg: Type.String({ description: 'One sentence that a person can act on' }),
  data: Type.Object({
    request_id: Type.String(),
    errors: Type.Array(Type.Object({ param: Type.String(), reason: Type.String() })),
    allowed: Type.Optional(Type.Array(Type.String({ description: 'A move that is allowed instead' }))),
  }),
})

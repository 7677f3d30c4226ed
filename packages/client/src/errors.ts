import type { ErrorCodes } from './generated/types.ts'

/** Codes of failures: HTTP status × 100 + n. */
export type ErrorCode = keyof ErrorCodes

export interface ParameterFault {
  param: string
  reason: string
}

interface Circumstances {
  /** Group and method, such as orders.list. */
  operation: string
  /** The id of the call in the log of the service. */
  requestId: string
  /** Attempts that were made. */
  attempts: number
}

/** Failures that the same call may overcome later. */
const passing: ErrorCode[] = [40106, 40114, 40905, 42901, 50301, 50302]

/** The service refused the call. */
export class MatriculaError extends Error {
  override readonly name = 'MatriculaError'
  readonly code: ErrorCode
  /** HTTP status. */
  readonly status: number
  /** Every faulty parameter. */
  readonly errors: ParameterFault[]
  /** The moves that are allowed instead (40904). */
  readonly allowed: string[]
  /** All data of the answer, such as the id of the record that has a taken value. */
  readonly data: Readonly<Record<string, unknown>>
  readonly operation: string
  readonly requestId: string
  readonly attempts: number
  /** Whether the same call may succeed later. Its retries were used up, or the service asked for a longer wait. */
  readonly retryable: boolean
  /** The wait that the service asked for. */
  readonly retryAfterMs: number | undefined

  constructor(
    { code, msg, data }: { code: number; msg: string; data: unknown },
    { operation, requestId, attempts }: Circumstances,
    retryAfterMs?: number,
  ) {
    const { errors, allowed, request_id } = (data ?? {}) as {
      errors?: ParameterFault[]
      allowed?: string[]
      request_id?: string
    }
    super(`${msg} (${code}, ${operation}, request ${request_id ?? requestId})`)
    this.code = code as ErrorCode
    this.status = Math.floor(code / 100)
    this.errors = errors ?? []
    this.allowed = allowed ?? []
    this.data = (data ?? {}) as Record<string, unknown>
    this.operation = operation
    this.requestId = request_id ?? requestId
    this.attempts = attempts
    this.retryable = passing.includes(this.code)
    this.retryAfterMs = retryAfterMs
  }
}

interface Unusable {
  cause?: unknown
  status?: number
  retryAfterMs?: number | undefined
  /** Whether it is an answer of the service that arrived in part. */
  isCut?: boolean
}

/** There was no usable answer: no connection, a timeout, a cut or foreign body. The service may have done what was asked. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  /** HTTP status, if a foreign answer had one. */
  readonly status: number | undefined
  readonly operation: string
  readonly requestId: string
  readonly attempts: number
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined

  constructor(
    { operation, requestId, attempts }: Circumstances,
    reason: string,
    { cause, status, retryAfterMs, isCut = false }: Unusable = {},
  ) {
    super(`${reason} (${operation}, request ${requestId})`, { cause })
    this.status = status
    this.operation = operation
    this.requestId = requestId
    this.attempts = attempts
    // Otherwise a gateway answers for good, such as that it forbids the address.
    const isPassing =
      status === undefined || status < 300 || status === 408 || status === 429 || status >= 500
    this.retryable = isPassing || isCut
    this.retryAfterMs = retryAfterMs
  }
}

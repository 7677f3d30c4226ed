import { failure } from '../contract/envelope.ts'
import { ApiError } from '../contract/errors.ts'
import { RenderedJson } from '../contract/rendered-json.ts'
import { serviceVersion } from '../contract/service-version.ts'
import { isUnavailable } from '../database/availability.ts'
import type { Call } from './call.ts'

const retryAfterSeconds = 2

export const commonHeaders = {
  'x-service-version': serviceVersion,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** Idle connections are kept longer than load balancers usually keep theirs, which is a minute. */
export const idleSeconds = 72

export const jsonType = 'application/json; charset=utf-8'

const usualHeaders = [...Object.entries(commonHeaders).flat(), 'content-type', jsonType]
const keptAliveHeaders = [...usualHeaders, 'keep-alive', `timeout=${idleSeconds}`]

/** The body of a response. */
export type Body = string | RenderedJson

/** Sends a response. A buffer is sent as it is. */
export function send({ response, requestId, headers }: Call, status: number, body: Body | Buffer): void {
  const isRendered = body instanceof RenderedJson
  const length = isRendered ? body.length : Buffer.byteLength(body)
  const common = headers.includes('connection') ? usualHeaders : keptAliveHeaders
  response.writeHead(status, [
    ...common,
    'x-request-id',
    requestId,
    'content-length',
    `${length}`,
    ...headers,
  ])
  // With one byte per character, latin1 writes the same bytes as utf8, faster.
  response.end(isRendered ? body.response : body, length === body.length ? 'latin1' : 'utf8')
}

/** A failure as it is sent. */
export interface Failure {
  status: number
  code: number
  body: string
  retryAfterSeconds: number | undefined
}

/** Logs a failure that is not the fault of the caller. */
export type LogFault = (level: 'warn' | 'error', error: unknown, requestId: string, msg: string) => void

/** Renders a failure. An unknown error is 50001: logged in full, never echoed. */
export function failureOf(error: unknown, requestId: string, logFault: LogFault): Failure {
  const known = toApiError(error, requestId, logFault)
  const { status, code, details } = known
  const body = JSON.stringify(failure(known, requestId))
  return { status, code, body, retryAfterSeconds: details.retryAfterSeconds }
}

function toApiError(error: unknown, requestId: string, logFault: LogFault): ApiError {
  if (error instanceof ApiError) return error
  if (isUnavailable(error as Error)) {
    logFault('warn', error, requestId, 'the database is not available')
    return new ApiError('unavailable', { retryAfterSeconds })
  }
  logFault('error', error, requestId, 'unexpected error')
  return new ApiError('internal')
}

export function malformed(): ApiError {
  return new ApiError('invalidParameter', {
    msg: 'The request is not well-formed HTTP or did not arrive in time.',
  })
}

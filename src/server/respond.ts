import { failure } from '../contract/envelope.ts'
import { ApiError } from '../contract/errors.ts'
import { isUnavailable } from '../database/availability.ts'
import { serviceVersion } from '../service-version.ts'
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

export const jsonType = 'application/json; charset=utf-8'

const headersOfAll = [...Object.entries(commonHeaders).flat(), 'content-type', jsonType]

/** Sends an answer whole. */
export function send({ response, requestId, headers }: Call, status: number, body: string | Buffer): void {
  const length = String(Buffer.byteLength(body))
  const all = headersOfAll.concat(['x-request-id', requestId, 'content-length', length], headers as string[])
  response.writeHead(status, all).end(body)
}

/** A failure as it is answered. */
export interface Failure {
  status: number
  code: number
  body: string
  retryAfterSeconds: number | undefined
}

/** What tells the log of a failure that is no fault of the caller. */
export type LogFault = (level: 'warn' | 'error', error: unknown, requestId: string, msg: string) => void

/** The one place where failures become answers. What is unknown is 50001: logged whole, never echoed. */
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

import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../contract/endpoint.ts'
import { failure } from '../contract/envelope.ts'
import { ApiError, type ErrorName } from '../contract/errors.ts'
import { isUnavailable } from '../database/availability.ts'
import { serviceVersion } from '../service-version.ts'
import { newRequestId } from './request-id.ts'

const retryAfterSeconds = 2

export const commonHeaders = {
  'x-service-version': serviceVersion,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

export function setCommonHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders)
    reply.header('x-request-id', request.id)
    const lacksHost = request.raw.httpVersion === '1.1' && request.headers.host === undefined
    done(lacksHost ? malformed() : undefined)
  })
}

/** What a caller expects beyond 100-continue may be ignored; the refusal of the platform would have no body. */
export function ignoreExpectations(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
}

/** The one place where failures become responses. What is unknown is 50001: logged whole, never echoed. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((error, request, reply) =>
    answer(request, reply, toApiError(error, request)),
  )
}

/** An address that cannot be decoded reaches neither a route nor a hook. */
export function answerBeforeRouting(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(commonHeaders).header('x-request-id', request.id)
  answer(request, reply, toApiError(error, request))
}

export function answerUnknownRoutes(app: FastifyInstance, endpoints: Endpoint[]): void {
  const methods = new Map<string, string>()
  for (const { path, method } of endpoints) methods.set(path, method === 'GET' ? 'GET, HEAD' : method)
  app.setNotFoundHandler((request, reply) => {
    const allowed = methods.get(request.url.split('?', 1)[0]!)
    if (allowed === undefined) return answer(request, reply, new ApiError('routeNotFound'))
    reply.header('Allow', allowed)
    const msg = `The route takes ${allowed}, not ${request.method}.`
    return answer(request, reply, new ApiError('methodNotAllowed', { msg }))
  })
}

/** What never became a request (broken HTTP, oversized headers, a caller too slow) is answered in the envelope too. */
export function answerClientErrors(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const failed = error.code === 'HPE_HEADER_OVERFLOW' ? new ApiError('headersTooLarge') : malformed()
  const requestId = newRequestId()
  const body = JSON.stringify(failure(failed, requestId))
  const headers = {
    ...commonHeaders,
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${failed.status} ${STATUS_CODES[failed.status]}\r\n${lines.join('')}` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

function malformed(): ApiError {
  return new ApiError('invalidParameter', {
    msg: 'The request is not well-formed HTTP or did not arrive in time.',
  })
}

function answer(request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply {
  const { retryAfterSeconds } = error.details
  if (retryAfterSeconds !== undefined) reply.header('Retry-After', retryAfterSeconds)
  request.failureCode = error.code
  return reply
    .code(error.status)
    .header('Content-Type', 'application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(failure(error, request.id))
}

const namesOfServerErrors: Record<string, ErrorName> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'bodyTooLarge',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupportedMediaType',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'notJson',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'notJson',
  FST_ERR_BAD_URL: 'routeNotFound',
}

function toApiError(error: FastifyError, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error
  const known = namesOfServerErrors[error.code]
  if (known) return new ApiError(known)
  // Nobody reads this answer any more; above all, the reset connection is not the database's.
  if (request.raw.destroyed && !request.raw.complete) return new ApiError('notJson')
  if (isUnavailable(error)) {
    request.log.warn({ request_id: request.id, err: error }, 'the database is not available')
    return new ApiError('unavailable', { retryAfterSeconds })
  }
  request.log.error({ request_id: request.id, err: error }, 'unexpected error')
  return new ApiError('internal')
}

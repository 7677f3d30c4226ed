import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import { ApiError } from '../../contract/errors.ts'
import { longest } from '../../contract/lengths.ts'
import { requestIdOf } from '../request-id.ts'
import type { RequestLogEntry } from '../request-log.ts'
import { commonHeaders, failureOf, jsonType, type LogFault, malformed } from '../respond.ts'
import { isNavigation } from './navigation.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The code that was answered, 0 until a failure. */
    failureCode: number
  }
}

/** A connection can ask for many pages before it reads the first, and each may hold a file open. */
const mostAtATime = 256

/** Whatever is no operation: health, metrics, documentation. Paths that are none of these end here, too. */
export function createPages(
  log: Logger,
  logFault: LogFault,
  note: (entry: RequestLogEntry) => void,
): FastifyInstance {
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    // Its own lines would show addresses with their query strings.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (request) => requestIdOf(request),
    requestIdHeader: false,
    // Addresses hold ids of organizations; a character takes nine places there at most.
    routerOptions: { maxParamLength: 9 * longest.id },
    return503OnClosing: false,
  })
  app.decorateRequest('failureCode', 0)
  let underWay = 0
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders).header('x-request-id', request.id)
    underWay++
    reply.raw.once('close', () => underWay--)
    if (underWay > mostAtATime) return done(new ApiError('unavailable', { retryAfterSeconds: 1 }))
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) return done(malformed())
    // Before a body is looked at, which nobody wants.
    done(request.is404 && !isNavigation(request) ? new ApiError('routeNotFound') : undefined)
  })
  app.addHook('onResponse', (request, reply, done) => {
    note({
      request_id: request.id,
      operation: undefined,
      route: request.routeOptions.url,
      method: request.method,
      status: reply.statusCode,
      code: request.failureCode,
      app_id: undefined,
      ms: reply.elapsedTime,
    })
    done()
  })
  app.setErrorHandler((error, request, reply) => {
    const { status, code, body, retryAfterSeconds } = failureOf(error, request.id, logFault)
    request.failureCode = code
    if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
    return reply.code(status).type(jsonType).send(body)
  })
  return app
}

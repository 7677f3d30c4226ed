import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import { endpoints } from '../endpoints.ts'
import type { TrustProxy } from '../limits/client-address.ts'
import { acceptJsonObjects } from './json-body.ts'
import { logAnswers } from './log.ts'
import { addMetrics } from './metrics.ts'
import { addDocs } from './pages/docs.ts'
import { addHealth } from './pages/health.ts'
import { parseQueryString } from './query-string.ts'
import { addQuickReads } from './quick-reads.ts'
import { requestIdOf } from './request-id.ts'
import { type NoteAnswer, noteAnswers } from './request-log.ts'
import {
  answerBeforeRouting,
  answerClientErrors,
  answerErrors,
  answerUnknownRoutes,
  ignoreExpectations,
  setCommonHeaders,
} from './respond.ts'
import { addRoutes } from './routes.ts'
import type { Services } from './services.ts'

export interface HttpOptions {
  log: Logger
  bodyLimitBytes: number
  requestTimeoutMs: number
  trustProxy: TrustProxy
}

/** The HTTP server over the catalogue. It listens to nothing yet. */
export async function buildApp(services: Services, options: HttpOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    // Its own lines would show addresses with their query strings; logRequests writes ours.
    logController: new LogController({ disableRequestLogging: true }),
    // A logger of its own for every request would be among its greatest costs; whoever logs names the request.
    childLoggerFactory: (log) => log,
    bodyLimit: options.bodyLimitBytes,
    // Fastify's own defaults leave every one of these open.
    requestTimeout: options.requestTimeoutMs,
    connectionTimeout: options.requestTimeoutMs * 2,
    http: {
      // Node takes the greater of the two for the whole request, and this one is a minute by default.
      headersTimeout: options.requestTimeoutMs,
      // How exactly the time limit is kept; every 30 seconds by default, which would double it.
      connectionsCheckingInterval: Math.ceil(options.requestTimeoutMs / 10),
      // Its refusal would have no body; setCommonHeaders refuses in the envelope.
      requireHostHeader: false,
    },
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    genReqId: (request) => requestIdOf(request),
    requestIdHeader: false,
    return503OnClosing: false,
    routerOptions: { querystringParser: parseQueryString },
    clientErrorHandler: answerClientErrors,
    frameworkErrors: answerBeforeRouting,
  })
  acceptJsonObjects(app)
  ignoreExpectations(app)
  setCommonHeaders(app)
  answerErrors(app)
  answerUnknownRoutes(app, endpoints)
  const notes = [logAnswers(options.log), addMetrics(app, services)]
  const note: NoteAnswer = (answered) => {
    for (const each of notes) each(answered)
  }
  noteAnswers(app, note)
  addHealth(app, services)
  addRoutes(app, services, endpoints, options.trustProxy)
  addQuickReads(app, services, endpoints, note)
  await addDocs(app, endpoints)
  return app
}

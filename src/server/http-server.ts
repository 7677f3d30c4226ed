import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { TrustProxy } from '../access/client-address.ts'
import { catalogue } from '../endpoints.ts'
import type { Services } from './call.ts'
import { answerClientErrors } from './client-errors.ts'
import { createDispatch } from './dispatch.ts'
import { addMetrics } from './metrics.ts'
import { createCallObserver, type ObserverSettings } from './observe-calls.ts'
import { createOperation } from './operation.ts'
import { addConsole } from './pages/console.ts'
import { addDocs } from './pages/docs.ts'
import { addDocuments } from './pages/documents.ts'
import { addExports, addReceipts } from './pages/downloads.ts'
import { addEventStream } from './pages/event-stream.ts'
import { addHealth, createPages } from './pages/pages.ts'
import { addPaymentPage } from './pages/payment-page.ts'
import { addLogos, findSchoolLook } from './pages/school-look.ts'
import { createRequestLog, type RequestLogEntry } from './request-log.ts'
import { createRequestMetrics } from './request-metrics.ts'
import { idleSeconds, type LogFault } from './respond.ts'
import { cookieOf } from './session-cookie.ts'
import { createRateLimit } from './steps/rate-leases.ts'
import { createUnsentBytes, type UnsentLimits } from './unsent-bytes.ts'

export interface HttpOptions extends ObserverSettings {
  log: Logger
  bodyLimitBytes: number
  requestTimeoutMs: number
  trustProxy: TrustProxy
  /** Where browsers reach the console. Absent: localhost. */
  publicUrl?: URL | undefined
  /** The console is built here unless the package contains it. */
  dataDir: string
  unsentLimits?: UnsentLimits
  /** Schools have metrics of their own if there are at most this many. Absent: none has. */
  metricsSchools?: number
}

export interface HttpServer {
  server: Server
  /** The metrics of this process. */
  metrics(): Promise<Registry>
  /** Accepts no more connections. Resolves when the last one has ended. */
  close(): Promise<void>
}

/** The HTTP server of the catalogue. It does not listen yet. */
export function createHttpServer(services: Services, options: HttpOptions): HttpServer {
  const { log, requestTimeoutMs } = options
  const server = createServer({
    // Node's defaults are minutes. The greater of the two applies to the whole request.
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    // Node checks the limits at this interval; the default of 30 seconds would double them.
    connectionsCheckingInterval: Math.ceil(requestTimeoutMs / 10),
    // The socket timeout below applies instead: this one would be set and cleared for every request.
    keepAliveTimeout: 0,
    // Node's refusal has no body. The dispatcher refuses in the envelope.
    requireHostHeader: false,
    // A request without a body need not be read to its end.
    optimizeEmptyRequests: true,
  })
  server.setTimeout(Math.max(requestTimeoutMs * 2, idleSeconds * 1000))

  const logFault: LogFault = (level, err, request_id, msg) => log[level]({ request_id, err }, msg)
  const requestLog = createRequestLog(log)
  const requestMetrics = createRequestMetrics()
  const note = (entry: RequestLogEntry) => {
    requestLog.note(entry)
    requestMetrics.note(entry)
  }
  const unsent = createUnsentBytes(options.unsentLimits)
  const pages = createPages(logFault, note)
  const metrics = addMetrics(pages, services, {
    requests: requestMetrics,
    unsent,
    mostSchools: options.metricsSchools ?? 0,
  })
  addHealth(pages, services)
  addExports(pages, services, { trustProxy: options.trustProxy, publicUrl: options.publicUrl })
  addReceipts(pages, services)
  addDocuments(pages, services)
  addPaymentPage(pages, services, { trustProxy: options.trustProxy, publicUrl: options.publicUrl })
  addDocs(pages)
  addConsole(
    pages,
    options.dataDir,
    (request) => cookieOf(request, 'session', options.publicUrl) !== undefined,
    // Without its database, the service still shows the page.
    (corp_id) => findSchoolLook(services, corp_id).catch(() => undefined),
  )
  addLogos(pages, services)

  const checks = {
    limitRate: createRateLimit(services.memory.rateCounter),
    unsent,
    trustProxy: options.trustProxy,
    publicUrl: options.publicUrl,
    bodyLimitBytes: options.bodyLimitBytes,
  }
  addEventStream(pages, services, checks)
  const dispatch = createDispatch({
    endpoints: catalogue,
    operationOf: (endpoint) => createOperation(endpoint, services, checks),
    pages: pages.answer,
    unsent,
    isLeaving: services.isLeaving,
    note,
    observer: createCallObserver(options, log),
    logFault,
  })
  const noteRequest = answerClientErrors(server)
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    noteRequest(response)
    dispatch(request, response)
  }
  server.on('request', answer)
  // Other expectations than 100-continue are ignored: Node's refusal has no body.
  server.on('checkExpectation', answer)
  return {
    server,
    metrics,
    async close() {
      if (server.listening) await new Promise((resolve) => server.close(resolve))
      requestLog.close()
    },
  }
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { TrustProxy } from '../access/client-address.ts'
import { catalogue } from '../endpoints.ts'
import { answerClientErrors } from './client-errors.ts'
import { createDispatch } from './dispatch.ts'
import { addMetrics } from './metrics.ts'
import { createOperation } from './operation.ts'
import { addConsole } from './pages/console.ts'
import { addDocs } from './pages/docs.ts'
import { addExports } from './pages/exports.ts'
import { addHealth } from './pages/health.ts'
import { createPages } from './pages/pages.ts'
import { addReceipts } from './pages/receipts.ts'
import { createRequestLog, type RequestLogEntry } from './request-log.ts'
import { createRequestMetrics } from './request-metrics.ts'
import { idleSeconds, type LogFault } from './respond.ts'
import type { Services } from './services.ts'
import { createRateLimit } from './steps/limit-rate.ts'
import { createUnsentBytes, type UnsentLimits } from './unsent-bytes.ts'

export interface HttpOptions {
  log: Logger
  bodyLimitBytes: number
  requestTimeoutMs: number
  trustProxy: TrustProxy
  /** Where browsers reach the console; absent: at localhost. */
  publicUrl?: URL | undefined
  /** Where the console may have been built. */
  dataDir: string
  unsentLimits?: UnsentLimits
}

export interface HttpServer {
  server: Server
  /** The metrics of this process. */
  metrics: Registry
  /** Takes no more connections, and resolves when the last one has ended. */
  close(): Promise<void>
}

/** The HTTP server over the catalogue. It listens to nothing yet. */
export function createHttpServer(services: Services, options: HttpOptions): HttpServer {
  const { log, requestTimeoutMs } = options
  const server = createServer({
    // Node's own defaults are minutes; the greater of the two holds for the whole request.
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    // How exactly the time limit is kept; every 30 seconds by default, which would double it.
    connectionsCheckingInterval: Math.ceil(requestTimeoutMs / 10),
    // Silence has one limit, below: another one between requests would be set and taken back for every request.
    keepAliveTimeout: 0,
    // Its refusal would have no body; the dispatcher refuses in the envelope.
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
  const metrics = addMetrics(pages, services, requestMetrics, unsent)
  addHealth(pages, services)
  addExports(pages, services, { trustProxy: options.trustProxy, publicUrl: options.publicUrl })
  addReceipts(pages, services)
  addDocs(pages, catalogue)
  addConsole(pages, options.dataDir)

  const checks = {
    limitRate: createRateLimit(services.memory.rateCounter),
    unsent,
    trustProxy: options.trustProxy,
    publicUrl: options.publicUrl,
    bodyLimitBytes: options.bodyLimitBytes,
  }
  const dispatch = createDispatch({
    endpoints: catalogue,
    operationOf: (endpoint) => createOperation(endpoint, services, checks),
    pages: pages.answer,
    unsent,
    isLeaving: services.isLeaving,
    note,
    logFault,
  })
  const noteRequest = answerClientErrors(server)
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    noteRequest(response)
    dispatch(request, response)
  }
  server.on('request', answer)
  // What a caller expects beyond 100-continue may be ignored; the refusal of the platform would have no body.
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

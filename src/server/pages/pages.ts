import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { success } from '../../contract/envelope.ts'
import { ApiError } from '../../contract/errors.ts'
import { currentSchema } from '../../database/schema-store.ts'
import { requestIdOf, type Services } from '../call.ts'
import type { RequestLogEntry } from '../request-log.ts'
import { commonHeaders, failureOf, jsonType, type LogFault, malformed } from '../respond.ts'

/** The response of a page. */
export interface Page {
  status?: number
  /** The code in the log and the metrics of a page that reports a failure. */
  code?: number
  /** By lower-case name. They replace common headers. */
  headers?: Record<string, string | number>
  body: string | Buffer | Readable
}

/** Makes the response to a GET, given the parameters of the path. */
type MakePage = (params: Record<string, string>, request: IncomingMessage) => Page | Promise<Page>

/** Everything that is not an operation: health, metrics, documentation, console, files. */
export interface Pages {
  /** Adds the page of a path. A segment that begins with a colon is a parameter. */
  get(path: string, make: MakePage): void
  /** The same for a page that may take hours and limits its readers itself. It leaves the other pages their room. */
  getUncounted(path: string, make: MakePage): void
  /** Sets the page for people who navigate to an unknown path. Others get a failure in the envelope. */
  onUnknownPath(make: MakePage): void
  answer(request: IncomingMessage, response: ServerResponse): void
}

/** A connection can send many requests before it reads a response, and each may hold a file open. */
const maxConcurrent = 256

export function createPages(logFault: LogFault, note: (entry: RequestLogEntry) => void): Pages {
  const routes: Route[] = []
  let unknownPath: MakePage = () => {
    throw new ApiError('routeNotFound')
  }
  let concurrent = 0

  async function make(request: IncomingMessage, route: Route | undefined, path: string): Promise<Page> {
    const isCounted = route?.isCounted ?? true
    if (isCounted && concurrent > maxConcurrent) throw new ApiError('unavailable', { retryAfterSeconds: 1 })
    if (request.httpVersion === '1.1' && request.headers.host === undefined) throw malformed()
    if (route) return route.make(paramsOf(route, path), request)
    if (!isNavigation(request)) throw new ApiError('routeNotFound')
    return unknownPath({}, request)
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const beganMs = performance.now()
    const requestId = requestIdOf(request)
    const { method = '', url = '' } = request
    const [path = ''] = url.split('?', 1)
    const isGet = method === 'GET' || method === 'HEAD'
    const route = isGet ? routes.find(({ pattern }) => pattern.test(path)) : undefined
    const counts = (route?.isCounted ?? true) ? 1 : 0
    let code = 0
    concurrent += counts
    response.once('close', () => {
      concurrent -= counts
      const ms = performance.now() - beganMs
      const entry = { request_id: requestId, operation: undefined, route: route?.path, method, ms }
      note({ ...entry, status: response.statusCode, code, app_id: undefined })
    })
    let page: Page
    try {
      page = await make(request, route, path)
      code = page.code ?? 0
    } catch (error) {
      const failure = failureOf(error, requestId, logFault)
      code = failure.code
      const { status, body, retryAfterSeconds } = failure
      page = { status, headers: { 'content-type': jsonType }, body }
      if (retryAfterSeconds !== undefined) response.setHeader('retry-after', retryAfterSeconds)
    }
    send(page, requestId, response, (error) =>
      logFault('error', error, requestId, 'a page could not be sent to its end'),
    )
  }

  return {
    get: (path, make) => void routes.push({ ...routeOf(path, make), isCounted: true }),
    getUncounted: (path, make) => void routes.push({ ...routeOf(path, make), isCounted: false }),
    onUnknownPath(make) {
      unknownPath = make
    },
    answer: (request, response) => void answer(request, response),
  }
}

interface Route {
  path: string
  pattern: RegExp
  make: MakePage
  isCounted: boolean
}

/** Segments need no decoding: the dispatcher lets escapes pass in ids of screens only, which the console reads itself. */
function routeOf(path: string, make: MakePage): Omit<Route, 'isCounted'> {
  const segments = path
    .split('/')
    .map((segment) => (segment.startsWith(':') ? `(?<${segment.slice(1)}>[^/]*)` : RegExp.escape(segment)))
  return { path, pattern: new RegExp(`^${segments.join('/')}$`), make }
}

function paramsOf({ pattern }: Route, path: string): Record<string, string> {
  return pattern.exec(path)?.groups ?? {}
}

function send(
  page: Page,
  requestId: string,
  response: ServerResponse,
  onFault: (error: Error) => void,
): void {
  const { status = 200, headers, body } = page
  const length = body instanceof Readable ? {} : { 'content-length': Buffer.byteLength(body) }
  response.writeHead(status, { ...commonHeaders, 'x-request-id': requestId, ...length, ...headers })
  if (!(body instanceof Readable)) response.end(body)
  else if (response.req.method === 'HEAD' || response.destroyed) {
    // The reader asked for no body, or disconnected while the page was rendered.
    body.destroy()
    response.end()
  } else
    pipeline(body, response, (error) => {
      // A reader that disconnects early is no fault.
      if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') onFault(error)
    })
}

/**
 * /healthz: the process answers. /readyz: the database is reachable, and this version may write to its schema. Both say
 * whether the service is read-only, which is no reason to send requests elsewhere.
 */
export function addHealth(pages: Pages, services: Services): void {
  pages.get('/healthz', () => jsonPage({ status: 'alive', is_read_only: services.isReadOnly() }))

  pages.get('/readyz', async () => {
    if (services.isDraining()) throw unready('The server is stopping.')
    const { schema, oldest_writer } = await currentSchema(services.db.shared)
    const { wantedSchema } = services
    if (schema < wantedSchema || oldest_writer > wantedSchema) {
      throw unready(`The database has schema ${schema}; this server works with ${wantedSchema}.`)
    }
    return jsonPage({ status: 'ready', schema, is_read_only: services.isReadOnly() })
  })
}

function jsonPage(data: object): Page {
  return { headers: { 'content-type': jsonType }, body: JSON.stringify(success(data)) }
}

function unready(msg: string): ApiError {
  return new ApiError('unavailable', { msg, retryAfterSeconds: 2 })
}

/** Paths that programs and pages fetch. A missing one is reported in the envelope, not as a page. */
const notForReaders =
  /^\/(?:api|docs|assets|exports|receipts|documents|pay|metrics|healthz|readyz|openapi(?:-console)?\.json)(?:[/?]|$)/

/** Whether a person navigates to the address with a browser, rather than a page or a program fetching it. */
function isNavigation({ method, url = '', headers }: IncomingMessage): boolean {
  const mode = headers['sec-fetch-mode']
  return (
    method === 'GET' &&
    (mode === undefined || mode === 'navigate') &&
    /\btext\/html\b/.test(headers.accept ?? '') &&
    !notForReaders.test(url)
  )
}

/** A page of HTML with its content security policy. */
export function htmlPage(body: string, policy: string, headers: Page['headers'] = {}): Page {
  return {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy, ...headers },
    body,
  }
}

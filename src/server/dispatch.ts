import type { IncomingMessage, ServerResponse } from 'node:http'
import { timed } from '../contract/call-times.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { ApiError } from '../contract/errors.ts'
import { beginCall, type Call } from './call.ts'
import { compressed, isLong } from './compress.ts'
import type { CallObserver } from './observe-calls.ts'
import type { Operation } from './operation.ts'
import type { RequestLogEntry } from './request-log.ts'
import { type Body, failureOf, type LogFault, malformed, send } from './respond.ts'
import type { UnsentBytes } from './unsent-bytes.ts'

interface Dispatch {
  endpoints: Endpoint[]
  operationOf(endpoint: Endpoint): Operation
  /** Answers paths outside the catalogue. */
  pages(request: IncomingMessage, response: ServerResponse): void
  unsent: UnsentBytes
  isLeaving(): boolean
  note(entry: RequestLogEntry): void
  observer: CallObserver
  logFault: LogFault
}

type Operations = Map<string | undefined, Operation>

/** Entry point of all requests. Paths of the catalogue are exact, so a map finds the operation without a router. */
export function createDispatch(dispatch: Dispatch) {
  const paths = operationsByPath(dispatch)
  const { observer } = dispatch

  async function answer(call: Call, operations: Operations | undefined): Promise<void> {
    const { request, requestId, headers } = call
    let operation: Operation | undefined
    let [status, code] = [200, 0]
    let body: Body | Buffer
    try {
      if (request.httpVersion === '1.1' && request.headers.host === undefined) throw malformed()
      if (!operations) throw new ApiError('routeNotFound')
      operation = operations.get(request.method)
      if (!operation) throw wrongMethod(call, operations)
      const whole = await operation.run(call)
      body = isLong(whole) ? await timed(call.times, 'render', compressed(call, whole)) : whole
    } catch (error) {
      const failure = failureOf(error, requestId, dispatch.logFault)
      ;({ status, code, body } = failure)
      if (failure.retryAfterSeconds !== undefined) headers.push('retry-after', `${failure.retryAfterSeconds}`)
    }
    if (dispatch.isLeaving()) headers.push('connection', 'close')
    observer.addHeaders(call)
    send(call, status, body)
    dispatch.unsent.handOver(call, body.length)
    const entry: RequestLogEntry = {
      request_id: requestId,
      trace_id: call.trace?.traceId,
      operation: operation?.id,
      route: undefined,
      method: request.method!,
      status,
      code,
      app_id: call.caller?.app_id,
      ms: performance.now() - call.beganMs,
    }
    dispatch.note(entry)
    observer.noteAnswer(call, entry)
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    const url = request.url!
    const mark = url.indexOf('?')
    const path = mark < 0 ? url : url.slice(0, mark)
    const operations = paths.get(path)
    if (!operations && isPagePath(path)) {
      if (dispatch.isLeaving()) response.setHeader('connection', 'close')
      dispatch.pages(request, response)
    } else {
      const query = mark < 0 ? '' : url.slice(mark + 1)
      void answer(beginCall(request, response, query, observer), operations)
    }
  }
}

/** Pages have no escaped spellings. Only the address to which a sign-in provider returns holds an id that may need escapes. */
function isPagePath(path: string): boolean {
  if (!path.includes('%')) return true
  if (!/^\/sign-in\/[^/]+$/.test(path)) return false
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}

function operationsByPath({ endpoints, operationOf }: Dispatch): Map<string, Operations> {
  const paths = new Map<string, Operations>()
  for (const endpoint of endpoints) {
    const operation = operationOf(endpoint)
    const operations: Operations = paths.get(endpoint.path) ?? new Map()
    operations.set(endpoint.method, operation)
    // Node omits the body of the response.
    if (endpoint.method === 'GET') operations.set('HEAD', operation)
    paths.set(endpoint.path, operations)
  }
  return paths
}

function wrongMethod({ request, headers }: Call, operations: Operations): ApiError {
  const allowed = [...operations.keys()].join(', ')
  headers.push('allow', allowed)
  return new ApiError('methodNotAllowed', { msg: `The route takes ${allowed}, not ${request.method}.` })
}

import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../access/caller.ts'
import type { CallCounter } from '../access/organizations/call-counter.ts'
import type { Auth } from '../access/tokens/auth.ts'
import type { ErasureList } from '../changes/erasure/finish-erasures.ts'
import type { CallTimes } from '../contract/call-times.ts'
import type { Database } from '../database/database.ts'
import type { Replicas } from '../database/replicas.ts'
import type { FeedWaiters } from '../events/feed-waiters.ts'
import type { CallObserver } from './observe-calls.ts'
import type { ServerMemory } from './server-memory.ts'
import type { CallTrace } from './trace-context.ts'

/** A call in progress. */
export interface Call {
  request: IncomingMessage
  response: ServerResponse
  requestId: string
  /** The part of the URL after the question mark. */
  query: string
  beganMs: number
  /** The bytes of the body, once read. */
  body: Buffer | undefined
  /** Undefined until identified; always undefined for public operations. */
  caller: Caller | undefined
  /** Headers of the response besides the common ones: name, value, name, value … */
  headers: string[]
  /** Bytes reserved for the response (`unsent-bytes.ts`). */
  reservedBytes: number
  /** Absent: nothing reads the times of the call. */
  times: CallTimes | undefined
  /** Absent: the call is part of no trace. */
  trace: CallTrace | undefined
}

export function beginCall(
  request: IncomingMessage,
  response: ServerResponse,
  query: string,
  observer: CallObserver,
): Call {
  const beganMs = performance.now()
  const trace = observer.traceOf(request, beganMs)
  return {
    request,
    response,
    requestId: requestIdOf(request),
    query,
    beganMs,
    body: undefined,
    caller: undefined,
    headers: [],
    reservedBytes: 0,
    times: observer.timesOf(trace),
    trace,
  }
}

/** Aborted once the client has closed the connection, or has its response. */
export function closeSignalOf({ response }: Call): AbortSignal {
  const closed = new AbortController()
  if (response.closed) closed.abort()
  else response.once('close', () => closed.abort())
  return closed.signal
}

const valid = /^[A-Za-z0-9._-]{1,128}$/

/** The caller's own request id, if valid: the logs of both sides then share it. */
export function requestIdOf(request: { headers: IncomingMessage['headers'] }): string {
  const sent = request.headers['x-request-id']
  return typeof sent === 'string' && valid.test(sent) ? sent : newRequestId()
}

const processId = randomBytes(8).toString('hex')
let count = 0

/** 32 unique hexadecimal digits: 16 random ones of the process, then a counter. */
export function newRequestId(): string {
  return processId + (++count).toString(16).padStart(16, '0')
}

/** Dependencies of the server, made by the composition root. */
export interface Services {
  db: Database
  /** Absent: all reads use the primary. */
  replicas?: Replicas
  auth: Auth
  memory: ServerMemory
  /** Whether webhooks may reach private networks. Absent: no. */
  allowsPrivateWebhooks?: boolean
  /** Whether mail is sent. Absent: no. */
  sendsMail?: boolean
  /** Absent: calls are not counted. */
  usage?: CallCounter
  /** Absent: no call waits for events. */
  waiters?: FeedWaiters
  now(): Date
  newId(): string
  /** The schema version that this release needs. */
  wantedSchema: number
  /** Whether calls that change something are refused. */
  isReadOnly(): boolean
  /** Whether the server was asked to stop. */
  isDraining(): boolean
  /** Whether connections close after their next response. */
  isLeaving(): boolean
  /** Absent: there is no list of erasures outside the database. */
  erasureList?: ErasureList
  /** The metrics of all processes. Absent: this is the only process. */
  metricsOfAll?(): Promise<string>
  /** Metrics of work beside the requests. Absent: `metricsOfAll` has them. */
  metricsBeside?(): Promise<string>
}

import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { clientAddress, isWithin, type TrustProxy } from '../access/client-address.ts'
import { addTime, type CallTimes, callParts, newCallTimes } from '../contract/call-times.ts'
import type { Call } from './call.ts'
import type { RequestLogEntry } from './request-log.ts'
import {
  type CallTrace,
  newSpanId,
  readTraceparent,
  type TraceParent,
  writeTraceparent,
} from './trace-context.ts'

/** Reports about single calls, besides the line in the log. By default there are none. */
export interface ObserverSettings {
  /** Calls that take at least this long are logged with their times. 0 or absent: none. */
  slowCallMs?: number
  /** Networks whose callers get the header Server-Timing. */
  serverTiming?: string[]
  /** Absent: traces are not recorded. */
  tracing?: Tracing | undefined
  trustProxy: TrustProxy
}

/** Records calls as spans. */
export interface Tracing {
  /** The trace of a call that begins now. `parent` is the span of the caller, if it named one. */
  begin(parent: TraceParent | undefined, beganMs: number): CallTrace
}

/** Traces calls and explains their time. */
export interface CallObserver {
  traceOf(request: IncomingMessage, beganMs: number): CallTrace | undefined
  timesOf(trace: CallTrace | undefined): CallTimes | undefined
  /** Adds the trace and timing headers of the response. */
  addHeaders(call: Call): void
  noteAnswer(call: Call, entry: RequestLogEntry): void
}

export function createCallObserver(settings: ObserverSettings, log: Logger): CallObserver {
  const { slowCallMs = 0, serverTiming = [], tracing, trustProxy } = settings
  const slowMs = slowCallMs === 0 ? Number.POSITIVE_INFINITY : slowCallMs
  const isTimed = slowCallMs > 0 || serverTiming.length > 0

  function end(call: Call, entry: RequestLogEntry): void {
    const endedMs = performance.now()
    const { operation, method, status, code } = entry
    call.trace?.span?.end({ operation, method, status, code, endedMs })
    const { times } = call
    const ms = endedMs - call.beganMs
    // The caller asked to wait for events, so this wait is not slow.
    if (times && ms - times.events >= slowMs) log.warn(slowCallOf(entry, times, ms), 'slow call')
  }

  return {
    traceOf({ headers }, beganMs) {
      const header = headers.traceparent
      if (header === undefined && !tracing) return undefined
      const parent = readTraceparent(header)
      if (tracing) return tracing.begin(parent, beganMs)
      if (!parent) return undefined
      return { traceId: parent.traceId, traceparent: writeTraceparent({ ...parent, spanId: newSpanId() }) }
    },
    timesOf: (trace) => trace?.span?.times ?? (isTimed ? newCallTimes() : undefined),
    addHeaders({ headers, request, trace, times, beganMs }) {
      if (trace) headers.push('traceparent', trace.traceparent)
      if (!times || serverTiming.length === 0) return
      if (isWithin(serverTiming, clientAddress(request, trustProxy)))
        headers.push('server-timing', serverTimingOf(times, performance.now() - beganMs))
    },
    noteAnswer(call, entry) {
      const { response, times } = call
      const isSent = response.destroyed || response.writableLength === 0
      if (isSent && !call.trace?.span && entry.ms < slowMs) return
      if (isSent) return end(call, entry)
      const sentMs = performance.now()
      response.once('close', () => {
        if (times) addTime(times, 'send', sentMs, performance.now())
        end(call, entry)
      })
    },
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10
}

/** The parts that took time, each as `connection_ms`; `other_ms` is the rest: work of this process, or waiting for its turn. */
function slowCallOf(entry: RequestLogEntry, times: CallTimes, ms: number): Record<string, unknown> {
  const { request_id, trace_id, operation, code } = entry
  const parts: [string, number][] = callParts.map((part) => [`${part}_ms`, rounded(times[part])])
  return {
    request_id,
    ...(trace_id !== undefined && { trace_id }),
    operation: operation ?? 'unknown',
    code,
    ms: rounded(ms),
    statements: times.statementCount,
    ...Object.fromEntries(parts.filter(([, each]) => each > 0)),
    other_ms: rounded(Math.max(0, ms - sumOf(times))),
  }
}

/** The header Server-Timing: what browsers show beside a request, in milliseconds. */
function serverTimingOf(times: CallTimes, ms: number): string {
  const parts = callParts.flatMap((part) =>
    rounded(times[part]) > 0 ? `${part};dur=${rounded(times[part])}${describe(part, times)}` : [],
  )
  return [...parts, `total;dur=${rounded(ms)}`].join(', ')
}

function describe(part: string, { statementCount }: CallTimes): string {
  return part === 'statements' ? `;desc="${statementCount} in all"` : ''
}

function sumOf(times: CallTimes): number {
  return callParts.reduce((sum, part) => sum + times[part], 0)
}

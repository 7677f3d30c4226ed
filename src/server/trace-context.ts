import { randomBytes } from 'node:crypto'
import type { CallTimes } from '../contract/call-times.ts'

/** The trace that the caller began, by its header `traceparent` (W3C Trace Context). */
export interface TraceParent {
  traceId: string
  spanId: string
  /** The caller says that it records the trace. */
  isSampled: boolean
}

/** The trace of a call. */
export interface CallTrace {
  traceId: string
  /** Returned to the caller: the same trace, with the span of this call. */
  traceparent: string
  /** Absent: the call is not recorded. */
  span?: CallSpan | undefined
}

/** The span of a call that is recorded. */
export interface CallSpan {
  /** The times of the call, which become spans below this one. */
  times: CallTimes
  end(answer: SpanAnswer): void
}

export interface SpanAnswer {
  operation: string | undefined
  method: string
  status: number
  code: number
  endedMs: number
}

/** A later version of the header may be longer; its first four fields are the same. */
const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const longest = 512

/** Undefined for a header that is absent or invalid: the standard says to ignore it. */
export function readTraceparent(header: string | string[] | undefined): TraceParent | undefined {
  if (typeof header !== 'string' || header.length > longest) return undefined
  const [, version, traceId, spanId, flags, more] = form.exec(header) ?? []
  if (!version || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (/^0+$/.test(traceId!) || /^0+$/.test(spanId!)) return undefined
  return { traceId: traceId!, spanId: spanId!, isSampled: (Number.parseInt(flags!, 16) & 1) === 1 }
}

export function writeTraceparent({ traceId, spanId, isSampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}

export function newSpanId(): string {
  const id = randomBytes(8).toString('hex')
  return /^0+$/.test(id) ? newSpanId() : id
}

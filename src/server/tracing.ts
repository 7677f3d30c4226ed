import { setTimeout as pause } from 'node:timers/promises'
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import { type CallPart, newCallTimes, type TimedPart } from '../contract/call-times.ts'
import { serviceVersion } from '../contract/service-version.ts'
import type { Tracing } from './observe-calls.ts'
import { type SpanAnswer, type TraceParent, writeTraceparent } from './trace-context.ts'
import type { TraceSettings } from './trace-settings.ts'

export interface OpenTracing extends Tracing {
  /** Sends the spans that are left, for a limited time. */
  close(): Promise<void>
}

const longestCloseMs = 3000

/**
 * Records calls as spans and sends them to a collector. This module imports the libraries of OpenTelemetry, so it is loaded
 * only where traces are wanted. The parts of a call are noted as numbers while it runs, and become spans after its answer.
 */
export function openTracing(settings: TraceSettings, log: Logger): OpenTracing {
  const { url, headers, serviceName, attributes } = settings
  const exporter = reportingFaults(new OTLPTraceExporter({ url, headers }), log)
  const provider = new TracerProvider({
    sampler: samplerOf(settings),
    resource: resourceFromAttributes({
      'service.version': serviceVersion,
      'process.pid': process.pid,
      ...attributes,
      'service.name': serviceName,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('matricula', serviceVersion)

  return {
    begin(parent, beganMs) {
      const context = contextOf(parent)
      const clock = clockOf(beganMs)
      const span = tracer.startSpan('call', { kind: SpanKind.SERVER, startTime: clock(beganMs) }, context)
      const { traceId, spanId, traceFlags } = span.spanContext()
      const isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0
      const traceparent = writeTraceparent({ traceId, spanId, isSampled })
      if (!span.isRecording()) return { traceId, traceparent }
      const periods: TimedPart[] = []
      const end = (answer: SpanAnswer) => {
        const below = trace.setSpan(context, span)
        for (const period of periods) {
          const { beganMs, endedMs } = period
          if (isWorthASpan(period))
            tracer
              .startSpan(nameOf(period), { ...detailsOf(period), startTime: clock(beganMs) }, below)
              .end(clock(endedMs))
        }
        describe(span, answer)
        span.end(clock(answer.endedMs))
      }
      return { traceId, traceparent, span: { times: { ...newCallTimes(), periods }, end } }
    },
    async close() {
      await Promise.race([provider.shutdown(), pause(longestCloseMs, undefined, { ref: false })]).catch(
        () => {},
      )
    },
  }
}

function contextOf(parent: TraceParent | undefined): Context {
  if (!parent) return ROOT_CONTEXT
  const { traceId, spanId, isSampled } = parent
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

/** Turns times of `performance.now()` into seconds and nanoseconds since 1970, by the clock of the system at the beginning. */
function clockOf(beganMs: number): (ms: number) => [number, number] {
  const offsetMs = Date.now() - performance.now()
  const zero = Math.floor((beganMs + offsetMs) / 1000)
  return (ms) => {
    const nanoseconds = Math.round((ms + offsetMs - zero * 1000) * 1_000_000)
    return [zero + Math.floor(nanoseconds / 1e9), nanoseconds % 1e9]
  }
}

const names: Record<CallPart, string> = {
  admission: 'identify the caller',
  input: 'wait for the request',
  room: 'wait for room',
  batch: 'wait for the batch',
  turn: 'wait for a turn',
  connection: 'wait for a connection',
  lock: 'lock',
  statements: 'statement',
  events: 'wait for events',
  render: 'render',
  send: 'send',
}

/** Most waits for a connection, a turn or a batch are none. */
const shortestWaitMs = 0.1

function isWorthASpan({ part, beganMs, endedMs }: TimedPart): boolean {
  const isWait = part === 'connection' || part === 'turn' || part === 'batch'
  return !isWait || endedMs - beganMs >= shortestWaitMs
}

function nameOf({ part, summary }: TimedPart): string {
  return summary === undefined ? names[part] : `${names[part]}: ${summary}`
}

/** Statements by their verb and table, never by their values. */
function detailsOf({ summary }: TimedPart) {
  if (summary === undefined) return { kind: SpanKind.INTERNAL }
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary }
  return { kind: SpanKind.CLIENT, attributes }
}

/** No attribute names the caller or a record: ids of accounts, staff and people stay out of traces. */
function describe(span: Span, { operation = 'unknown', method, status, code }: SpanAnswer): void {
  span.updateName(operation)
  span.setAttributes({
    'matricula.operation': operation,
    'matricula.code': code,
    'http.request.method': method,
    'http.response.status_code': status,
  })
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
}

function samplerOf({ sampler, ratio }: TraceSettings): Sampler {
  const root = rootSampler(sampler.replace('parentbased_', ''), ratio)
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler()
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler()
}

/** Logs the first failure to send, and the first success after it. */
function reportingFaults(exporter: SpanExporter, log: Logger): SpanExporter {
  let isFailing = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.error !== undefined
        if (hasFailed && !isFailing) log.warn({ fault: result.error?.message }, 'traces cannot be sent')
        if (!hasFailed && isFailing) log.info('traces are sent again')
        isFailing = hasFailed
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

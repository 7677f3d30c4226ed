import { addTime, beginSharing, type CallTimes, shareTimes } from '../contract/call-times.ts'
import { createHistogram, type Histogram, noteValue } from '../contract/histogram.ts'
import type { Statement } from './sql.ts'

/** Figures of a database in this process, for the metrics. */
export interface Meter {
  /** Seconds that work waited for a connection. */
  connections: Histogram
  /** Seconds that transactions waited for a turn among the writers. */
  turns: Histogram
  /** Seconds of round trips that lock records. */
  locks: Histogram
  /** Seconds of other round trips. */
  statements: Histogram
  /** Calls in a group that shares a statement. */
  batches: Record<BatchKind, Histogram>
}

export type BatchKind = 'read' | 'write'

const callBounds = [1, 2, 4, 8, 16, 32, 64, 128]

export function createMeter(): Meter {
  return {
    connections: createHistogram(),
    turns: createHistogram(),
    locks: createHistogram(),
    statements: createHistogram(),
    batches: { read: createHistogram(callBounds), write: createHistogram(callBounds) },
  }
}

/** Where the time of a handle is noted: in the figures of the database, and in those of its call. */
export interface Timing {
  meter: Meter
  times: CallTimes | undefined
}

export function noteConnection({ meter, times }: Timing, askedMs: number): void {
  const nowMs = performance.now()
  noteValue(meter.connections, (nowMs - askedMs) / 1000)
  if (times) addTime(times, 'connection', askedMs, nowMs)
}

export function noteTurn({ meter, times }: Timing, askedMs: number): void {
  const nowMs = performance.now()
  noteValue(meter.turns, (nowMs - askedMs) / 1000)
  if (times) addTime(times, 'turn', askedMs, nowMs)
}

/** Notes a round trip with these statements. */
export function noteRoundTrip({ meter, times }: Timing, statements: Statement[], beganMs: number): void {
  const nowMs = performance.now()
  const isLocking = statements.some((statement) => factsOf(statement).isLocking)
  noteValue(isLocking ? meter.locks : meter.statements, (nowMs - beganMs) / 1000)
  if (!times) return
  times.statementCount += statements.length
  addTime(
    times,
    isLocking ? 'lock' : 'statements',
    beganMs,
    nowMs,
    times.periods ? summaryOf(statements) : undefined,
  )
}

interface StatementFacts {
  isLocking: boolean
  /** The verb and the first table, such as "update users". */
  summary: string
}

/** By the name of the statement. Texts consist of literals, so there are few. */
const facts = new Map<string, StatementFacts>()

function factsOf(statement: Statement): StatementFacts {
  let known = facts.get(statement.name)
  if (!known) {
    known = { isLocking: isLocking(statement), summary: summaryOfText(statement.text) }
    facts.set(statement.name, known)
  }
  return known
}

function isLocking({ text, locks }: Statement): boolean {
  return locks === true || /\bfor (no key )?update\b(?!\s+skip locked)/.test(text)
}

/** Not the first word: a statement may begin with a list of subqueries. */
export function summaryOfText(text: string): string {
  const [, verb, table] =
    /\b(insert into|update|delete from)\s+([a-z_]+)/.exec(
      text.replaceAll(/\bfor (no key )?update\b|do update/g, ''),
    ) ??
    /\b(from|join)\s+([a-z_]+)/.exec(text) ??
    []
  if (!verb) return 'select'
  return `${{ 'insert into': 'insert', 'delete from': 'delete', update: 'update' }[verb] ?? 'select'} ${table}`
}

function summaryOf(statements: Statement[]): string {
  const [first, ...others] = statements
  if (!first) return 'commit'
  const { summary } = factsOf(first)
  return others.length === 0 ? summary : `${summary} and ${others.length} more`
}

interface GroupedCall {
  asked: { on: { timing?: Timing | undefined } }
  askedAtMs: number
}

/**
 * Notes the size of a group of calls, and that they waited for it. The returned function gives all of them the times of the
 * first one, by whose handle the group uses the database.
 */
export function beginBatch(kind: BatchKind, calls: GroupedCall[]): () => void {
  const { timing } = calls[0]!.asked.on
  if (timing) noteValue(timing.meter.batches[kind], calls.length)
  const first = timing?.times
  if (!first) return nothingToShare
  const nowMs = performance.now()
  for (const { asked, askedAtMs } of calls) {
    const times = asked.on.timing?.times
    if (times) addTime(times, 'batch', askedAtMs, nowMs)
  }
  if (calls.length === 1) return nothingToShare
  const shared = beginSharing(first)
  return () => {
    for (const { asked } of calls) {
      const times = asked.on.timing?.times
      if (times && times !== first) shareTimes(shared, times)
    }
  }
}

function nothingToShare(): void {}

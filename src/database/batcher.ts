import { setTimeout } from 'node:timers/promises'
import { tooBusy } from '../contract/limits/fair-share.ts'

/** What one call asks, and how it learns of the outcome. */
export interface BatchedCall<Asked, Outcome> {
  asked: Asked
  askedAtMs: number
  /** How long it waits in a line that does not move. */
  standstillMs: number
  line: { servedAtMs: number }
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

/** Of one thing; beyond, and after this long, a call is told to come back. */
const mostWaiting = 2000
const longestWaitMs = 15_000

/** Nothing has been done for the call so far, and it has waited long enough. */
export function refuseOverdue<Asked, Outcome>(
  call: BatchedCall<Asked, Outcome>,
  now = performance.now(),
): boolean {
  const { askedAtMs, standstillMs, line } = call
  const stoodMs = now - Math.max(askedAtMs, line.servedAtMs)
  if (now - askedAtMs <= longestWaitMs && stoodMs <= standstillMs) return false
  call.reject(tooBusy())
  return true
}

const longestLingerMs = 20

/**
 * Where many wait and a group takes long, the next one waits a tenth of that for those who were just answered: otherwise
 * a crowd falls into halves that take turns, and pays for every group twice. After a group that was stuck nobody waits long.
 */
async function linger(served: number, tookMs: number): Promise<void> {
  if (served > 1 && tookMs >= 10) await setTimeout(Math.min(tookMs / 10, longestLingerMs))
}

const mostTurns = 8

/**
 * Waits while turns of the event loop bring more callers: a statement for sixteen costs little more than one for eight, and
 * half as many are sent. A lone caller waits for one turn.
 */
async function waitForMore(line: { waiting: unknown[] }, most: number): Promise<void> {
  let before = 0
  for (let turn = 0; turn < mostTurns && line.waiting.length > before; turn++) {
    before = line.waiting.length
    if (before >= most) return
    await new Promise(setImmediate)
  }
}

interface Line<Asked, Outcome> {
  waiting: BatchedCall<Asked, Outcome>[]
  inFlight: number
  /** Whether a group is waiting for more callers to come along. */
  isWaitingForMore: boolean
  /** When somebody was served last. */
  servedAtMs: number
  timer: NodeJS.Timeout | undefined
}

/**
 * Calls that wait at the same moment, on the same thing, are served together, one group or a few at a time. A lone call goes at
 * once; under load a group holds dozens, and what a statement and its commit cost is shared among them.
 */
export function createBatcher<Asked, Outcome>(
  most: number,
  serve: (calls: BatchedCall<Asked, Outcome>[]) => Promise<void>,
  mostInFlight: number,
): (thing: string, asked: Asked, standstillMs?: number) => Promise<Outcome> {
  const lines = new Map<string, Line<Asked, Outcome>>()

  async function flush(thing: string, line: Line<Asked, Outcome>): Promise<void> {
    line.inFlight++
    while (line.waiting.length > 0 && !line.isWaitingForMore) {
      line.isWaitingForMore = true
      await waitForMore(line, most)
      line.isWaitingForMore = false
      const begunAtMs = performance.now()
      const calls = line.waiting.splice(0, most).filter((call) => !refuseOverdue(call, begunAtMs))
      if (line.waiting.length > 0) proceed(thing, line, line.waiting[0]!.standstillMs)
      if (calls.length === 0) continue
      try {
        await serve(calls)
      } catch (error) {
        for (const call of calls) call.reject(error)
      }
      await linger(calls.length, performance.now() - begunAtMs)
    }
    line.inFlight--
    if (line.inFlight > 0 || line.waiting.length > 0) return
    clearTimeout(line.timer)
    lines.delete(thing)
  }

  /** Who has just come goes along with the group that is waiting for more, or with one that begins, or waits. */
  function proceed(thing: string, line: Line<Asked, Outcome>, standstillMs: number): void {
    if (line.isWaitingForMore) return
    if (line.inFlight < mostInFlight) void flush(thing, line)
    else if (standstillMs < Infinity) watch(line, standstillMs / 5)
  }

  /** Those who wait behind a group that is stuck are told in time, not when it is over. */
  function watch(line: Line<Asked, Outcome>, everyMs: number): void {
    line.timer ??= globalThis
      .setTimeout(() => {
        line.timer = undefined
        line.waiting = line.waiting.filter((call) => !refuseOverdue(call))
        if (line.waiting.length > 0) watch(line, everyMs)
      }, everyMs)
      .unref()
  }

  return (thing, asked, standstillMs = Infinity) => {
    let line = lines.get(thing)
    if (!line) {
      line = { waiting: [], inFlight: 0, isWaitingForMore: false, servedAtMs: 0, timer: undefined }
      lines.set(thing, line)
    }
    if (line.waiting.length >= mostWaiting) return Promise.reject(tooBusy())
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    const served = (outcome: Outcome) => {
      line.servedAtMs = performance.now()
      resolve(outcome)
    }
    line.waiting.push({ asked, askedAtMs: performance.now(), standstillMs, line, resolve: served, reject })
    proceed(thing, line, standstillMs)
    return promise
  }
}

import { tooBusy } from '../contract/limits/fair-share.ts'

/** A call that waits for its group. */
export interface BatchedCall<Asked, Outcome> {
  asked: Asked
  askedAtMs: number
  /** Maximum wait while no call of the line is served. */
  standstillMs: number
  line: { servedAtMs: number }
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

export interface BatcherOptions<Asked, Outcome> {
  /** Maximum number of calls in a group. */
  maxCalls: number
  /** Maximum number of groups of one key that are served at the same time. */
  maxGroups: number
  /** Serves a group: resolves or rejects every call. A failure rejects the calls that are left. */
  serve(calls: BatchedCall<Asked, Outcome>[]): Promise<void>
  clock?: BatcherClock
}

/** Time and turns of the event loop. Tests inject their own. */
export interface BatcherClock {
  nowMs(): number
  nextTurn(): Promise<unknown>
  /** Runs the function later. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void
}

const realClock: BatcherClock = {
  nowMs: () => performance.now(),
  nextTurn: () => new Promise(setImmediate),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** Limits for the calls of one key that wait; a call beyond them is refused as too busy. */
const maxWaiting = 2000
const maxWaitMs = 15_000

const maxTurns = 8
const longestLingerMs = 20

/**
 * The state of one runner. A runner serves the line of a key, group after group; a line has up to `maxGroups` runners.
 *
 *     (a call arrives,       ┌───────────────── calls wait ◄─────────────────┐
 *      or calls are left) ──►▼                                                │
 *                         gathering ──► serving ──► lingering ────────────────┤
 *                                                                             └─► (end: no calls wait,
 *                                                                                  or another runner gathers)
 *
 * - gathering: waits while turns of the event loop bring more calls, at most 8 turns. A statement for 16 calls costs
 *   little more than one for 8. One runner of a line gathers at a time; new calls join its group.
 * - serving: the group is with `serve`. If calls are left over, another runner starts to gather.
 * - lingering: after a slow group of several calls, waits a tenth of its duration for the callers that were just
 *   answered. Without it, the callers split into two halves that alternate, and every group is paid for twice.
 */
type RunnerState = 'gathering' | 'serving' | 'lingering'

interface Line<Asked, Outcome> {
  waiting: BatchedCall<Asked, Outcome>[]
  runners: { state: RunnerState }[]
  /** When a call was last served. */
  servedAtMs: number
  /** Cancels the timer that refuses overdue calls behind a group that hangs. */
  stopWatch: (() => void) | undefined
}

/**
 * Groups calls of the same key that wait at the same time. A lone call is served at once; under load, a group shares the
 * cost of a statement and its commit among dozens of calls.
 */
export function createBatcher<Asked, Outcome>({
  maxCalls,
  maxGroups,
  serve,
  clock = realClock,
}: BatcherOptions<Asked, Outcome>): (key: string, asked: Asked, standstillMs?: number) => Promise<Outcome> {
  const lines = new Map<string, Line<Asked, Outcome>>()

  async function run(key: string, line: Line<Asked, Outcome>): Promise<void> {
    const runner: { state: RunnerState } = { state: 'gathering' }
    line.runners.push(runner)
    do {
      runner.state = 'gathering'
      await gather(line)
      runner.state = 'serving'
      const beganAtMs = clock.nowMs()
      const calls = line.waiting.splice(0, maxCalls).filter((call) => !refuseOverdue(call, beganAtMs))
      if (line.waiting.length > 0) startOrWatch(key, line, line.waiting[0]!.standstillMs)
      if (calls.length === 0) continue
      try {
        await serve(calls)
      } catch (error) {
        for (const call of calls) call.reject(error)
      }
      runner.state = 'lingering'
      const tookMs = clock.nowMs() - beganAtMs
      if (calls.length > 1 && tookMs >= 10) await linger(tookMs)
    } while (line.waiting.length > 0 && !isGathering(line))
    line.runners.splice(line.runners.indexOf(runner), 1)
    if (line.runners.length > 0 || line.waiting.length > 0) return
    line.stopWatch?.()
    lines.delete(key)
  }

  async function gather(line: Line<Asked, Outcome>): Promise<void> {
    let before = 0
    for (let turn = 0; turn < maxTurns && line.waiting.length > before; turn++) {
      before = line.waiting.length
      if (before >= maxCalls) return
      await clock.nextTurn()
    }
  }

  function linger(tookMs: number): Promise<void> {
    return new Promise((resolve) => void clock.after(Math.min(tookMs / 10, longestLingerMs), resolve))
  }

  /** A waiting call joins the group that gathers, gets a new runner, or waits for one that is busy. */
  function startOrWatch(key: string, line: Line<Asked, Outcome>, standstillMs: number): void {
    if (isGathering(line)) return
    if (line.runners.length < maxGroups) void run(key, line)
    else if (standstillMs < Infinity) watch(line, standstillMs / 5)
  }

  /** Refuses overdue calls in time, even if the group before them hangs. */
  function watch(line: Line<Asked, Outcome>, everyMs: number): void {
    line.stopWatch ??= clock.after(everyMs, () => {
      line.stopWatch = undefined
      const now = clock.nowMs()
      line.waiting = line.waiting.filter((call) => !refuseOverdue(call, now))
      if (line.waiting.length > 0) watch(line, everyMs)
    })
  }

  return (key, asked, standstillMs = Infinity) => {
    let line = lines.get(key)
    if (!line) {
      line = { waiting: [], runners: [], servedAtMs: 0, stopWatch: undefined }
      lines.set(key, line)
    }
    if (line.waiting.length >= maxWaiting) return Promise.reject(tooBusy())
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    const served = (outcome: Outcome) => {
      line.servedAtMs = clock.nowMs()
      resolve(outcome)
    }
    const call = { asked, askedAtMs: clock.nowMs(), standstillMs, line, resolve: served, reject }
    line.waiting.push(call)
    startOrWatch(key, line, standstillMs)
    return promise
  }
}

function isGathering({ runners }: { runners: { state: RunnerState }[] }): boolean {
  return runners.some(({ state }) => state === 'gathering')
}

/** Refuses a call that has waited too long and for which nothing was done yet. Returns whether it did. */
export function refuseOverdue<Asked, Outcome>(
  call: BatchedCall<Asked, Outcome>,
  nowMs = performance.now(),
): boolean {
  const { askedAtMs, standstillMs, line } = call
  const stoodMs = nowMs - Math.max(askedAtMs, line.servedAtMs)
  if (nowMs - askedAtMs <= maxWaitMs && stoodMs <= standstillMs) return false
  call.reject(tooBusy())
  return true
}

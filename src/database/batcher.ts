import { tooBusy } from '../limits/fair-share.ts'

/** What one call asks, and how it learns of the outcome. */
export interface BatchedCall<Asked, Outcome> {
  asked: Asked
  askedAtMs: number
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

/** Of one thing; beyond, and after this long, a call is told to come back. */
const mostWaiting = 2000
const longestWaitMs = 15_000

/** Nothing has been done for the call so far, and it has waited long enough. */
export function refuseOverdue<Asked, Outcome>(call: BatchedCall<Asked, Outcome>): boolean {
  if (performance.now() - call.askedAtMs <= longestWaitMs) return false
  call.reject(tooBusy())
  return true
}

/**
 * Calls that wait at the same moment, on the same thing, are served together, one group or a few at a time. A lone call goes at
 * once; under load a group holds dozens, and what a statement and its commit cost is shared among them.
 */
export function createBatcher<Asked, Outcome>(
  most: number,
  serve: (calls: BatchedCall<Asked, Outcome>[]) => Promise<void>,
  mostInFlight: number,
): (thing: string, asked: Asked) => Promise<Outcome> {
  const queues = new Map<string, { waiting: BatchedCall<Asked, Outcome>[]; inFlight: number }>()

  async function flush(thing: string): Promise<void> {
    const queue = queues.get(thing)!
    queue.inFlight++
    // Whatever else arrived in this turn of the event loop comes along.
    await new Promise(setImmediate)
    while (queue.waiting.length > 0) {
      const calls = queue.waiting.splice(0, most).filter((call) => !refuseOverdue(call))
      if (calls.length === 0) continue
      try {
        await serve(calls)
      } catch (error) {
        for (const call of calls) call.reject(error)
      }
    }
    queue.inFlight--
    if (queue.inFlight === 0 && queue.waiting.length === 0) queues.delete(thing)
  }

  return (thing, asked) => {
    let queue = queues.get(thing)
    if (!queue) {
      queue = { waiting: [], inFlight: 0 }
      queues.set(thing, queue)
    }
    if (queue.waiting.length >= mostWaiting) return Promise.reject(tooBusy())
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    queue.waiting.push({ asked, askedAtMs: performance.now(), resolve, reject })
    if (queue.inFlight < mostInFlight) void flush(thing)
    return promise
  }
}

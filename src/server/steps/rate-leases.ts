import type { RateCounter, Window } from '../../contract/limits/rate-counter.ts'

/** Takes the next number of an account's count of calls. */
type Take = (key: string, limit: number, nowMs: number) => Window | Promise<Window>

/** So many numbers at a time are at most taken in advance; of small limits, one. */
const mostInAdvance = 1000
const shareInAdvance = 200
const mostLeases = 10_000

interface Lease {
  /** The last number that was given out, and the last that may be. */
  count: number
  last: number
  endsAtMs: number
  /** Calls for whose numbers the counter has been asked, or will be once it has answered. */
  waiting: PromiseWithResolvers<Window>[]
}

/**
 * The count may be kept by another process. To ask it for every call would cost more than the call, so numbers are taken
 * from it in advance, a small part of the limit at a time, and given out here. Each is given out once: a limit is never
 * exceeded. What one process has left over when another runs out is lost until the minute is over: at most a
 * two-hundredth of the limit for each process but one, and nothing where the limit is small.
 */
export function createRateLeases(counter: RateCounter): Take {
  const leases = new Map<string, Lease>()

  function leaseOf(key: string): Lease {
    let lease = leases.get(key)
    if (!lease) {
      if (leases.size >= mostLeases) leases.clear()
      lease = { count: 0, last: 0, endsAtMs: 0, waiting: [] }
      leases.set(key, lease)
    }
    return lease
  }

  async function renew(lease: Lease, key: string, atLeast: number, nowMs: number): Promise<void> {
    try {
      while (lease.waiting.length > 0) {
        const size = Math.max(atLeast, lease.waiting.length)
        extend(lease, size, await counter.count('calls', key, size, nowMs))
        for (const call of lease.waiting.splice(0, size)) call.resolve(next(lease))
      }
    } catch (error) {
      for (const call of lease.waiting.splice(0)) call.reject(error)
    }
  }

  return (key, limit, nowMs) => {
    const inAdvance = Math.min(mostInAdvance, Math.floor(limit / shareInAdvance))
    if (inAdvance <= 1) return counter.count('calls', key, 1, nowMs)
    const lease = leaseOf(key)
    if (lease.waiting.length === 0 && lease.count < lease.last && lease.endsAtMs > nowMs) return next(lease)
    const call = Promise.withResolvers<Window>()
    lease.waiting.push(call)
    if (lease.waiting.length === 1) void renew(lease, key, inAdvance, nowMs)
    return call.promise
  }
}

function extend(lease: Lease, size: number, { count, endsAtMs }: Window): void {
  Object.assign(lease, { count: count - size, last: count, endsAtMs })
}

function next(lease: Lease): Window {
  return { count: ++lease.count, endsAtMs: lease.endsAtMs }
}

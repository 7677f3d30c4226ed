import type { RateCounter, Window } from '../limits/rate-counter.ts'

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
}

/**
 * The count may be kept by another process. To ask it for every call would cost more than the call, so numbers are taken
 * from it in advance, a small part of the limit at a time, and given out here. Each is given out once: a limit is never
 * exceeded. What one process has left over when another runs out is lost until the minute is over: at most a
 * two-hundredth of the limit for each process but one, and nothing where the limit is small.
 */
export function createRateLeases(counter: RateCounter): Take {
  const leases = new Map<string, Lease>()
  const underWay = new Map<string, Promise<void>>()

  function fromLease(key: string, nowMs: number): Window | undefined {
    const lease = leases.get(key)
    if (!lease || lease.endsAtMs <= nowMs || lease.count >= lease.last) return undefined
    return { count: ++lease.count, endsAtMs: lease.endsAtMs }
  }

  function keep(key: string, size: number, { count, endsAtMs }: Window): void {
    if (leases.size >= mostLeases) leases.clear()
    leases.set(key, { count: count - size, last: count, endsAtMs })
  }

  async function renew(key: string, size: number, renewed: Promise<Window>): Promise<void> {
    try {
      keep(key, size, await renewed)
    } finally {
      underWay.delete(key)
    }
  }

  async function wait(key: string, limit: number, nowMs: number, renewal: Promise<void>): Promise<Window> {
    await renewal
    return take(key, limit, nowMs)
  }

  const take: Take = (key, limit, nowMs) => {
    const size = Math.min(mostInAdvance, Math.max(1, Math.floor(limit / shareInAdvance)))
    if (size === 1) return counter.count('calls', key, 1, nowMs)
    const known = fromLease(key, nowMs)
    if (known) return known
    const running = underWay.get(key)
    if (running) return wait(key, limit, nowMs, running)
    const renewed = counter.count('calls', key, size, nowMs)
    if (renewed instanceof Promise) {
      const renewal = renew(key, size, renewed)
      underWay.set(key, renewal)
      return wait(key, limit, nowMs, renewal)
    }
    keep(key, size, renewed)
    return fromLease(key, nowMs)!
  }
  return take
}

import type { Account } from '../../contract/caller.ts'
import { ApiError } from '../../contract/errors.ts'
import type { RateCounter, Window } from '../../contract/limits/rate-counter.ts'
import type { Call } from '../call.ts'

/** Takes the next number of an account's counter. */
type Take = (key: string, limit: number, nowMs: number) => Window | Promise<Window>

/** Maximum size of a lease. Small limits have no leases. */
const maxLease = 1000
const leasesPerLimit = 200
const maxLeases = 10_000

interface Lease {
  /** The last number given out, and the last of the lease. */
  count: number
  last: number
  endsAtMs: number
  /** Calls that wait for the counter. */
  waiting: PromiseWithResolvers<Window>[]
}

/**
 * The counter may be in another process, and a remote call costs more than a read. So numbers are leased in advance, a
 * small part of the limit at a time. Each number is given out once, so a limit is never exceeded. Unused numbers of a lease
 * are lost at the end of the minute: at most 0.5 % of the limit per process.
 */
export function createRateLeases(counter: RateCounter): Take {
  const leases = new Map<string, Lease>()

  function leaseOf(key: string): Lease {
    let lease = leases.get(key)
    if (!lease) {
      if (leases.size >= maxLeases) leases.clear()
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
    const leaseSize = Math.min(maxLease, Math.floor(limit / leasesPerLimit))
    if (leaseSize <= 1) return counter.count('calls', key, 1, nowMs)
    const lease = leaseOf(key)
    if (lease.waiting.length === 0 && lease.count < lease.last && lease.endsAtMs > nowMs) return next(lease)
    const call = Promise.withResolvers<Window>()
    lease.waiting.push(call)
    if (lease.waiting.length === 1) void renew(lease, key, leaseSize, nowMs)
    return call.promise
  }
}

function extend(lease: Lease, size: number, { count, endsAtMs }: Window): void {
  Object.assign(lease, { count: count - size, last: count, endsAtMs })
}

function next(lease: Lease): Window {
  return { count: ++lease.count, endsAtMs: lease.endsAtMs }
}

/** Counts the calls of an account with a limit, and reports the rest in headers. Throws beyond the limit. */
export type RateLimit = (account: Account, headers: Call['headers'], now: Date) => void | Promise<void>

export function createRateLimit(rateCounter: RateCounter): RateLimit {
  const take = createRateLeases(rateCounter)
  return (account, headers, now) => {
    const limit = account.rate_limit_per_minute
    if (limit === null) return
    const taken = take(account.app_id, limit, now.getTime())
    if (taken instanceof Promise) return taken.then((window) => applyLimit(window, limit, headers, now))
    applyLimit(taken, limit, headers, now)
  }
}

function applyLimit({ count, endsAtMs }: Window, limit: number, headers: Call['headers'], now: Date): void {
  const resetSeconds = Math.ceil((endsAtMs - now.getTime()) / 1000)
  headers.push('ratelimit-limit', `${limit}`)
  headers.push('ratelimit-remaining', `${Math.max(0, limit - count)}`)
  headers.push('ratelimit-reset', `${resetSeconds}`)
  if (count <= limit) return
  const msg = `This account may make ${limit} calls a minute.`
  throw new ApiError('tooManyRequests', { msg, retryAfterSeconds: resetSeconds })
}

import type { Account } from '../../contract/caller.ts'
import { ApiError } from '../../contract/errors.ts'
import type { RateCounter, Window } from '../../contract/limits/rate-counter.ts'
import type { Call } from '../call.ts'
import { createRateLeases } from './rate-leases.ts'

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

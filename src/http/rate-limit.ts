import type { FastifyReply } from 'fastify'
import { ApiError } from '../contract/errors.ts'
import type { Account } from '../organizations/account-store.ts'

/** Counts the calls of accounts that have a limit, per minute, and tells them where they stand. */
export type RateLimit = (account: Account, reply: FastifyReply, now: Date) => void

const windowMs = 60_000

export function createRateLimit(): RateLimit {
  const windows = new Map<string, { endsAt: number; calls: number }>()
  return (account, reply, now) => {
    const limit = account.rate_limit_per_minute
    if (limit === null) return
    let window = windows.get(account.app_id)
    if (!window || window.endsAt <= now.getTime()) {
      window = { endsAt: now.getTime() + windowMs, calls: 0 }
      windows.set(account.app_id, window)
    }
    window.calls++
    const resetSeconds = Math.ceil((window.endsAt - now.getTime()) / 1000)
    reply.headers({
      'RateLimit-Limit': limit,
      'RateLimit-Remaining': Math.max(0, limit - window.calls),
      'RateLimit-Reset': resetSeconds,
    })
    if (window.calls > limit) {
      const msg = `This account may make ${limit} calls a minute.`
      throw new ApiError('tooManyRequests', { msg, retryAfterSeconds: resetSeconds })
    }
  }
}

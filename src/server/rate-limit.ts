import type { FastifyReply } from 'fastify'
import type { Account } from '../contract/caller.ts'
import { ApiError } from '../contract/errors.ts'
import type { RateCounter } from '../limits/rate-counter.ts'

/** Counts the calls of accounts that have a limit, per minute, and tells them where they stand. */
export type RateLimit = (account: Account, reply: FastifyReply, now: Date) => Promise<void>

export function createRateLimit(rateCounter: RateCounter): RateLimit {
  return async (account, reply, now) => {
    const limit = account.rate_limit_per_minute
    if (limit === null) return
    const { count, endsAtMs } = await rateCounter.count(`calls ${account.app_id}`, 1, now.getTime())
    const resetSeconds = Math.ceil((endsAtMs - now.getTime()) / 1000)
    reply.headers({
      'RateLimit-Limit': limit,
      'RateLimit-Remaining': Math.max(0, limit - count),
      'RateLimit-Reset': resetSeconds,
    })
    if (count > limit) {
      const msg = `This account may make ${limit} calls a minute.`
      throw new ApiError('tooManyRequests', { msg, retryAfterSeconds: resetSeconds })
    }
  }
}

import { ApiError } from '../contract/errors.ts'
import { createRateCounter, type RateCounter } from '../limits/rate-counter.ts'

/** Slows down who guesses secrets: failed signatures are counted per account and address. */
export interface FailureThrottle {
  /** Throws 42901 while there were too many failures. */
  check(appId: string, address: string, now: Date): Promise<void>
  noteFailure(appId: string, address: string, now: Date): Promise<void>
}

const allowedFailures = 10

export function createFailureThrottle(rateCounter: RateCounter = createRateCounter()): FailureThrottle {
  const keyOf = (appId: string, address: string) => `failures ${appId} ${address}`
  return {
    async check(appId, address, now) {
      const { count, endsAtMs } = await rateCounter.count(keyOf(appId, address), 0, now.getTime())
      if (count < allowedFailures) return
      throw new ApiError('tooManyRequests', {
        msg: 'Too many failed signatures for this account from this address.',
        retryAfterSeconds: Math.ceil((endsAtMs - now.getTime()) / 1000),
      })
    },
    async noteFailure(appId, address, now) {
      await rateCounter.count(keyOf(appId, address), 1, now.getTime())
    },
  }
}

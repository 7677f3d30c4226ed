import { createHash } from 'node:crypto'
import { ApiError } from '../contract/errors.ts'
import { createRateCounter, type RateCounter } from '../limits/rate-counter.ts'

/** Slows down who guesses secrets: failed signatures are counted per account and address. */
export interface FailureThrottle {
  /**
   * Checks a signature, unless there were too many failures: then 42901. A check counts as a failure from its beginning,
   * however many are under way, and is taken back unless it came to undefined.
   */
  check<T>(who: Guesser, now: Date, signature: () => Promise<T | undefined>): Promise<T | undefined>
}

interface Guesser {
  appId: string
  address: string
}

const allowedFailures = 10

export function createFailureThrottle(rateCounter: RateCounter = createRateCounter()): FailureThrottle {
  const inOrder = createSequences()
  return {
    check(who, now, signature) {
      const key = keyOf(who)
      const count = (by: number) => rateCounter.count('failures', key, by, now.getTime())
      // One after the other: of many right signatures at once, none must be taken for a failure.
      return inOrder(key, async () => {
        const { count: failures, endsAtMs } = await count(1)
        if (failures > allowedFailures) throw tooManyFailures(endsAtMs - now.getTime())
        let isFailure = false
        try {
          const outcome = await signature()
          isFailure = outcome === undefined
          return outcome
        } finally {
          if (!isFailure) await count(-1)
        }
      })
    },
  }
}

/** Callers choose how long an account's name is; what is remembered of it has one length. */
function keyOf({ appId, address }: Guesser): string {
  return createHash('sha256')
    .update(JSON.stringify([appId, address]))
    .digest('base64')
}

function tooManyFailures(msLeft: number): ApiError {
  return new ApiError('tooManyRequests', {
    msg: 'Too many failed signatures for this account from this address.',
    retryAfterSeconds: Math.ceil(msLeft / 1000),
  })
}

/** Work under the same key runs in the order of its arrival, one at a time. */
function createSequences(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = last.get(key)
    const mine = before ? before.then(work, work) : work()
    last.set(key, mine)
    try {
      return await mine
    } finally {
      if (last.get(key) === mine) last.delete(key)
    }
  }
}

import { ApiError } from '../contract/errors.ts'

/** Slows down who guesses secrets: failed signatures are counted per account and address. */
export interface FailureThrottle {
  /** Throws 42901 while there were too many failures. */
  check(appId: string, address: string, now: Date): void
  noteFailure(appId: string, address: string, now: Date): void
}

const allowedFailures = 10
const windowMs = 60_000
/** Bounds memory; who spreads guesses over so many keys gains nothing, each key starts anew. */
const maxRemembered = 50_000

export function createFailureThrottle(): FailureThrottle {
  const windows = new Map<string, { endsAt: number; failures: number }>()
  const keyOf = (appId: string, address: string) => `${appId} ${address}`
  return {
    check(appId, address, now) {
      const window = windows.get(keyOf(appId, address))
      if (!window || window.endsAt <= now.getTime() || window.failures < allowedFailures) return
      throw new ApiError('tooManyRequests', {
        msg: 'Too many failed signatures for this account from this address.',
        retryAfterSeconds: Math.ceil((window.endsAt - now.getTime()) / 1000),
      })
    },
    noteFailure(appId, address, now) {
      const key = keyOf(appId, address)
      const window = windows.get(key)
      if (window && window.endsAt > now.getTime()) {
        window.failures++
        return
      }
      if (windows.size >= maxRemembered) windows.clear()
      windows.set(key, { endsAt: now.getTime() + windowMs, failures: 1 })
    },
  }
}

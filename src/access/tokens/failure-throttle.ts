import { createHash } from 'node:crypto'
import { ApiError } from '../../contract/errors.ts'
import { createRateCounter, type RateCounter } from '../../contract/limits/rate-counter.ts'
import { networkOf } from '../client-address.ts'

/** Slows down guessing: failures are counted per account and address, and per address over all accounts. */
export interface FailureThrottle {
  /**
   * Checks a signature, a password or a passkey, unless there were too many failures: then 42901. A check counts as a
   * failure of the account from its beginning, also if many are in progress, and is subtracted unless it ends with undefined.
   */
  check<T>(who: Guesser, now: Date, proof: () => Promise<T | undefined>): Promise<T | undefined>
  /** Counts a wrong link: 42901 after too many. A valid link is never refused, so it is looked up first. */
  noteWrongLink(address: string, now: Date): Promise<void>
}

interface Guesser {
  appId: string
  address: string
}

/** Within a minute, for one account from one address. */
const allowedFailures = 10
/** Within a minute, from one address over all accounts; and as many wrong links. */
const allowedPerAddress = 30
/** Concurrent attempts from one address. With several processes, each may exceed the limit by this many. */
const mostChecks = 8

export function createFailureThrottle(rateCounter: RateCounter = createRateCounter()): FailureThrottle {
  const inOrder = createSequences()
  const places = createPlaces()
  const count = (key: string, by: number, now: Date) => rateCounter.count('failures', key, by, now.getTime())

  /** Failures count when they are known. So that many at once do not all pass, no more run than may still fail. */
  const checkAddress = async <T>(address: string, now: Date, proof: () => Promise<T | undefined>) => {
    const key = keyOf('address', address)
    const leave = await places.enter(key, async () => {
      const { count: failures, endsAtMs } = await count(key, 0, now)
      if (failures >= allowedPerAddress) throw tooManyFailures('from this address', endsAtMs, now)
      return Math.min(mostChecks, allowedPerAddress - failures)
    })
    try {
      const outcome = await proof()
      if (outcome === undefined) await count(key, 1, now)
      return outcome
    } finally {
      leave()
    }
  }

  return {
    check({ appId, address }, now, proof) {
      const network = networkOf(address)
      const key = keyOf('account', appId, network)
      // One after the other: of many right signatures at once, none must count as a failure.
      return inOrder(key, async () => {
        const { count: failures, endsAtMs } = await count(key, 1, now)
        if (failures > allowedFailures)
          throw tooManyFailures('for this account from this address', endsAtMs, now)
        let isFailure = false
        try {
          const outcome = await checkAddress(network, now, proof)
          isFailure = outcome === undefined
          return outcome
        } finally {
          if (!isFailure) await count(key, -1, now)
        }
      })
    },
    async noteWrongLink(address, now) {
      const { count: failures, endsAtMs } = await count(keyOf('links', networkOf(address)), 1, now)
      if (failures > allowedPerAddress) throw tooManyFailures('from this address', endsAtMs, now)
    },
  }
}

/** Callers choose the length of an account name, so a digest is stored. */
function keyOf(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64')
}

function tooManyFailures(where: string, endsAtMs: number, now: Date): ApiError {
  return new ApiError('tooManyRequests', {
    msg: `Too many failed attempts ${where}: wait a minute.`,
    retryAfterSeconds: Math.ceil((endsAtMs - now.getTime()) / 1000),
  })
}

/** Runs work of the same key in order, one at a time. */
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

interface Line {
  held: number
  waiting: (() => void)[]
}

/** Limits concurrency per key. `most` returns the current limit, and may refuse by throwing. */
function createPlaces() {
  const lines = new Map<string, Line>()
  const wakeNext = (key: string, line: Line) => {
    line.waiting.shift()?.()
    if (line.held === 0 && line.waiting.length === 0) lines.delete(key)
  }
  return {
    /** Returns the function that releases the place. */
    async enter(key: string, most: () => Promise<number>): Promise<() => void> {
      const line = lines.get(key) ?? { held: 0, waiting: [] }
      lines.set(key, line)
      for (;;) {
        const allowed = await most().catch((refusal: unknown) => {
          wakeNext(key, line)
          throw refusal
        })
        if (line.held < allowed) break
        await new Promise<void>((resolve) => line.waiting.push(resolve))
      }
      line.held++
      return () => {
        line.held--
        wakeNext(key, line)
      }
    },
  }
}

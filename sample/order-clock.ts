import { daySeconds, lastMoment, later, secondsBetween } from './calendar.ts'
import type { Random } from './random.ts'

/** The moments at which things happen to an order, one after the other. */
export interface Clock {
  next(): Date
  /** The last moment that was given out, or the beginning. */
  now(): Date
}

/** However many things happen, the last of them is before the end of the sample. */
export function createClock(random: Random, from: Date): Clock {
  const horizon = Math.min(random.between(5, 220) * daySeconds, secondsBetween(from, lastMoment))
  const until = later(from, horizon)
  let now = from
  return {
    next() {
      const rest = secondsBetween(now, until)
      now = later(now, random.between(1, Math.max(1, Math.trunc(rest / 12))))
      return now
    },
    now: () => now,
  }
}

import { daySeconds, lastMoment, later, secondsBetween } from './calendar.ts'
import type { Random } from './random.ts'

/** The times of the events of an order, in order. */
export interface Clock {
  next(): Date
  /** The time of the last event, or the start. */
  now(): Date
}

/** The last event is always before the end of the sample. */
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

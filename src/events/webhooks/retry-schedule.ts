const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** The delay before each attempt, from the failure before it. */
export const retryDelaysMs = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
]

/** A delay is longer by up to this part of it, so that the failures of one moment are not all repeated at one moment. */
const jitter = 0.1

/** Longer delays that a receiver asks for are cut. */
const maxRetryAfterMs = 24 * hour

interface Failure {
  /** Failures so far, with this one. */
  failures: number
  now: Date
  /** Of the header Retry-After. */
  retryAfterMs?: number | undefined
  /** From 0 to 1. */
  random: number
}

/** The time of the next attempt. Undefined: there is none, and the delivery is dead. */
export function nextAttemptAt({ failures, now, retryAfterMs = 0, random }: Failure): Date | undefined {
  const delayMs = retryDelaysMs[failures]
  if (delayMs === undefined) return undefined
  const wantedMs = Math.min(retryAfterMs, maxRetryAfterMs)
  return new Date(now.getTime() + Math.max(delayMs * (1 + jitter * random), wantedMs))
}

/** Reads the header Retry-After: seconds, or a date. */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * second
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}

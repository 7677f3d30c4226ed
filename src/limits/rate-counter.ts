/** Counts of events by key, each within a window of a minute that begins with its first event. */
export interface RateCounter {
  /** Adds to the count of a key, or with 0 only looks at it. */
  count(key: string, by: number, nowMs: number): Window | Promise<Window>
}

export interface Window {
  count: number
  endsAtMs: number
}

const windowMs = 60_000
/** Bounds memory; who spreads guesses over so many keys gains nothing, each key starts anew. */
const maxRemembered = 50_000

export function createRateCounter(): RateCounter {
  const windows = new Map<string, Window>()
  return {
    count(key, by, nowMs) {
      let window = windows.get(key)
      if (!window || window.endsAtMs <= nowMs) {
        window = { count: 0, endsAtMs: nowMs + windowMs }
        if (by > 0) {
          if (windows.size >= maxRemembered) windows.clear()
          windows.set(key, window)
        }
      }
      window.count += by
      return { ...window }
    },
  }
}

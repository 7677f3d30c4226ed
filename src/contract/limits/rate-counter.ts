/** Counts of events by key, each within a window of a minute that begins with its first event. */
export interface RateCounter {
  /** Adds to the count of a key, or with less than 0 takes back. What is counted has its own keys and its own bound. */
  count(what: Counted, key: string, by: number, nowMs: number): Window | Promise<Window>
}

export type Counted = 'calls' | 'failures'

export interface Window {
  count: number
  endsAtMs: number
}

const windowMs = 60_000

/** Bounds memory; beyond, the window that began first is forgotten, however it stands. */
export function createRateCounter(mostRemembered = 50_000): RateCounter {
  // All windows last equally long, so the order of insertion is the order in which they end.
  const windows: Record<Counted, Map<string, Window>> = { calls: new Map(), failures: new Map() }
  return {
    count(what, key, by, nowMs) {
      const counted = windows[what]
      let window = counted.get(key)
      if (!window || window.endsAtMs <= nowMs) {
        counted.delete(key)
        window = { count: 0, endsAtMs: nowMs + windowMs }
        if (by <= 0) return window
        makeRoom(counted, mostRemembered, nowMs)
        counted.set(key, window)
      }
      window.count = Math.max(0, window.count + by)
      if (window.count === 0) counted.delete(key)
      return { ...window }
    },
  }
}

function makeRoom(windows: Map<string, Window>, most: number, nowMs: number): void {
  for (const [key, { endsAtMs }] of windows) {
    if (endsAtMs > nowMs && windows.size < most) return
    windows.delete(key)
  }
}

/** Counts events by key, in windows of a minute from the first event. */
export interface RateCounter {
  /** Adds to the count of a key; a negative number subtracts. Each `what` has its own keys and its own limit. */
  count(what: Counted, key: string, by: number, nowMs: number): Window | Promise<Window>
}

export type Counted = 'calls' | 'failures'

export interface Window {
  count: number
  endsAtMs: number
}

const windowMs = 60_000

/** Limits memory: beyond it, the oldest window is dropped. */
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

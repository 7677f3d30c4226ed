/** Things to be remembered until a moment: a key is marked, or it is not. */
export interface RecentWriters {
  mark(key: string, untilMs: number): void | Promise<void>
  isMarked(key: string, nowMs: number): boolean | Promise<boolean>
}

const maxRemembered = 50_000

export function createRecentWriters(): RecentWriters {
  // Insertion order is the order of marking: what was marked longest ago comes first.
  const recentWriters = new Map<string, number>()
  return {
    mark(key, untilMs) {
      recentWriters.delete(key)
      recentWriters.set(key, untilMs)
      if (recentWriters.size > maxRemembered) recentWriters.delete(recentWriters.keys().next().value!)
    },
    isMarked: (key, nowMs) => (recentWriters.get(key) ?? 0) > nowMs,
  }
}

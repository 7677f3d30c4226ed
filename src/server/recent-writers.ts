/** Callers that wrote recently, each with an expiry. */
export interface RecentWriters {
  mark(appId: string, untilMs: number): void | Promise<void>
  isMarked(appId: string, nowMs: number): boolean | Promise<boolean>
}

const maxRemembered = 50_000

export function createRecentWriters(): RecentWriters {
  // In order of marking, the oldest first.
  const recentWriters = new Map<string, number>()
  return {
    mark(appId, untilMs) {
      recentWriters.delete(appId)
      recentWriters.set(appId, untilMs)
      if (recentWriters.size > maxRemembered) recentWriters.delete(recentWriters.keys().next().value!)
    },
    isMarked: (appId, nowMs) => (recentWriters.get(appId) ?? 0) > nowMs,
  }
}

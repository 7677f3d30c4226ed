/** Things to be remembered until a moment: a key is marked, or it is not. */
export interface Marks {
  mark(key: string, untilMs: number): void | Promise<void>
  isMarked(key: string, nowMs: number): boolean | Promise<boolean>
}

const maxRemembered = 50_000

export function createMarks(): Marks {
  // Insertion order is the order of marking: what was marked longest ago comes first.
  const marks = new Map<string, number>()
  return {
    mark(key, untilMs) {
      marks.delete(key)
      marks.set(key, untilMs)
      if (marks.size > maxRemembered) marks.delete(marks.keys().next().value!)
    },
    isMarked: (key, nowMs) => (marks.get(key) ?? 0) > nowMs,
  }
}

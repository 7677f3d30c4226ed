import { ApiError } from '../errors.ts'

/**
 * Shares places, such as connections, among keys. A key gets another place only while more are free than it holds: alone
 * it can have about half, and one is left for a key that has none. Others wait in a queue per key; queues are served
 * round-robin.
 */
export interface FairShare {
  /**
   * Takes a place: at once if undefined is returned, or when the promise resolves. Throws or rejects with 50301.
   * `patienceMs` may be shorter than the limit.
   */
  enter(who: string, patienceMs?: number): Promise<void> | undefined
  /** Releases the place. */
  leave(who: string): void
  /** Number of callers that wait. */
  waiting(): number
  /** Refuses waiting and new callers. */
  close(): void
}

interface FairShareOptions {
  places: number
  /** A key for which the others leave one place, if there are several. */
  favoured?: string
  /** Maximum length of a queue. */
  mostWaiting?: number
  /** Absent: unlimited. */
  longestWaitMs?: number | undefined
}

interface Line {
  held: number
  waiting: Waiter[]
}

interface Waiter extends PromiseWithResolvers<void> {
  timer: NodeJS.Timeout | undefined
}

export function createFairShare({
  places,
  favoured,
  mostWaiting = 1000,
  longestWaitMs,
}: FairShareOptions): FairShare {
  const lines = new Map<string, Line>()
  /** Non-empty queues, the next to be served first. */
  const turns = new Map<string, Line>()
  let free = places
  let isOpen = true

  function mayEnter(who: string, { held }: Line): boolean {
    const isKept = favoured !== undefined && who !== favoured && places > 1 && !lines.get(favoured)?.held
    return held < (isKept ? free - 1 : free)
  }

  function take(line: Line): void {
    line.held++
    free--
  }

  function wait(who: string, line: Line, patienceMs: number): Promise<void> {
    const waiter: Waiter = { ...Promise.withResolvers<void>(), timer: undefined }
    const giveUp = () => {
      line.waiting.splice(line.waiting.indexOf(waiter), 1)
      forgetIdle(who, line)
      waiter.reject(tooBusy())
    }
    if (patienceMs < Infinity) waiter.timer = setTimeout(giveUp, patienceMs)
    line.waiting.push(waiter)
    turns.set(who, line)
    return waiter.promise
  }

  function serve(): void {
    // A queue that is served moves to the end, where this loop meets it again.
    for (const [who, line] of turns) {
      if (!mayEnter(who, line)) continue
      take(line)
      const waiter = line.waiting.shift()!
      turns.delete(who)
      if (line.waiting.length > 0) turns.set(who, line)
      clearTimeout(waiter.timer)
      waiter.resolve()
    }
  }

  function forgetIdle(who: string, line: Line): void {
    if (line.waiting.length > 0) return
    turns.delete(who)
    if (line.held === 0) lines.delete(who)
  }

  return {
    enter(who, patienceMs = Infinity) {
      if (!isOpen) throw tooBusy()
      let line = lines.get(who)
      if (!line) {
        line = { held: 0, waiting: [] }
        lines.set(who, line)
      }
      if (line.waiting.length === 0 && mayEnter(who, line)) return void take(line)
      if (line.waiting.length >= mostWaiting) throw tooBusy()
      return wait(who, line, Math.min(patienceMs, longestWaitMs ?? Infinity))
    },
    leave(who) {
      const line = lines.get(who)!
      line.held--
      free++
      forgetIdle(who, line)
      if (turns.size > 0) serve()
    },
    waiting: () => turns.values().reduce((sum, line) => sum + line.waiting.length, 0),
    close() {
      isOpen = false
      for (const { waiting } of turns.values()) {
        for (const { timer, reject } of waiting) {
          clearTimeout(timer)
          reject(tooBusy())
        }
      }
      turns.clear()
    },
  }
}

interface TurnOptions {
  patienceMs?: number
  /** Called after a wait with its start time, also if the wait failed. */
  noteWait?(askedMs: number): void
}

/** Runs the work in a place. */
export async function inTurn<T>(
  share: FairShare,
  who: string,
  work: () => Promise<T>,
  { patienceMs, noteWait }: TurnOptions = {},
): Promise<T> {
  const askedMs = performance.now()
  try {
    await share.enter(who, patienceMs)
  } finally {
    noteWait?.(askedMs)
  }
  try {
    return await work()
  } finally {
    share.leave(who)
  }
}

export function tooBusy(): ApiError {
  return new ApiError('unavailable', {
    msg: 'More calls are waiting for this organization than can be served: try again in a moment.',
    retryAfterSeconds: 2,
  })
}

import { ApiError } from '../errors.ts'

/**
 * Places that many want at once, such as connections. Whoever holds some gets another only while more are free than it
 * holds: alone it can have about half of them, and there is always one left for somebody who has none. The others wait
 * in a line of their own, and the lines are served in turn.
 */
export interface FairShare {
  /**
   * Takes a place: at once, where undefined is returned, or when the promise resolves. Throws or rejects with 50301.
   * `patienceMs` may be less than others have.
   */
  enter(who: string, patienceMs?: number): Promise<void> | undefined
  /** Gives the place back. */
  leave(who: string): void
  /** Refuses those who wait, and whoever comes. */
  close(): void
}

interface FairShareOptions {
  places: number
  /** Who finds a place whatever the others hold: where there are several, they leave it one. */
  favoured?: string
  /** In one line. */
  mostWaiting?: number
  /** Absent: as long as it takes. */
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
  /** Those in which somebody waits; the one whose turn is next comes first. */
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
    // A line that is served goes to the end, where this loop meets it again.
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

/** Does the work in a place of its own. */
export async function inTurn<T>(
  share: FairShare,
  who: string,
  work: () => Promise<T>,
  patienceMs?: number,
): Promise<T> {
  await share.enter(who, patienceMs)
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

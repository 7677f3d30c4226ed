import { createRateCounter, type RateCounter } from '../contract/limits/rate-counter.ts'
import { type CursorMemory, createCursorMemory } from '../search/cursor-memory.ts'
import type { CallPrimary, PrimaryCalls } from './ipc-messages.ts'
import { createRecentWriters, type RecentWriters } from './recent-writers.ts'

/** What a server remembers from call to call: once for all of its processes, so that limits and cursors hold over them. */
export interface ServerMemory {
  /** Calls of accounts with a limit, and failed signatures. */
  rateCounter: RateCounter
  /** Accounts that have just written. */
  recentWriters: RecentWriters
  /** Where the pages of lists ended. */
  cursorMemory: CursorMemory
}

export function createServerMemory(): ServerMemory {
  return {
    rateCounter: createRateCounter(),
    recentWriters: createRecentWriters(),
    cursorMemory: createCursorMemory(),
  }
}

/** The memory of the primary, as a worker sees it: each look is a question and an answer. */
export function memoryOfPrimary(call: CallPrimary): ServerMemory {
  return {
    rateCounter: { count: (...what) => call('count', ...what) },
    recentWriters: {
      mark: (...what) => call('mark', ...what),
      isMarked: (...what) => call('isMarked', ...what),
    },
    cursorMemory: {
      find: (...what) => call('findCursor', ...what),
      note: (...what) => call('noteCursor', ...what),
    },
  }
}

/** How the primary answers those questions. */
export function callsOnMemory({ rateCounter, recentWriters, cursorMemory }: ServerMemory) {
  return {
    count: rateCounter.count,
    mark: recentWriters.mark,
    isMarked: recentWriters.isMarked,
    findCursor: cursorMemory.find,
    noteCursor: cursorMemory.note,
  } satisfies Partial<PrimaryCalls>
}

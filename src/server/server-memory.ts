import { createRateCounter, type RateCounter } from '../contract/limits/rate-counter.ts'
import { createWaitingPlaces, type WaitingPlaces } from '../events/waiting-places.ts'
import { type CursorMemory, createCursorMemory } from '../search/cursor-memory.ts'
import type { CallPrimary, PrimaryCalls } from './ipc-messages.ts'
import { createRecentWriters, type RecentWriters } from './recent-writers.ts'

/** State between calls. The processes of a server share it, so limits and cursors apply across all of them. */
export interface ServerMemory {
  /** Calls of accounts with a limit, and failed signatures. */
  rateCounter: RateCounter
  /** Accounts that have just written. */
  recentWriters: RecentWriters
  /** Ends of the last pages of lists. */
  cursorMemory: CursorMemory
  /** Places of readers that wait for events. */
  waitingPlaces: WaitingPlaces
}

export function createServerMemory(): ServerMemory {
  return {
    rateCounter: createRateCounter(),
    recentWriters: createRecentWriters(),
    cursorMemory: createCursorMemory(),
    waitingPlaces: createWaitingPlaces(),
  }
}

/** The memory of the primary, as workers use it: each access is a remote call. */
export function memoryOfPrimary(call: CallPrimary): ServerMemory {
  return {
    rateCounter: { count: (...args) => call('count', ...args) },
    recentWriters: {
      mark: (...args) => call('mark', ...args),
      isMarked: (...args) => call('isMarked', ...args),
    },
    cursorMemory: {
      find: (...args) => call('findCursor', ...args),
      note: (...args) => call('noteCursor', ...args),
    },
    waitingPlaces: {
      take: (...args) => call('takePlace', ...args),
      leave: (...args) => call('leavePlace', ...args),
    },
  }
}

/** The functions of the primary behind those calls. */
export function callsOnMemory({ rateCounter, recentWriters, cursorMemory, waitingPlaces }: ServerMemory) {
  return {
    count: rateCounter.count,
    mark: recentWriters.mark,
    isMarked: recentWriters.isMarked,
    findCursor: cursorMemory.find,
    noteCursor: cursorMemory.note,
    takePlace: waitingPlaces.take,
    leavePlace: waitingPlaces.leave,
  } satisfies Partial<PrimaryCalls>
}

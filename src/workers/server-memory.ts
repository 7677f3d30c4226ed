import { createPageEnds, type PageEnds } from '../orders/page-ends.ts'
import { createMarks, type Marks } from '../throttling/marks.ts'
import { createWindows, type Windows } from '../throttling/windows.ts'
import type { CallPrimary, PrimaryCalls } from './messages.ts'

/** What a server remembers from call to call: once for all of its processes, so that limits and walks hold over them. */
export interface ServerMemory {
  /** Calls of accounts with a limit, and failed signatures. */
  windows: Windows
  /** Accounts that have just written. */
  marks: Marks
  /** Where the pages of lists ended. */
  pageEnds: PageEnds
}

export function createServerMemory(): ServerMemory {
  return { windows: createWindows(), marks: createMarks(), pageEnds: createPageEnds() }
}

/** The memory of the primary, as a worker sees it: each look is a question and an answer. */
export function memoryOfPrimary(call: CallPrimary): ServerMemory {
  return {
    windows: { count: (...what) => call('count', ...what) },
    marks: {
      mark: (...what) => call('mark', ...what),
      isMarked: (...what) => call('isMarked', ...what),
    },
    pageEnds: {
      find: (...what) => call('findPageEnd', ...what),
      note: (...what) => call('notePageEnd', ...what),
    },
  }
}

/** How the primary answers those questions. */
export function callsOnMemory({ windows, marks, pageEnds }: ServerMemory) {
  return {
    count: windows.count,
    mark: marks.mark,
    isMarked: marks.isMarked,
    findPageEnd: pageEnds.find,
    notePageEnd: pageEnds.note,
  } satisfies Partial<PrimaryCalls>
}

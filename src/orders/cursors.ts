import { type CursorMemory, createCursorMemory, type RowKey } from './cursor-memory.ts'
import type { OrderFilter } from './order-filter.ts'

/**
 * Remembers where the pages of a walk ended. A row that is modified moves to the end of a list by modification time,
 * one that changes its status leaves a list of that status, and all behind it move up by one: a reader who counted on
 * would step over them. So the page after one that was just served goes on behind its last row, wherever that row
 * stands by now. On quiet data both are the same.
 */
export interface Cursors {
  /** The end of the page before, in the walk that this caller is on; undefined: count from the start. */
  endOfPageBefore(caller: string, list: string, filter: OrderFilter): Promise<RowKey | undefined>
  noteEnd(caller: string, list: string, filter: OrderFilter, end: RowKey | undefined): Promise<void>
}

declare module '../contract/endpoint.ts' {
  interface OrganizationContext {
    /** Where the pages of lists ended that callers are walking through. */
    cursors: Cursors
  }
}

export function createCursors(ends: CursorMemory = createCursorMemory()): Cursors {
  return {
    async endOfPageBefore(caller, list, filter) {
      if (rowsStay(filter) || filter.page === 0) return undefined
      return ends.find(walkOf(caller, list, filter), filter.page - 1)
    },
    async noteEnd(caller, list, filter, end) {
      if (rowsStay(filter) || end === undefined) return
      await ends.note(walkOf(caller, list, filter), filter.page, end)
    },
  }
}

/** By creation and whatever the status, rows only ever come, at the end: counting is enough. */
function rowsStay({ timeColumn, status }: OrderFilter): boolean {
  return timeColumn === 'ctime' && status === undefined
}

function walkOf(caller: string, list: string, { page: _, ...query }: OrderFilter): string {
  return JSON.stringify([caller, list, query])
}

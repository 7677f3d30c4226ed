import { type CursorMemory, createCursorMemory, type RowKey } from './cursor-memory.ts'

/** The filter of a list, with the requested page. */
interface Walk {
  page: number
  timeColumn?: 'ctime' | 'mtime'
  status?: string | undefined
  includesDeleted?: true
}

/**
 * Remembers where the last page of each walk through a list ended. A modified row moves to the end of a list by
 * modification time, and a row with a new status leaves the list of its old status. The rows after it move up, and an
 * offset would skip one. The page after the one just served therefore continues after its last row. Any other page uses
 * an offset. On unchanged data both are the same.
 */
export interface Cursors {
  /** The end of the previous page if this caller has just read it; undefined: use an offset. */
  endOfPageBefore(caller: string, list: string, filter: Walk): Promise<RowKey | undefined>
  noteEnd(caller: string, list: string, filter: Walk, end: RowKey | undefined): Promise<void>
}

declare module '../contract/endpoint.ts' {
  interface OrganizationContext {
    /** Where the last page of each caller's walk through a list ended. */
    cursors: Cursors
  }
}

export function createCursors(memory: CursorMemory = createCursorMemory()): Cursors {
  return {
    async endOfPageBefore(caller, list, filter) {
      if (isAppendOnly(filter) || filter.page === 0) return undefined
      return (await memory.find(caller, walkOf(list, filter), filter.page - 1)) ?? undefined
    },
    async noteEnd(caller, list, filter, end) {
      if (!isAppendOnly(filter)) await memory.note(caller, walkOf(list, filter), filter.page, end ?? null)
    },
  }
}

/**
 * In a list by creation time with any status, rows are only appended: an offset is enough. With deleted rows, an offset
 * would be counted row by row.
 */
function isAppendOnly({ timeColumn, status, includesDeleted }: Walk): boolean {
  return timeColumn === 'ctime' && status === undefined && !includesDeleted
}

function walkOf(list: string, { page: _, ...query }: Walk): string {
  return JSON.stringify([list, query])
}

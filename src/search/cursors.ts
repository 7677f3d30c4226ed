import { type CursorMemory, createCursorMemory, type RowKey } from './cursor-memory.ts'

/** The filter of a list, with the page that is asked for. */
interface Walk {
  page: number
  timeColumn?: 'ctime' | 'mtime'
  status?: string | undefined
}

/**
 * Remembers where the last page of a walk through a list ended. A row that is modified moves to the end of a list by
 * modification time, one that changes its status leaves a list of that status, and all behind it move up by one: a
 * reader who counted on would step over them. So the page after the one just served goes on behind its last row,
 * wherever that row stands by now. Any other page is counted from the start. On quiet data both are the same.
 */
export interface Cursors {
  /** The end of the page before, if this caller has just read it; undefined: count from the start. */
  endOfPageBefore(caller: string, list: string, filter: Walk): Promise<RowKey | undefined>
  noteEnd(caller: string, list: string, filter: Walk, end: RowKey | undefined): Promise<void>
}

declare module '../contract/endpoint.ts' {
  interface OrganizationContext {
    /** Where the pages of lists ended that callers are walking through. */
    cursors: Cursors
  }
}

export function createCursors(memory: CursorMemory = createCursorMemory()): Cursors {
  return {
    async endOfPageBefore(caller, list, filter) {
      if (rowsStay(filter) || filter.page === 0) return undefined
      return (await memory.find(caller, walkOf(list, filter), filter.page - 1)) ?? undefined
    },
    async noteEnd(caller, list, filter, end) {
      if (!rowsStay(filter)) await memory.note(caller, walkOf(list, filter), filter.page, end ?? null)
    },
  }
}

/** By creation and whatever the status, rows only ever come, at the end: counting is enough. */
function rowsStay({ timeColumn, status }: Walk): boolean {
  return timeColumn === 'ctime' && status === undefined
}

function walkOf(list: string, { page: _, ...query }: Walk): string {
  return JSON.stringify([list, query])
}

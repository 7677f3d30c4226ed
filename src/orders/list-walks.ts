import type { OrderFilter } from './order-filter.ts'

/** Where a page ended: the time and id of its last row. */
export interface RowKey {
  time: string
  id: string
}

/**
 * Remembers where the pages of a walk ended. A row that is modified moves to the end of a list by modification time,
 * one that changes its status leaves a list of that status, and all behind it move up by one: a reader who counted on
 * would step over them. So the page after one that was just served goes on behind its last row, wherever that row
 * stands by now. On quiet data both are the same.
 */
export interface ListWalks {
  /** The end of the page before, in the walk that this caller is on; undefined: count from the start. */
  endOfPageBefore(caller: string, filter: OrderFilter): RowKey | undefined
  noteEnd(caller: string, filter: OrderFilter, end: RowKey | undefined): void
}

const mostWalks = 1000
const mostPagesPerWalk = 10_000

export function createListWalks(): ListWalks {
  // Insertion order is the order of last use: the walk unused for longest is the first to be forgotten.
  const walks = new Map<string, Map<number, RowKey>>()
  return {
    endOfPageBefore(caller, filter) {
      if (rowsStay(filter)) return undefined
      return walks.get(walkOf(caller, filter))?.get(filter.page - 1)
    },
    noteEnd(caller, filter, end) {
      if (rowsStay(filter) || end === undefined) return
      const key = walkOf(caller, filter)
      const pages = (filter.page > 0 && walks.get(key)) || new Map<number, RowKey>()
      if (pages.size < mostPagesPerWalk) pages.set(filter.page, end)
      walks.delete(key)
      walks.set(key, pages)
      if (walks.size > mostWalks) walks.delete(walks.keys().next().value!)
    },
  }
}

/** By creation and whatever the status, rows only ever come, at the end: counting is enough. */
function rowsStay({ timeColumn, status }: OrderFilter): boolean {
  return timeColumn === 'ctime' && status === undefined
}

function walkOf(caller: string, { page: _, ...query }: OrderFilter): string {
  return JSON.stringify([caller, query])
}

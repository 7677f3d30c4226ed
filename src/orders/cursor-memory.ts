/** Where a page ended: the time and id of its last row. */
export interface RowKey {
  time: string
  id: string
}

/** The ends of the pages that were served, by walk. */
export interface CursorMemory {
  find(walk: string, page: number): RowKey | undefined | Promise<RowKey | undefined>
  /** The first page begins the walk anew. */
  note(walk: string, page: number, end: RowKey): void | Promise<void>
}

const mostCursors = 2000
const mostPagesPerWalk = 10_000

export function createCursorMemory(): CursorMemory {
  // Insertion order is the order of last use: the walk unused for longest is the first to be forgotten.
  const cursors = new Map<string, Map<number, RowKey>>()
  return {
    find: (walk, page) => cursors.get(walk)?.get(page),
    note(walk, page, end) {
      const pages = (page > 0 && cursors.get(walk)) || new Map<number, RowKey>()
      if (pages.size < mostPagesPerWalk) pages.set(page, end)
      cursors.delete(walk)
      cursors.set(walk, pages)
      if (cursors.size > mostCursors) cursors.delete(cursors.keys().next().value!)
    },
  }
}

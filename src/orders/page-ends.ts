/** Where a page ended: the time and id of its last row. */
export interface RowKey {
  time: string
  id: string
}

/** The ends of the pages that were served, by walk. */
export interface PageEnds {
  find(walk: string, page: number): RowKey | undefined | Promise<RowKey | undefined>
  /** The first page begins the walk anew. */
  note(walk: string, page: number, end: RowKey): void | Promise<void>
}

const mostWalks = 2000
const mostPagesPerWalk = 10_000

export function createPageEnds(): PageEnds {
  // Insertion order is the order of last use: the walk unused for longest is the first to be forgotten.
  const walks = new Map<string, Map<number, RowKey>>()
  return {
    find: (walk, page) => walks.get(walk)?.get(page),
    note(walk, page, end) {
      const pages = (page > 0 && walks.get(walk)) || new Map<number, RowKey>()
      if (pages.size < mostPagesPerWalk) pages.set(page, end)
      walks.delete(walk)
      walks.set(walk, pages)
      if (walks.size > mostWalks) walks.delete(walks.keys().next().value!)
    },
  }
}

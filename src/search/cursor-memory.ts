/** Where a page ended: the time and id of its last row. */
export interface RowKey {
  time: string
  id: string
}

/** Where the last page of each walk ended, by account. */
export interface CursorMemory {
  /** The end of a page, if that is the page which this walk has come to, a short while ago. */
  find(account: string, walk: string, page: number): RowKey | null | Promise<RowKey | null>
  /** The walk has come to this page; null: to one without rows, which ends it. */
  note(account: string, walk: string, page: number, end: RowKey | null): void | Promise<void>
}

/** A reader who comes back later than this begins anew. */
const cursorLifeMs = 5 * 60_000
/** Each account has its own, so that nobody can make another's walk forgotten. */
const mostWalksPerAccount = 100
const mostAccounts = 500

interface Cursor {
  page: number
  end: RowKey
  notedAtMs: number
}

export function createCursorMemory(nowMs: () => number = () => performance.now()): CursorMemory {
  const accounts = new Map<string, Map<string, Cursor>>()
  return {
    find(account, walk, page) {
      const cursor = accounts.get(account)?.get(walk)
      if (cursor?.page !== page || nowMs() - cursor.notedAtMs > cursorLifeMs) return null
      return cursor.end
    },
    note(account, walk, page, end) {
      const walks = accounts.get(account) ?? new Map<string, Cursor>()
      walks.delete(walk)
      if (end) putLast(walks, walk, { page, end, notedAtMs: nowMs() }, mostWalksPerAccount)
      accounts.delete(account)
      if (walks.size > 0) putLast(accounts, account, walks, mostAccounts)
    },
  }
}

/** Maps keep the order of insertion, which here is that of last use: what was unused for longest is forgotten. */
function putLast<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.set(key, value)
  if (map.size > most) map.delete(map.keys().next().value!)
}

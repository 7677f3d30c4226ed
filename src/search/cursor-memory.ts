/** Where a page ended: the time and id of its last row. */
export interface RowKey {
  time: string
  id: string
}

/** Where the last page of each walk ended, by account. */
export interface CursorMemory {
  /** The end of a page if it is the last page of this walk and recent. */
  find(account: string, walk: string, page: number): RowKey | null | Promise<RowKey | null>
  /** Records the last page of a walk. A page without rows (null) ends the walk. */
  note(account: string, walk: string, page: number, end: RowKey | null): void | Promise<void>
}

/** A later reader starts from an offset again. */
const cursorLifeMs = 5 * 60_000
/** Per account, so that one account cannot evict the cursors of another. */
const maxWalksPerAccount = 100
const maxAccounts = 500

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
      if (end) putLast(walks, walk, { page, end, notedAtMs: nowMs() }, maxWalksPerAccount)
      accounts.delete(account)
      if (walks.size > 0) putLast(accounts, account, walks, maxAccounts)
    },
  }
}

/** A map keeps the order of insertion, here the order of last use: the least recently used entry is evicted. */
function putLast<Value>(map: Map<string, Value>, key: string, value: Value, max: number): void {
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > max && oldest !== undefined) map.delete(oldest)
}

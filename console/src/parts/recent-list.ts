import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import type { Search } from '../app/session.tsx'
import { chosenOrganization, type InputOf, queryFor } from '../calls/call.ts'
import { pageSize } from './use-list-address.ts'

/** The lists whose records have a page. */
const idOf = { listUsers: 'user_id', searchUsers: 'user_id', searchOrders: 'order_id' } as const
type Listing = keyof typeof idOf

interface RecentList {
  organization: string
  operation: Listing
  /** Its filters, without the page. */
  filters: object
  /** Its address. */
  search: Search
  page: number
  total: number
  ids: string[]
}

const key = 'recent-lists'
let lists: Record<string, RecentList> = stored()
const listeners = new Set<() => void>()

function stored(): Record<string, RecentList> {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}')
  } catch {
    return {}
  }
}

function remember(screen: string, list: RecentList): void {
  lists = { ...lists, [screen]: list }
  try {
    sessionStorage.setItem(key, JSON.stringify(lists))
  } catch {
    // Without storage, a reload forgets the list.
  }
  for (const listener of listeners) listener()
}

function listen(tell: () => void): () => void {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

interface ShownList {
  screen: 'people' | 'orders'
  operation: Listing
  filters: object
  search: Search
  page: number
  data: { list: object[]; total: number } | undefined
}

/** Remembers the list of a screen, so that its records lead to the next and the previous one. */
export function useRecentList({ screen, operation, filters, search, page, data }: ShownList): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address and its rows arrive together.
  useEffect(() => {
    if (!data) return
    const ids = idsIn(operation, data.list)
    const { total } = data
    remember(screen, { organization: chosenOrganization(), operation, filters, search, page, total, ids })
  }, [data])
}

function idsIn(operation: Listing, rows: object[]): string[] {
  return rows.map((row) => (row as Record<string, string>)[idOf[operation]]!)
}

export interface Neighbours {
  /** The list that the record came from, where it is in one. */
  list?: { search: Search; place: number; total: number }
  previous?: () => void
  next?: () => void
}

/** The neighbours of a record in the list that it came from, also across its pages. */
export function useNeighbours(
  screen: ShownList['screen'],
  id: string,
  open: (id: string) => void,
): Neighbours {
  const queries = useQueryClient()
  const list = useSyncExternalStore(listen, () => lists[screen])
  const at = list?.organization === chosenOrganization() ? list.ids.indexOf(id) : -1
  if (!list || at < 0) return {}
  const place = list.page * pageSize + at
  const step = (by: 1 | -1) => async () => {
    const beside = list.ids[at + by]
    if (beside !== undefined) return open(beside)
    const page = list.page + by
    const input = { ...list.filters, page, page_size: pageSize } as unknown as InputOf<Listing>
    const found = await queries.fetchQuery(queryFor(list.operation, input)).catch(() => undefined)
    if (!found) return
    const ids = idsIn(list.operation, found.list)
    const search = { ...list.search, page: page === 0 ? undefined : String(page + 1) }
    const first = by === 1 ? ids[0] : ids.at(-1)
    if (first === undefined) return
    remember(screen, { ...list, search, page, ids, total: found.total })
    open(first)
  }
  return {
    list: { search: list.search, place: place + 1, total: list.total },
    ...(place > 0 && { previous: () => void step(-1)() }),
    ...(place + 1 < list.total && { next: () => void step(1)() }),
  }
}

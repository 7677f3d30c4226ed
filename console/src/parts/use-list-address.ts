import { useDebouncedCallback } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Search } from '../app/session.tsx'
import { type InputOf, type OperationId, type RowOf, useCall } from '../calls/call.ts'

export const pageSize = 50

/** A step adds an entry to the browser history; a replacement does not. */
type Step = 'step' | 'replace'

export interface ListAddress {
  /** The query: filters, view, sorting. */
  search: Search
  /** From 0, as in the API; the address counts from 1. */
  page: number
  setPage(page: number, step?: Step): void
  /** Changes filters and returns to the first page. */
  setFilters(changes: Search, step?: Step): void
  /** Removes all filters. */
  clear(): void
  /** The column by which the browser sorts a whole list; with a minus, descending. */
  sorted: string | undefined
  sortBy(column: string | undefined): void
  /** The record beside the list. */
  opened: string | undefined
  /** Opens a record beside the list; undefined closes it. */
  open(id: string | undefined): void
}

/** The state of a list, kept in its address so that it can be shared. */
export function useListAddress(): ListAddress {
  const { open: opened, do: _command, sorted, ...filters } = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const change = useCallback(
    (changes: Search, step: Step = 'step') =>
      void navigate({
        to: '.',
        search: (before: Search) => ({ ...before, ...changes }) as never,
        replace: step === 'replace',
      }),
    [navigate],
  )
  const written = Number(filters.page ?? 1)
  return {
    search: filters,
    page: Number.isInteger(written) && written > 0 ? written - 1 : 0,
    setPage: (page, step) => change({ page: page === 0 ? undefined : String(page + 1) }, step),
    setFilters: useCallback((changes, step) => change({ ...changes, page: undefined }, step), [change]),
    clear: () => void navigate({ to: '.', search: {} as never }),
    sorted,
    sortBy: useCallback((column) => change({ sorted: column }, 'replace'), [change]),
    opened,
    open: useCallback((id) => change({ open: id }, opened ? 'replace' : 'step'), [change, opened]),
  }
}

interface ListOptions {
  enabled?: boolean
  refetchEveryMs?: number
  isFreshOnOpening?: boolean
}

/** Reads the page of a list that its address names; the last page stays visible until the next one arrives. */
export function useList<Id extends OperationId>(
  id: Id,
  { page }: Pick<ListAddress, 'page'>,
  filters: Omit<InputOf<Id>, 'page' | 'page_size'>,
  options: ListOptions = {},
): { data: { list: RowOf<Id>[]; total: number } | undefined; error: unknown; isPlaceholderData: boolean } {
  const input = { ...filters, page, page_size: pageSize } as unknown as InputOf<Id>
  const { data, error, isPlaceholderData } = useCall(id, input, { ...options, keepsPrevious: true })
  // Every operation that takes page and page_size answers list and total.
  return { data: data as { list: RowOf<Id>[]; total: number } | undefined, error, isPlaceholderData }
}

/** The text of a search field and its setter. The address follows after a short delay, trimmed. */
export function useTypedFilter(address: ListAddress, name: string): [string, (text: string) => void] {
  const shown = address.search[name] ?? ''
  const [typed, setTyped] = useState(shown)
  const sent = useRef(shown)
  const send = useDebouncedCallback((text: string) => {
    sent.current = text
    address.setFilters({ [name]: text || undefined }, 'replace')
  }, 250)
  // Follows the address when the person goes back or clears the filters, but not its own delayed change.
  useEffect(() => {
    if (shown === sent.current) return
    sent.current = shown
    setTyped(shown)
  }, [shown])
  const type = (text: string) => {
    setTyped(text)
    send(text.trim())
  }
  return [typed, type]
}

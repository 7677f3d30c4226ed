import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Search } from '../app/address.ts'

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
}

/**
 * The state of a list, kept in its address so that it can be shared. With `opensAtEnd`, an address without a page means the
 * last page.
 */
export function useListAddress({ opensAtEnd = false } = {}): ListAddress {
  const search = useSearch({ strict: false }) as Search
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
  const written = Number(search.page ?? 1)
  return {
    search,
    page: Number.isInteger(written) && written > 0 ? written - 1 : 0,
    setPage: (page, step) => change({ page: page === 0 && !opensAtEnd ? undefined : String(page + 1) }, step),
    setFilters: useCallback((changes, step) => change({ ...changes, page: undefined }, step), [change]),
    clear: () => void navigate({ to: '.', search: {} as never }),
  }
}

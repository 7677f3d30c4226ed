import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Search } from '../app/address.ts'

export const pageSize = 50

export interface ListAddress {
  /** Everything behind the question mark: filters, view, sorting. */
  search: Search
  /** From 0, as the service counts; the address counts from 1. */
  page: number
  setPage(page: number): void
  /** Changes some filters, and goes back to the first page. */
  setFilters(changes: Search): void
  /** Forgets all filters. */
  clear(): void
}

/** The state of a list, which is its address: it can be sent, kept and gone back to. */
export function useListAddress(): ListAddress {
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const change = useCallback(
    (changes: Search) =>
      void navigate({
        to: '.',
        search: (before: Search) => ({ ...before, ...changes }) as never,
        replace: true,
      }),
    [navigate],
  )
  const written = Number(search.page ?? 1)
  return {
    search,
    page: Number.isInteger(written) && written > 0 ? written - 1 : 0,
    setPage: (page) => change({ page: page === 0 ? undefined : String(page + 1) }),
    setFilters: useCallback((changes) => change({ ...changes, page: undefined }), [change]),
    clear: () => void navigate({ to: '.', search: {} as never, replace: true }),
  }
}

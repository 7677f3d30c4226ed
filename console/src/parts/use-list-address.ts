import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Search } from '../app/address.ts'

export const pageSize = 50

/** Whether the way back leads to what was before: a step does, a correction or another character typed does not. */
type Step = 'step' | 'replace'

export interface ListAddress {
  /** Everything behind the question mark: filters, view, sorting. */
  search: Search
  /** From 0, as the service counts; the address counts from 1. */
  page: number
  setPage(page: number, step?: Step): void
  /** Changes some filters, and goes back to the page that a list opens with. */
  setFilters(changes: Search, step?: Step): void
  /** Forgets all filters. */
  clear(): void
}

/**
 * The state of a list, which is its address: it can be sent, kept and gone back to. A list that `opensAtEnd` has its last
 * page where the address names none.
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

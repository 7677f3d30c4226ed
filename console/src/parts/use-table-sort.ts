import { useMemo, useState } from 'react'
import { locales, useLanguage } from '../languages/language.ts'
import { isComparable, sortedRows } from './sorted-rows.ts'
import type { Column } from './table-rows.tsx'
import type { ListAddress } from './use-list-address.ts'

/** How a column sorts its table. */
export interface ColumnSort {
  /** Undefined: the table is sorted by another column, or not at all. */
  direction: 'ascending' | 'descending' | undefined
  /** Sorts by the column; then the other way; then as the list was. */
  next(): void
}

interface TableSort<Row> {
  rows: Row[] | undefined
  /** Undefined: nothing sorts by this column. */
  sortOf(column: Column<Row>): ColumnSort | undefined
}

type SortAddress = Partial<Pick<ListAddress, 'search' | 'setFilters' | 'sorted' | 'sortBy'>>

/**
 * Sorts a table: the service by the columns that it has an index for, and the browser by any column of a list that it has whole.
 */
export function useTableSort<Row>(
  columns: Column<Row>[],
  rows: Row[] | undefined,
  isWhole: boolean,
  address: SortAddress = {},
): TableSort<Row> {
  const locale = locales[useLanguage()]
  const [kept, keep] = useState<string>()
  const [sorted, sortBy] = address.sortBy ? [address.sorted, address.sortBy] : [kept, keep]
  const isDescending = sorted?.startsWith('-') ?? false
  const own = isWhole ? columns.find(({ id }) => id === sorted?.replace(/^-/, '')) : undefined
  const shown = useMemo(
    () => (own && rows ? sortedRows(rows, own, isDescending, locale) : rows),
    [own, rows, isDescending, locale],
  )
  const ofService = ({ sorts: [ascending, descending] = ['', ''] }: Column<Row>): ColumnSort => {
    const isAscending = address.search?.sort === ascending
    return {
      direction: own ? undefined : isAscending ? 'ascending' : 'descending',
      next() {
        const sort = own || isAscending ? descending : ascending
        // The usual order has no place in the address.
        address.setFilters?.({ sort: sort === descending ? undefined : sort, sorted: undefined })
      },
    }
  }
  const ofBrowser = ({ id, isNumber }: Column<Row>): ColumnSort => {
    const steps = isNumber ? [`-${id}`, id] : [id, `-${id}`]
    return {
      direction: own?.id === id ? (isDescending ? 'descending' : 'ascending') : undefined,
      next: () => sortBy(steps[steps.indexOf(sorted ?? '') + 1]),
    }
  }
  return {
    rows: shown,
    sortOf(column) {
      if (column.sorts && address.setFilters) return ofService(column)
      return isWhole && rows && isComparable(column, rows) ? ofBrowser(column) : undefined
    },
  }
}

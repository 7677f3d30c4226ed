import { Button, Checkbox, Flex, Group, Pagination, Skeleton, Stack, Text } from '@mantine/core'
import {
  type CSSProperties,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { Cards } from './cards.tsx'
import classes from './data-table.module.css'
import { useDensity } from './density.ts'
import { EmptyState, ErrorNotice } from './error-notice.tsx'
import { type Filter, FilterBar } from './filter-bar.tsx'
import { HeadCell } from './head-cell.tsx'
import type { IconName } from './icon.tsx'
import { TableOptions } from './table-options.tsx'
import { type Column, TableRows } from './table-rows.tsx'
import { useChosenColumns } from './use-chosen-columns.ts'
import { cellWidth, useColumnWidths } from './use-column-widths.ts'
import { useIsPhone } from './use-is-phone.ts'
import { type ListAddress, pageSize } from './use-list-address.ts'
import { useTableSort } from './use-table-sort.ts'

/** A page of a list as `useCall` returns it; without data it is still loading. */
export interface ListQuery<Row> {
  data?: { list: Row[]; total?: number } | undefined
  error?: unknown
  /** The data belongs to the previous filters or page. */
  isPlaceholderData?: boolean
}

export interface DataTableProps<Row> {
  /** The browser stores the chosen columns under this name. */
  name: string
  /** Accessible name of the table. */
  label: string
  columns: Column<Row>[]
  rowId(row: Row): string
  query: ListQuery<Row>
  /** Absent: the list has one page. */
  address?: Pick<ListAddress, 'page' | 'setPage'> & Partial<ListAddress>
  search?: { name: string; label: string }
  filters?: Filter[]
  /** Replaces search and filters above the table. */
  toolbar?: ReactNode
  /** Buttons at the end of the toolbar. */
  actions?: ReactNode
  /** Opens a row by click; by Enter as well, if rows have no page. */
  onOpen?: (row: NoInfer<Row>) => void
  /** Opens the page of a row by Enter or a double click. */
  onOpenPage?: (row: NoInfer<Row>) => void
  /** The row whose record is open beside the list. */
  openId?: string
  /** Absent: rows cannot be selected. Ids of other pages stay selected. */
  selected?: string[]
  onSelect?(ids: string[]): void
  /** Actions on the selected rows. */
  bulkActions?: ReactNode
  empty?: { text: string; icon: IconName; action?: ReactNode }
  /** Shown beside the total. */
  footer?: ReactNode
  /** Height of everything around the table; the table fills the rest of the window. */
  spaceAround?: string
}

const firstPage: DataTableProps<never>['address'] & object = { page: 0, setPage: () => undefined }

/** A list of records with page numbers, exact totals, chosen columns and keys: J and K move, Enter opens. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { name, query, address = firstPage, rowId, openId, onOpen, onOpenPage, selected, onSelect } = props
  const { page, setPage } = address
  const { t } = useTranslation()
  // A state, not a ref: the rows render once the scrolling element exists.
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const isPhone = useIsPhone()
  const inTable = useMemo(() => props.columns.filter((column) => !column.isOnCardsOnly), [props.columns])
  const { shown: columns, choose } = useChosenColumns(name, inTable)
  const widths = useColumnWidths(name)
  const density = useDensity()
  const [isSelecting, setSelecting] = useState(false)
  // Rows that arrive render interruptibly: a click does not wait for them.
  const data = useDeferredValue(query.data)
  const listed = data?.list
  const total = data && (data.total ?? data.list.length)
  const isStale = query.isPlaceholderData ?? false
  const isLate = isStale || data !== query.data
  const isWhole = listed !== undefined && listed.length === total
  const { rows, sortOf } = useTableSort(inTable, listed, isWhole, address)
  const selection = useMemo(() => selected && new Set(selected), [selected])
  const toggle = useToggle(selected, onSelect)
  const lastPage = Math.max(Math.ceil((total ?? 0) / pageSize) - 1, 0)
  const isBeyond = !!total && rows?.length === 0 && page > lastPage
  useEffect(() => {
    if (isBeyond) setPage(lastPage, 'replace')
  })
  const toolbar = props.toolbar ?? <Toolbar {...props} />
  if (query.error && !rows)
    return (
      <>
        {toolbar}
        <ErrorNotice error={query.error} />
      </>
    )
  const onCards = props.columns.filter((column) => column.isOnCardsOnly || columns.includes(column))
  const width = columns.length + (onSelect ? 1 : 0)
  return (
    <div className={classes.list}>
      <Flex
        className={classes.toolbar}
        justify="space-between"
        align="end"
        mb={6}
        gap="xs"
        mih={26}
        wrap={{ base: 'wrap', sm: 'nowrap' }}
      >
        {selected && selected.length > 0 ? (
          <Group gap="xs">
            <Text size="sm" fw={500}>
              {t('table.selected', { count: selected.length })}
            </Text>
            {props.bulkActions}
            <Button size="compact-sm" variant="subtle" color="gray" onClick={() => onSelect?.([])}>
              {t('table.clearSelection')}
            </Button>
          </Group>
        ) : (
          toolbar
        )}
        <Group gap="xs" wrap="nowrap" className={classes.tools}>
          <TableOptions
            columns={inTable}
            shown={columns}
            choose={choose}
            sortOf={isPhone ? sortOf : undefined}
            select={isPhone && onSelect ? () => setSelecting(true) : undefined}
            fit={isPhone || Object.keys(widths.widths).length === 0 ? undefined : widths.fit}
          />
          {props.actions}
        </Group>
      </Flex>
      <section
        ref={setScroller}
        className={isPhone ? classes.cards : classes.scroll}
        data-density={density}
        data-stale={isStale || undefined}
        aria-busy={isLate}
        // The first column has an edge while others are under it.
        onScroll={({ currentTarget: it }) => it.toggleAttribute('data-aside', it.scrollLeft > 0)}
        style={{ '--table-above': props.spaceAround } as CSSProperties}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling list must be scrollable by keys.
        tabIndex={0}
        aria-label={props.label}
      >
        {isPhone ? (
          <PhoneList
            {...{ label: props.label, rows, rowId, columns: onCards, openId, onOpen, toggle }}
            selected={isSelecting || selection?.size ? selection : undefined}
          />
        ) : (
          <table
            className={classes.table}
            style={widths.style}
            data-selects={selection && true}
            aria-rowcount={total ?? -1}
            aria-busy={rows === undefined || isLate}
          >
            <thead>
              <tr>
                {selection && onSelect && (
                  <th scope="col" data-select>
                    <SelectAll
                      ids={(!isLate && rows?.map(rowId)) || []}
                      selection={selection}
                      onSelect={onSelect}
                    />
                  </th>
                )}
                {columns.map((column, n) => (
                  <HeadCell
                    key={column.id}
                    title={column.title}
                    isNumber={column.isNumber}
                    isFirst={n === 0}
                    sort={sortOf(column)}
                    width={{
                      px: widths.widths[column.id],
                      set: (px) => widths.setWidth(column.id, px),
                    }}
                    style={{ ...cellWidth(column.id), width: column.width }}
                  />
                ))}
              </tr>
            </thead>
            <tbody>
              {rows === undefined && <WaitingRows width={width} />}
              <TableRows
                {...{ rows: rows ?? none, rowId, columns, page, selected: selection, toggle }}
                {...{ openId, onOpen, onOpenPage, scroller }}
              />
            </tbody>
          </table>
        )}
        {rows?.length === 0 && !isBeyond && (
          <EmptyState text={props.empty?.text ?? t('table.nothing')} icon={props.empty?.icon}>
            {props.empty?.action}
          </EmptyState>
        )}
      </section>
      <Group justify="space-between" mt={6} gap="xs" data-stale={isStale || undefined}>
        <Text size="sm" c="dimmed" aria-live="polite">
          {total === undefined || isBeyond
            ? t('table.counting')
            : total > 0 &&
              t('table.range', {
                first: page * pageSize + 1,
                last: Math.min(page * pageSize + (rows?.length ?? pageSize), total),
                total,
              })}
        </Text>
        {props.footer}
        {total !== undefined && total > pageSize && (
          <Pagination
            size="sm"
            total={Math.ceil(total / pageSize)}
            value={page + 1}
            onChange={(chosen) => setPage(chosen - 1)}
            getItemProps={(item) => ({ 'aria-label': String(item) })}
            getControlProps={(control) => ({
              'aria-label': t(control === 'next' ? 'common.next' : 'common.previous'),
            })}
            aria-label={t('table.pages')}
          />
        )}
      </Group>
    </div>
  )
}

const none: never[] = []

interface PhoneListProps<Row> extends Omit<Parameters<typeof Cards<Row>>[0], 'rows'> {
  /** Undefined: they are loading. */
  rows: Row[] | undefined
}

function PhoneList<Row>({ rows, ...props }: PhoneListProps<Row>) {
  if (rows) return <Cards {...props} rows={rows} />
  return (
    <Stack gap="xs" aria-busy>
      {[1, 2, 3, 4, 5, 6].map((card) => (
        <Skeleton key={card} height={88} radius="md" />
      ))}
    </Stack>
  )
}

function Toolbar<Row>({ address, search, filters }: DataTableProps<Row>) {
  if (!address?.search || (!search && !filters)) return <span />
  return <FilterBar address={address as ListAddress} search={search} filters={filters} />
}

/** Selects or deselects one row; the function stays the same, so that no other row renders again. */
function useToggle(selected: string[] | undefined, onSelect: ((ids: string[]) => void) | undefined) {
  const latest = useRef({ selected, onSelect })
  latest.current = { selected, onSelect }
  return useCallback((id: string) => {
    const { selected = [], onSelect } = latest.current
    onSelect?.(selected.includes(id) ? selected.filter((each) => each !== id) : [...selected, id])
  }, [])
}

interface SelectAllProps {
  /** The rows of this page. */
  ids: string[]
  selection: ReadonlySet<string>
  onSelect(ids: string[]): void
}

function SelectAll({ ids, selection, onSelect }: SelectAllProps) {
  const { t } = useTranslation()
  const isAll = ids.length > 0 && ids.every((id) => selection.has(id))
  const others = [...selection].filter((id) => !ids.includes(id))
  return (
    <Checkbox
      size="xs"
      aria-label={t('table.selectAll')}
      disabled={ids.length === 0}
      checked={isAll}
      indeterminate={!isAll && ids.some((id) => selection.has(id))}
      onChange={() => onSelect(isAll ? others : [...others, ...ids])}
    />
  )
}

function WaitingRows({ width }: { width: number }) {
  return Array.from({ length: 12 }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: all rows are alike.
    <tr key={row}>
      <td colSpan={width}>
        <Skeleton height={12} width={`${60 + ((row * 13) % 35)}%`} />
      </td>
    </tr>
  ))
}

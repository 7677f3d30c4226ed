import { Checkbox } from '@mantine/core'
import { type Range, useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type MouseEvent,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import classes from './data-table.module.css'
import { pageSize } from './use-list-address.ts'
import { useScreenKeys } from './use-screen-keys.ts'

export interface Column<Row> {
  id: string
  title: string
  cell(row: Row): ReactNode
  /** Amounts and counts stand at the right. */
  isNumber?: boolean
  /** Not shown until somebody chooses it. */
  isExtra?: boolean
  width?: string
}

/** A record, and whether it is selected. */
export interface TableRow<Row> {
  id: string
  original: { row: Row }
  getIsSelected(): boolean
  toggleSelected(): void
}

interface TableRowsProps<Row> {
  rows: TableRow<Row>[]
  columns: Column<Row>[]
  page: number
  canSelect: boolean
  openId: string | undefined
  onOpen: ((row: Row) => void) | undefined
  /** What scrolls; null until it is there. */
  scroller: HTMLElement | null
}

const rowHeightPx = 34
const blockRows = 10

/** Rows come ten at a time, and stay until the page is turned: each time, the browser lays the table out anew. */
function inBlocks({ startIndex, endIndex, count }: Range, reached: Reached): number[] {
  const first = Math.max(Math.floor(startIndex / blockRows) - 1, 0) * blockRows
  const end = (Math.floor(endIndex / blockRows) + 2) * blockRows
  reached.first = Math.min(reached.first, first)
  reached.end = Math.max(reached.end, end)
  const shown = Math.min(reached.end, count) - reached.first
  return Array.from({ length: Math.max(shown, 0) }, (_, n) => reached.first + n)
}

/** Which rows of a page somebody has come to. */
interface Reached {
  first: number
  end: number
}

/** The rows of a page: those that were in sight, and some around them. To scroll makes the rows that come into sight, and no other. */
export function TableRows<Row>(props: TableRowsProps<Row>) {
  const { rows, columns, page, canSelect, openId, onOpen, scroller } = props
  const [at, setAt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: on another page nobody has come to any.
  const reached = useMemo<Reached>(() => ({ first: Number.MAX_SAFE_INTEGER, end: 0 }), [page])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeightPx,
    rangeExtractor: (range) => inBlocks(range, reached),
    // Rows are there before they are in sight: nobody has to wait for them while the list moves.
    useFlushSync: false,
  })
  const move = (step: number) => {
    if (openId !== undefined || rows.length === 0) return
    const next = Math.min(Math.max(at + step, 0), rows.length - 1)
    setAt(next)
    virtual.scrollToIndex(next)
  }
  const open = useCallback(
    (index: number) => {
      const row = rows[index]
      setAt(index)
      if (row) onOpen?.(row.original.row)
    },
    [rows, onOpen],
  )
  useScreenKeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
    ['x', () => canSelect && rows[at]?.toggleSelected()],
    ['Enter', () => openId === undefined && document.activeElement === document.body && open(at)],
  ])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page begins at its first row.
  useEffect(() => {
    setAt(0)
    scroller?.scrollTo({ top: 0 })
  }, [page])
  // The row that stands open is where one goes on from when it is closed.
  useEffect(() => {
    const index = openId === undefined ? -1 : rows.findIndex(({ id }) => id === openId)
    if (index >= 0) setAt(index)
  }, [openId, rows])

  const items = virtual.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  const width = columns.length + (canSelect ? 1 : 0)
  return (
    <>
      {before > 0 && <Space height={before} width={width} />}
      {items.map(({ index }) => {
        const row = rows[index]!
        return (
          <ShownRow
            key={row.id}
            row={row as TableRow<unknown>}
            columns={columns as Column<unknown>[]}
            index={index}
            place={page * pageSize + index + 1}
            isAt={index === at}
            isOpen={row.id === openId}
            isSelected={canSelect ? row.getIsSelected() : undefined}
            open={open}
          />
        )
      })}
      {after > 0 && <Space height={after} width={width} />}
    </>
  )
}

interface ShownRowProps {
  row: TableRow<unknown>
  columns: Column<unknown>[]
  index: number
  /** Among all rows of all pages, from 1. */
  place: number
  isAt: boolean
  isOpen: boolean
  /** Undefined: it cannot be. */
  isSelected: boolean | undefined
  open(index: number): void
}

const ShownRow = memo(function ShownRow(props: ShownRowProps) {
  const { row, columns, index, place, isAt, isOpen, isSelected, open } = props
  const { t } = useTranslation()
  return (
    <tr
      className={classes.row}
      data-at={isAt || undefined}
      data-open={isOpen || undefined}
      aria-selected={isSelected}
      aria-rowindex={place}
      onClick={(event) => {
        if (!isControl(event)) open(index)
      }}
    >
      {isSelected !== undefined && (
        <td>
          <Checkbox
            size="xs"
            aria-label={t('table.selectRow')}
            checked={isSelected}
            onChange={() => row.toggleSelected()}
          />
        </td>
      )}
      {columns.map(({ id, isNumber, cell }) => (
        <td key={id} className={isNumber ? classes.right : undefined}>
          {cell(row.original.row)}
        </td>
      ))}
    </tr>
  )
})

/** A click on what does something of its own does not open the row. */
function isControl(event: MouseEvent): boolean {
  return (event.target as HTMLElement).closest('a, button, input, label') !== null
}

function Space({ height, width }: { height: number; width: number }) {
  return (
    <tr className={classes.space} style={{ '--space': `${height}px` } as CSSProperties}>
      <td colSpan={width} />
    </tr>
  )
}

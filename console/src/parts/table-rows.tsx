import { Checkbox } from '@mantine/core'
import { type Range, type Rect, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
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
import { type Density, useDensity } from './density.ts'
import { Zero } from './instant.tsx'
import { cellWidth } from './use-column-widths.ts'
import { pageSize } from './use-list-address.ts'
import { isNothingFocused, useScreenKeys } from './use-screen-keys.ts'

/** Several parts are compared one after the other: a currency, then an amount. */
export type SortValue = string | number | null | undefined | readonly (string | number)[]

export interface Column<Row> {
  id: string
  title: string
  cell(row: Row): ReactNode
  /** Right-aligned; zero is a dash. */
  isNumber?: boolean
  /** Hidden by default. */
  isExtra?: boolean
  width?: string
  /** The value that the browser sorts by, if it has the whole list. Absent: the text or number of the cell. */
  value?(row: Row): SortValue
  /** The service sorts by this column: the values of `sort`. Lists are descending unless the address says otherwise. */
  sorts?: readonly [ascending: string, descending: string] | undefined
  /** Place on the card of a phone. Absent: the first column is the title, one without a title holds actions, all others are details. */
  card?: 'title' | 'value' | 'detail' | 'action' | 'hidden'
  /** Only cards have it: actions that a table has elsewhere. */
  isOnCardsOnly?: boolean
  /** Columns with a common heading are next to each other. */
  group?: string
}

/** A cell of a row. */
export function contentOf<Row>({ cell, isNumber }: Column<Row>, row: Row): ReactNode {
  const content = cell(row)
  return isNumber && content === 0 ? <Zero title="0" /> : content
}

interface TableRowsProps<Row> {
  rows: Row[]
  rowId(row: Row): string
  columns: Column<Row>[]
  page: number
  /** Undefined: rows cannot be selected. */
  selected: ReadonlySet<string> | undefined
  toggle(id: string): void
  openId: string | undefined
  onOpen: ((row: Row) => void) | undefined
  onOpenPage: ((row: Row) => void) | undefined
  /** The scrolling element; null before it is mounted. */
  scroller: HTMLElement | null
}

/** The height of a table before the browser has laid it out: about two thirds of the window. */
const guessedRect = () => ({ width: 0, height: window.innerHeight * 0.6 })

/** Reports the size after each layout. Asking for it would make the browser lay out at once, while a screen still changes. */
function observeSize({ scrollElement }: Virtualizer<HTMLElement, Element>, report: (rect: Rect) => void) {
  if (!scrollElement) return
  const observer = new ResizeObserver(([entry]) => entry && report(entry.contentRect))
  observer.observe(scrollElement)
  return () => observer.disconnect()
}

const rowHeightsPx: Record<Density, number> = { comfortable: 34, compact: 28 }
const blockRows = 10
const longText = 16

/** Adds rows in blocks of ten and keeps them until the page turns: every added row makes the browser lay out the table again. */
function inBlocks({ startIndex, endIndex, count }: Range, reached: Reached): number[] {
  const first = Math.max(Math.floor(startIndex / blockRows) - 1, 0) * blockRows
  const end = (Math.floor(endIndex / blockRows) + 2) * blockRows
  reached.first = Math.min(reached.first, first)
  reached.end = Math.max(reached.end, end)
  const shown = Math.min(reached.end, count) - reached.first
  return Array.from({ length: Math.max(shown, 0) }, (_, n) => reached.first + n)
}

/** The rows of a page that have been scrolled to. */
interface Reached {
  first: number
  end: number
}

/** Renders the rows that have been visible, and some around them. Scrolling renders only new rows. */
export function TableRows<Row>(props: TableRowsProps<Row>) {
  const { rows, rowId, columns, page, selected, toggle, openId, onOpen, onOpenPage, scroller } = props
  const [at, setAt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page starts empty.
  const reached = useMemo<Reached>(() => ({ first: Number.MAX_SAFE_INTEGER, end: 0 }), [page])
  const rowHeightPx = rowHeightsPx[useDensity()]
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    initialRect: guessedRect(),
    observeElementRect: observeSize,
    estimateSize: () => rowHeightPx,
    rangeExtractor: (range) => inBlocks(range, reached),
    // Rows are rendered before they are visible, so that scrolling does not wait for them.
    useFlushSync: false,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height have other places.
  useEffect(() => virtual.measure(), [rowHeightPx])
  const move = (step: number) => {
    if (openId !== undefined || rows.length === 0) return
    const next = Math.min(Math.max(at + step, 0), rows.length - 1)
    setAt(next)
    virtual.scrollToIndex(next)
  }
  const open = useCallback(
    (index: number, isPage: boolean) => {
      const row = rows[index]
      setAt(index)
      const opens = (isPage && onOpenPage) || onOpen
      if (row) opens?.(row)
      if (row && onOpenPage && !isPage) onSecondClick(() => onOpenPage(row))
    },
    [rows, onOpen, onOpenPage],
  )
  useScreenKeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
    ['x', () => selected && rows[at] && toggle(rowId(rows[at]))],
    ['Enter', () => openId === undefined && isNothingFocused() && open(at, true)],
  ])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page starts at its first row.
  useEffect(() => {
    setAt(0)
    scroller?.scrollTo({ top: 0 })
  }, [page])
  // After the record closes, the keys continue from its row.
  useEffect(() => {
    const index = openId === undefined ? -1 : rows.findIndex((row) => rowId(row) === openId)
    if (index >= 0) setAt(index)
  }, [openId, rows, rowId])

  const items = virtual.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  const width = columns.length + (selected ? 1 : 0)
  return (
    <>
      {before > 0 && <Space height={before} width={width} />}
      {items.map(({ index }) => {
        const row = rows[index]!
        const id = rowId(row)
        return (
          <ShownRow
            key={id}
            id={id}
            row={row}
            columns={columns as Column<unknown>[]}
            index={index}
            place={page * pageSize + index + 1}
            isAt={index === at}
            isOpen={id === openId}
            isSelected={selected?.has(id)}
            toggle={toggle}
            open={open}
          />
        )
      })}
      {after > 0 && <Space height={after} width={width} />}
    </>
  )
}

interface ShownRowProps {
  id: string
  row: unknown
  columns: Column<unknown>[]
  index: number
  /** Position among the rows of all pages, from 1. */
  place: number
  isAt: boolean
  isOpen: boolean
  /** Undefined: the row cannot be selected. */
  isSelected: boolean | undefined
  toggle(id: string): void
  open(index: number, isPage: boolean): void
}

const ShownRow = memo(function ShownRow(props: ShownRowProps) {
  const { id, row, columns, index, place, isAt, isOpen, isSelected, toggle, open } = props
  const { t } = useTranslation()
  return (
    <tr
      className={classes.row}
      data-at={isAt || undefined}
      data-open={isOpen || undefined}
      aria-selected={isSelected}
      aria-rowindex={place}
      onClick={(event) => {
        if (!isControl(event) && event.detail < 2) open(index, false)
      }}
    >
      {isSelected !== undefined && (
        <td data-select>
          <Checkbox
            size="xs"
            aria-label={t('keys.select')}
            checked={isSelected}
            onChange={() => toggle(id)}
          />
        </td>
      )}
      {columns.map((column, n) => {
        const content = contentOf(column, row)
        return (
          <td
            key={column.id}
            data-first={n === 0 || undefined}
            className={column.isNumber ? classes.right : undefined}
            style={cellWidth(column.id)}
            // A narrow cell shows its whole text on hover.
            title={typeof content === 'string' && content.length > longText ? content : undefined}
          >
            {content}
          </td>
        )
      })}
    </tr>
  )
})

const doubleClickMs = 500

/** Acts on the second click of a double click, even if the record that the first one opened is under it. */
function onSecondClick(act: () => void): void {
  const listen = (event: globalThis.MouseEvent) => {
    if (event.detail !== 2) return
    stop()
    act()
  }
  const stop = () => window.removeEventListener('mouseup', listen, { capture: true })
  window.addEventListener('mouseup', listen, { capture: true })
  setTimeout(stop, doubleClickMs)
}

/** A click on a link, on a field, or in a dialog of the row does not open the row. */
export function isControl({ target, currentTarget }: MouseEvent): boolean {
  const place = target as HTMLElement
  return !currentTarget.contains(place) || place.closest('a, button, input, label') !== null
}

function Space({ height, width }: { height: number; width: number }) {
  return (
    <tr className={classes.space} style={{ '--space': `${height}px` } as CSSProperties}>
      <td colSpan={width} />
    </tr>
  )
}

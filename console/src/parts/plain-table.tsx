import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { Cards, type FootRow } from './cards.tsx'
import { useDensity } from './density.ts'
import { HeadCell } from './head-cell.tsx'
import { Day, Instant, Money } from './instant.tsx'
import classes from './plain-table.module.css'
import { ScrollSideways } from './scroll-sideways.tsx'
import { type Column, contentOf, isControl } from './table-rows.tsx'
import { useIsPhone } from './use-is-phone.ts'
import { useTableSort } from './use-table-sort.ts'

interface PlainTableProps<Row> {
  label?: string
  columns: Column<NoInfer<Row>>[]
  rows: Row[]
  rowId(row: NoInfer<Row>): string
  /** Sums below the rows. */
  foot?: FootRow[]
  minWidth?: number
  /** Cells never wrap. */
  keepsLines?: boolean
  /** The order of the rows has a meaning. */
  isFixed?: boolean
  /** Opens a row by click. */
  onOpen?: (row: NoInfer<Row>) => void
  /** The open row. */
  openId?: string | undefined
}

const mostCards = 20

/** A short table: all rows at once, without paging. A phone shows cards. */
export function PlainTable<Row>(props: PlainTableProps<Row>) {
  const { label, columns, rowId, foot, onOpen, openId } = props
  const { minWidth = 420, keepsLines = false, isFixed = false } = props
  const spacing = useDensity() === 'compact' ? 1 : 4
  const { rows, sortOf } = useTableSort(columns, props.rows, !isFixed)
  if (useIsPhone())
    return <Cards {...{ label, columns, rowId, foot, onOpen, openId }} rows={rows ?? []} most={mostCards} />
  return (
    <ScrollSideways minWidth={minWidth} keepsLines={keepsLines} className={classes.scroll}>
      <Table fz="sm" verticalSpacing={spacing} aria-label={label} className={classes.table}>
        <Table.Thead>
          <GroupHeads columns={columns} />
          <Table.Tr>
            {columns.map((column) => (
              <HeadCell
                key={column.id}
                title={column.title}
                isNumber={column.isNumber}
                sort={sortOf(column)}
                style={{ width: column.width }}
              />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows?.map((row) => (
            <Table.Tr
              key={rowId(row)}
              className={onOpen && classes.row}
              aria-current={rowId(row) === openId || undefined}
              onClick={onOpen && ((event) => !isControl(event) && onOpen(row))}
            >
              {columns.map((column) => (
                <Table.Td key={column.id} ta={column.isNumber ? 'right' : undefined}>
                  {contentOf(column, row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
        {foot && foot.length > 0 && (
          <Table.Tfoot>
            {foot.map((row) => (
              <Foot key={row.id} row={row} columns={columns} />
            ))}
          </Table.Tfoot>
        )}
      </Table>
    </ScrollSideways>
  )
}

/** The common headings of groups of columns. */
function GroupHeads<Row>({ columns }: { columns: Column<Row>[] }) {
  if (!columns.some(({ group }) => group)) return null
  const groups = [...Map.groupBy(columns, ({ group }) => group ?? '')]
  return (
    <Table.Tr>
      {groups.map(([group, { length }]) =>
        group ? (
          <Table.Th key={group} colSpan={length} ta="center">
            {group}
          </Table.Th>
        ) : (
          <Table.Td key={group} colSpan={length} />
        ),
      )}
    </Table.Tr>
  )
}

function Foot<Row>({ row: { label, cells }, columns }: { row: FootRow; columns: Column<Row>[] }) {
  const first = columns.findIndex(({ id }) => id in cells)
  const covered = first < 0 ? columns.length : first
  return (
    <Table.Tr>
      <Table.Th scope="row" colSpan={covered}>
        {label}
      </Table.Th>
      {columns.slice(covered).map(({ id, isNumber }) => (
        <Table.Td key={id} ta={isNumber ? 'right' : undefined}>
          {cells[id]}
        </Table.Td>
      ))}
    </Table.Tr>
  )
}

type More<Row> = Omit<Column<Row>, 'id' | 'title' | 'cell'>

/** A column of amounts in minor units, sorted within each currency. Zero is a dash. */
export function moneyColumn<Row>(
  id: string,
  title: string,
  amountOf: (row: Row) => readonly [amount: number, currency: string],
  more: More<Row> = {},
): Column<Row> {
  const cell = (row: Row): ReactNode => {
    const [amount, currency] = amountOf(row)
    return <Money amount={amount} currency={currency} isZeroDash />
  }
  const value = (row: Row) => amountOf(row).toReversed()
  return { id, title, isNumber: true, cell, value, ...more }
}

/** A column of times. */
export function timeColumn<Row>(
  id: string,
  title: string,
  timeOf: (row: Row) => string | null,
  more: More<Row> = {},
): Column<Row> {
  return { id, title, cell: (row) => <Instant at={timeOf(row)} />, value: timeOf, ...more }
}

/** A column of calendar days. */
export function dayColumn<Row>(
  id: string,
  title: string,
  dayOf: (row: Row) => string | null,
  more: More<Row> = {},
): Column<Row> {
  return { id, title, cell: (row) => <Day at={dayOf(row)} />, value: dayOf, ...more }
}

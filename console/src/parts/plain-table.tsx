import { Table, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Day, Instant, Money } from './instant.tsx'
import { ScrollSideways } from './scroll-sideways.tsx'
import type { Column } from './table-rows.tsx'

interface PlainTableProps<Row> {
  label?: string
  columns: Column<NoInfer<Row>>[]
  rows: Row[]
  rowId(row: NoInfer<Row>): string
  /** Rows below the line: sums. Their cells start at the first column. */
  foot?: ReactNode
  minWidth?: number
  /** Cells never wrap. */
  keepsLines?: boolean
}

/** A short table: all rows at once, without paging. */
export function PlainTable<Row>(props: PlainTableProps<Row>) {
  const { label, columns, rows, rowId, foot, minWidth = 420, keepsLines = false } = props
  const { t } = useTranslation()
  return (
    <ScrollSideways minWidth={minWidth} keepsLines={keepsLines}>
      <Table fz="sm" verticalSpacing={3} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ id, title, isNumber, width }) => (
              <Table.Th key={id} ta={isNumber ? 'right' : undefined} w={width}>
                {title || <VisuallyHidden>{t('table.actions')}</VisuallyHidden>}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={rowId(row)}>
              {columns.map(({ id, cell, isNumber }) => (
                <Table.Td key={id} ta={isNumber ? 'right' : undefined}>
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
        {foot && <Table.Tfoot>{foot}</Table.Tfoot>}
      </Table>
    </ScrollSideways>
  )
}

type More<Row> = Omit<Column<Row>, 'id' | 'title' | 'cell'>

/** A column of amounts in minor units. */
export function moneyColumn<Row>(
  id: string,
  title: string,
  amountOf: (row: Row) => [amount: number, currency: string],
  more: More<Row> & { isZeroDimmed?: boolean } = {},
): Column<Row> {
  const { isZeroDimmed, ...rest } = more
  const cell = (row: Row): ReactNode => {
    const [amount, currency] = amountOf(row)
    return <Money amount={amount} currency={currency} isZeroDimmed={isZeroDimmed} />
  }
  return { id, title, isNumber: true, cell, ...rest }
}

/** A column of times. */
export function timeColumn<Row>(
  id: string,
  title: string,
  timeOf: (row: Row) => string | null,
  more: More<Row> = {},
): Column<Row> {
  return { id, title, cell: (row) => <Instant at={timeOf(row)} />, ...more }
}

/** A column of calendar days. */
export function dayColumn<Row>(
  id: string,
  title: string,
  dayOf: (row: Row) => string | null,
  more: More<Row> = {},
): Column<Row> {
  return { id, title, cell: (row) => <Day at={dayOf(row)} />, ...more }
}

import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
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
  return (
    <ScrollSideways minWidth={minWidth} keepsLines={keepsLines}>
      <Table fz="sm" verticalSpacing={3} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ id, title, isNumber, width }) => (
              <Table.Th key={id} ta={isNumber ? 'right' : undefined} w={width}>
                {title}
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

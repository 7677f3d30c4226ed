import { Button, Checkbox, Flex, Group, Pagination, Skeleton, Text } from '@mantine/core'
import { rowSelectionFeature, tableFeatures, useTable } from '@tanstack/react-table'
import { type CSSProperties, type ReactNode, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ColumnChooser } from './column-chooser.tsx'
import classes from './data-table.module.css'
import { EmptyState } from './empty-state.tsx'
import { ErrorNotice } from './error-notice.tsx'
import { type Column, TableRows } from './table-rows.tsx'
import { useChosenColumns } from './use-chosen-columns.ts'
import { pageSize } from './use-list-address.ts'

interface DataTableProps<Row> {
  /** Under which this browser keeps the chosen columns. */
  name: string
  /** What the table lists, for who cannot see it. */
  label: string
  columns: Column<Row>[]
  rowId(row: Row): string
  /** Undefined: still being read. */
  rows: Row[] | undefined
  /** Undefined: still being counted. */
  total: number | undefined
  page: number
  /** Turned, or, where the address names a page behind the last one, put right. */
  onPage(page: number, step?: 'step' | 'replace'): void
  error?: unknown
  /** Opens a row, by click or Enter. */
  onOpen?: (row: NoInfer<Row>) => void
  /** The row that stands open beside the list. */
  openId?: string
  /** Absent: rows cannot be selected. Ids of other pages stay selected. */
  selected?: string[]
  onSelect?(ids: string[]): void
  /** What to do with the selected rows; shown while there are some. */
  bulkActions?: ReactNode
  empty?: ReactNode
  /** Stands above the table while nothing is selected: its search and filters. */
  toolbar?: ReactNode
  /** What one can begin here, at the end of that line. */
  actions?: ReactNode
  /** What else stands in the line of totals. */
  footer?: ReactNode
  /** Height of what stands around the table, for it to fill the rest of the window. */
  spaceAround?: string
}

const features = tableFeatures({ rowSelectionFeature })
const none: never[] = []

/** A list of records: real pages, exact totals, chosen columns, J and K to move, Enter to open. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { name, label, rowId, rows, total, page, onPage, onOpen, openId, selected, onSelect } = props
  const { t } = useTranslation()
  // Rows are made once there is something that scrolls: a reference would not tell them.
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const { isShown, choose } = useChosenColumns(name, props.columns)

  const data = useMemo(() => rows?.map((row) => ({ row })) ?? none, [rows])
  const selection = useMemo(
    () => Object.fromEntries((selected ?? none).map((id) => [id, true as const])),
    [selected],
  )
  const table = useTable({
    features,
    // Cells are rendered by the rows themselves: see TableRows.
    columns: none,
    data,
    getRowId: ({ row }) => rowId(row),
    state: { rowSelection: selection },
    onRowSelectionChange(change) {
      const next = typeof change === 'function' ? change(selection) : change
      onSelect?.(Object.keys(next))
    },
  })
  const listed = table.getRowModel().rows
  const lastPage = Math.max(Math.ceil((total ?? 0) / pageSize) - 1, 0)
  const isBeyond = !!total && rows?.length === 0 && page > lastPage
  useEffect(() => {
    if (isBeyond) onPage(lastPage, 'replace')
  })
  if (props.error && !rows)
    return (
      <>
        {props.toolbar}
        <ErrorNotice error={props.error} />
      </>
    )
  const shownColumns = props.columns.filter(({ id }) => isShown(id))
  const width = shownColumns.length + (onSelect ? 1 : 0)
  return (
    <div>
      <Flex
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
          (props.toolbar ?? <span />)
        )}
        <Group gap="xs" wrap="nowrap">
          <ColumnChooser columns={props.columns} isShown={isShown} choose={choose} />
          {props.actions}
        </Group>
      </Flex>
      <section
        ref={setScroller}
        className={classes.scroll}
        style={{ '--table-above': props.spaceAround } as CSSProperties}
        // A list that scrolls can be scrolled by keys.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above.
        tabIndex={0}
        aria-label={label}
      >
        <table className={classes.table} aria-rowcount={total ?? -1} aria-busy={rows === undefined}>
          <thead>
            <tr>
              {onSelect && (
                <th scope="col" style={{ width: '2rem' }}>
                  <Checkbox
                    size="xs"
                    aria-label={t('table.selectAll')}
                    checked={table.getIsAllRowsSelected()}
                    indeterminate={table.getIsSomeRowsSelected() && !table.getIsAllRowsSelected()}
                    onChange={table.getToggleAllRowsSelectedHandler()}
                  />
                </th>
              )}
              {shownColumns.map(({ id, title, isNumber, width }) => (
                <th key={id} scope="col" className={isNumber ? classes.right : undefined} style={{ width }}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows === undefined && <WaitingRows width={width} />}
            <TableRows
              {...{
                rows: listed,
                columns: shownColumns,
                page,
                canSelect: !!onSelect,
                openId,
                onOpen,
                scroller,
              }}
            />
          </tbody>
        </table>
        {rows?.length === 0 && !isBeyond && (props.empty ?? <EmptyState text={t('table.nothing')} />)}
      </section>
      <Group justify="space-between" mt={6} gap="xs">
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
            onChange={(chosen) => onPage(chosen - 1)}
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

function WaitingRows({ width }: { width: number }) {
  return Array.from({ length: 12 }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
    <tr key={row}>
      <td colSpan={width}>
        <Skeleton height={12} width={`${60 + ((row * 13) % 35)}%`} />
      </td>
    </tr>
  ))
}

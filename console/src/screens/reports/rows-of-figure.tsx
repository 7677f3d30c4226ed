import { Anchor, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { InputOf, RowOf } from '../../calls/call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Instant } from '../../parts/instant.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { type ListAddress, useList } from '../../parts/use-list-address.ts'

type FigureId = 'listDebts' | 'listFunnelLeads' | 'listReceiptsRows'

interface RowsOfFigureProps<Id extends FigureId> {
  operation: Id
  name: string
  address: ListAddress
  input: Omit<InputOf<Id>, 'page' | 'page_size'>
  columns: Column<RowOf<Id>>[]
  rowId(row: RowOf<Id>): string
  /** Formats the total of all rows. */
  sum(value: number): ReactNode
}

/** The rows behind a figure, with their total below. */
export function RowsOfFigure<Id extends FigureId>(props: RowsOfFigureProps<Id>) {
  const { operation, name, address, input, columns, rowId, sum } = props
  const { t } = useTranslation()
  const query = useList(operation, address, input)
  const total = query.data as { as_of: string; value: number } | undefined
  const { tab, by, start_date, end_date, as_of } = address.search
  return (
    <>
      <Group gap="md" mb="xs">
        <FigureLink search={{ tab, by, start_date, end_date, as_of }}>{t('reports.back')}</FigureLink>
        {total && (
          <Text size="sm" c="dimmed">
            {t('finance.asOf')} <Instant at={total.as_of} />
          </Text>
        )}
      </Group>
      <DataTable
        {...{ name, columns, rowId, query, address }}
        label={t('reports.rows')}
        footer={
          <Text size="sm" fw={600}>
            {t('reports.sum')}: {total && sum(total.value)}
          </Text>
        }
      />
    </>
  )
}

/** A figure that links to its rows. */
export function FigureLink({
  search,
  children,
}: {
  search: Record<string, string | undefined>
  children: ReactNode
}) {
  return (
    <Anchor inherit renderRoot={(props) => <Link {...props} to="/reports" search={search as never} />}>
      {children}
    </Anchor>
  )
}

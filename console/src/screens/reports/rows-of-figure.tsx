import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../parts/data-table.tsx'
import { Instant } from '../../parts/instant.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import type { ListAddress } from '../../parts/use-list-address.ts'
import { FigureLink } from './figure-link.tsx'

interface RowsOfFigureProps<Row> {
  name: string
  address: ListAddress
  columns: Column<Row>[]
  rowId(row: Row): string
  rows: Row[] | undefined
  total: number | undefined
  asOf: string | undefined
  /** The figure itself, under its rows. */
  sum: ReactNode
  error?: unknown
}

/** The rows that a figure is the sum of, with the sum under them. */
export function RowsOfFigure<Row>({ address, asOf, sum, ...table }: RowsOfFigureProps<Row>) {
  const { t } = useTranslation()
  const { tab, by, start_date, end_date, as_of } = address.search
  return (
    <>
      <Group gap="md" mb="xs">
        <FigureLink search={{ tab, by, start_date, end_date, as_of }}>{t('reports.back')}</FigureLink>
        {asOf && (
          <Text size="sm" c="dimmed">
            {t('finance.asOf')} <Instant at={asOf} />
          </Text>
        )}
      </Group>
      <DataTable
        {...table}
        label={t('reports.rows')}
        page={address.page}
        onPage={address.setPage}
        footer={
          <Text size="sm" fw={600}>
            {t('reports.sum')}: {sum}
          </Text>
        }
      />
    </>
  )
}

import { Anchor, Breadcrumbs, Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAttempt } from '../../app/session.tsx'
import { call, type InputOf, type RowOf } from '../../calls/call.ts'
import { majorText } from '../../parts/amount-text.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Instant } from '../../parts/instant.tsx'
import { csvOf, saveFile } from '../../parts/save-file.ts'
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
  /** The path of the figure, from the report inwards. */
  crumbs: string[]
  /** Formats the total of all rows. */
  sum(value: number): ReactNode
}

/** The rows behind a figure, with their total below. */
export function RowsOfFigure<Id extends FigureId>(props: RowsOfFigureProps<Id>) {
  const { operation, name, address, input, columns, rowId, crumbs, sum } = props
  const { t } = useTranslation()
  const query = useList(operation, address, input)
  const total = query.data as { as_of: string; value: number; total: number } | undefined
  const hasAll = total !== undefined && total.total > 0 && total.total <= pageRows * mostPages
  const { tab, by, start_date, end_date, as_of } = address.search
  return (
    <>
      <Group gap="md" mb="xs">
        <Breadcrumbs fz="sm" component="nav" aria-label={t('reports.path')} separator="›" separatorMargin={6}>
          <FigureLink search={{ tab, by, start_date, end_date, as_of }}>{t('frame.reports')}</FigureLink>
          {crumbs.map((crumb, n) => (
            <Text
              key={crumbs.slice(0, n + 1).join(' ')}
              span
              size="sm"
              fw={n === crumbs.length - 1 ? 600 : undefined}
            >
              {crumb}
            </Text>
          ))}
        </Breadcrumbs>
        {total && (
          <Text size="sm" c="dimmed">
            {t('finance.asOf')} <Instant at={total.as_of} />
          </Text>
        )}
      </Group>
      <DataTable
        {...{ name, columns, rowId, query, address }}
        toolbar={hasAll && <SaveRows operation={operation} name={name} input={input} />}
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

const pageRows = 1000
const mostPages = 10

/** Saves the rows of a figure as a table. */
function SaveRows({ operation, name, input }: { operation: FigureId; name: string; input: object }) {
  const { t } = useTranslation()
  const saving = useAttempt()
  const save = async () => {
    const rows: Record<string, unknown>[] = []
    for (let page = 0; page < mostPages; page++) {
      const data = (await call(operation, { ...input, page, page_size: pageRows } as never)) as {
        list: Record<string, unknown>[]
        total: number
      }
      rows.push(...data.list)
      if (data.list.length === 0 || rows.length >= data.total) break
    }
    const titles = Object.keys(rows[0] ?? {})
    saveFile(`${name}.csv`, csvOf([titles, ...rows.map((row) => titles.map((title) => cellOf(row, title)))]))
  }
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Icon name="download" size={14} />}
      loading={saving.isRunning}
      onClick={() => void saving.attempt(save)}
    >
      {t('reports.exportRows')}
    </Button>
  )
}

/** A field as text; amounts as decimals of the currency of the row. */
function cellOf(row: Record<string, unknown>, field: string): string {
  const { [field]: value, currency } = row
  const isAmount = typeof value === 'number' && typeof currency === 'string' && field.endsWith('price')
  return isAmount ? majorText(value, currency) : String(value ?? '')
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

import { Skeleton, Stack, Text } from '@mantine/core'
import { type ComponentProps, lazy, type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { EmptyState, ErrorNotice } from '../../parts/error-notice.tsx'
import { type Filter, FilterBar } from '../../parts/filter-bar.tsx'
import { Day } from '../../parts/instant.tsx'
import { Renewing } from '../../parts/renewing.tsx'
import type { ListAddress } from '../../parts/use-list-address.ts'
import { dayOf } from '../../parts/zoned-time.ts'
import { AsOfField } from '../finance/as-of-field.tsx'
import type { Bars } from './bars.tsx'
import { PeriodPresets } from './period-presets.tsx'

export interface ReportPeriod {
  start_date: string
  end_date: string
  as_of: string | undefined
}

/** The dates of a report from its address. By default it starts with the month a number of days ago: months are whole. */
export function usePeriod({ search }: ListAddress, defaultDays: number): ReportPeriod {
  const { time_zone } = useSession().organization
  const end_date = search.end_date ?? dayOf(new Date(), time_zone)
  const start_date = search.start_date ?? `${daysBefore(end_date, defaultDays).slice(0, 7)}-01`
  return { start_date, end_date, as_of: search.as_of }
}

interface ReportProps {
  address: ListAddress
  period: ReportPeriod
  filters?: Filter[]
  query: { data?: unknown; error: unknown; isPlaceholderData: boolean }
  isEmpty: boolean
  /** The figures, once they are loaded. */
  children: ReactNode
}

/** A report: its filters, its dates and its figures. */
export function Report({ address, period, filters = [], query, isEmpty, children }: ReportProps) {
  const { t } = useTranslation()
  return (
    <Stack gap="sm">
      <FilterBar
        address={address}
        filters={[
          ...filters,
          { kind: 'day', name: 'start_date', label: t('fields.from') },
          { kind: 'day', name: 'end_date', label: t('fields.until') },
        ]}
      >
        <AsOfField address={address} />
      </FilterBar>
      <PeriodPresets address={address} period={period} />
      <Period from={period.start_date} until={period.end_date} />
      {query.error ? <ErrorNotice error={query.error} /> : !query.data && <Skeleton height={240} />}
      {isEmpty && <EmptyState text={t('reports.nothing')} icon="reports" />}
      {!isEmpty && <Renewing isStale={query.isPlaceholderData}>{children}</Renewing>}
    </Stack>
  )
}

const Loaded = lazy(async () => ({ default: (await import('./bars.tsx')).Bars }))

/** Loads the chart library when a chart is shown. */
export function LazyBars(props: ComponentProps<typeof Bars>) {
  return (
    <Suspense fallback={<Skeleton height={240} />}>
      <Loaded {...props} />
    </Suspense>
  )
}

/** The dates of the figures, also when they are the defaults. */
function Period({ from, until }: { from: string | undefined; until: string | undefined }) {
  const { t } = useTranslation()
  return (
    <Text size="sm">
      {t('reports.period')} <Day at={from ?? null} /> – <Day at={until ?? null} />
    </Text>
  )
}

/** The day a number of days before another, both as YYYY-MM-DD. */
function daysBefore(day: string, days: number): string {
  const noon = new Date(`${day}T12:00:00Z`)
  noon.setUTCDate(noon.getUTCDate() - days)
  return noon.toISOString().slice(0, 10)
}

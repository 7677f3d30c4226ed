import { Group, SegmentedControl, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type DataOf, type InputOf, type RowOf, useCall } from '../../calls/call.ts'
import { locales, useLanguage } from '../../languages/language.ts'
import { useCourseName } from '../../parts/coded-name.tsx'
import { Instant, OrderLink, Zero } from '../../parts/instant.tsx'
import { timeColumn } from '../../parts/plain-table.tsx'
import { ScrollSideways } from '../../parts/scroll-sideways.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'
import { type ListAddress, useListAddress } from '../../parts/use-list-address.ts'
import { ExportReport } from './export-report.tsx'
import { type Headline, Headlines } from './headlines.tsx'
import { LazyBars, Report, usePeriod } from './report.tsx'
import { FigureLink, RowsOfFigure } from './rows-of-figure.tsx'

type Funnel = DataOf<'readFunnelNumbers'>
type Counts = Funnel['total']

const stages = ['leads', 'contacted', 'ordered', 'paid', 'enrolled'] as const
const groupings = ['day', 'week', 'month', 'channel', 'campaign', 'course', 'owner'] as const

/** Conversion from lead to enrolment, beside the same days of last year. */
export function FunnelReport() {
  const { t } = useTranslation()
  const address = useListAddress()
  const period = usePeriod(address, 89)
  const by = groupings.find((each) => each === address.search.by) ?? 'month'
  const question = { ...period, by }
  const isRows = address.search.figure === 'funnel'
  const groupName = useGroupName()
  const query = useCall('readFunnelNumbers', question, { keepsPrevious: true, enabled: !isRows })
  const { data } = query
  if (isRows) return <FunnelRows address={address} question={question} />
  const options = groupings.map((value) => ({ value, label: groupName(value) }))
  return (
    <Report
      address={address}
      period={period}
      filters={[{ kind: 'choice', name: 'by', label: t('reports.groupBy'), options }]}
      query={query}
      isEmpty={data !== undefined && data.total.leads + data.total_last_year.leads === 0}
    >
      {data && <FunnelFigures address={address} funnel={data} question={question} />}
    </Report>
  )
}

/** The name of a way to group leads. */
function useGroupName() {
  const { t } = useTranslation()
  return (by: (typeof groupings)[number]) => t(by === 'course' ? 'fields.course' : `reports.${by}`)
}

/** The name of a group of leads. */
function useKeyName(by: string) {
  const { t } = useTranslation()
  const { nameOf } = useAdvisers()
  const courseName = useCourseName()
  return (key: string) => {
    if (key === '') return t('reports.unnamed')
    return by === 'owner' ? nameOf(key) : by === 'course' ? courseName(key) : key
  }
}

function FunnelFigures({
  address,
  funnel,
  question,
}: {
  address: ListAddress
  funnel: Funnel
  question: InputOf<'readFunnelNumbers'>
}) {
  const { t } = useTranslation()
  const drawn = useRef<HTMLDivElement>(null)
  const nameOfKey = useKeyName(funnel.by)
  const groupName = useGroupName()
  const stage = stages.find((each) => each === address.search.chart) ?? 'leads'
  const chart = funnel.list.map(({ key, counts, last_year }) => ({
    ...{ key: nameOfKey(key), now: counts[stage], before: last_year[stage] },
  }))
  const isOverTime = ['day', 'week', 'month'].includes(funnel.by)
  const headlines = stages.map((each, n): Headline => {
    const step = n > 0 ? stages[n - 1]! : undefined
    const all = step && funnel.total[step]
    return {
      ...{ label: t(`reports.${each}`), now: funnel.total[each], before: funnel.total_last_year[each] },
      value: <Count value={funnel.total[each]} />,
      ...(step && all ? { share: { of: t(`reports.${step}`), value: funnel.total[each] / all } } : {}),
      ...(isOverTime && { course: funnel.list.map(({ counts }) => counts[each]) }),
    }
  })
  const rows = () => [
    [
      groupName(funnel.by),
      ...stages.map((each) => t(`reports.${each}`)),
      ...stages.map((each) => `${t(`reports.${each}`)} (${t('reports.lastYear')})`),
    ],
    ...funnel.list.map(({ key, counts, last_year }) => [
      ...[
        nameOfKey(key),
        ...stages.map((each) => String(counts[each])),
        ...stages.map((each) => String(last_year[each])),
      ],
    ]),
  ]
  const figures = (counts: Counts, asked: Record<string, string>) =>
    stages.map((stage) => (
      <Table.Td key={stage} ta="right">
        {counts[stage] === 0 ? (
          <Zero />
        ) : (
          <FigureLink
            search={
              { tab: 'funnel', figure: 'funnel', ...question, as_of: funnel.as_of, stage, ...asked } as never
            }
          >
            {counts[stage]}
          </FigureLink>
        )}
      </Table.Td>
    ))
  const row = (label: string, counts: Counts, lastYear: Counts, asked: Record<string, string>) => (
    <Table.Tr key={label}>
      <Table.Th scope="row">{label}</Table.Th>
      {figures(counts, asked)}
      {figures(lastYear, { ...asked, year: 'last' })}
    </Table.Tr>
  )
  const heads = (year: string) =>
    stages.map((stage) => (
      <Table.Th key={`${year} ${stage}`} ta="right">
        {t(`reports.${stage}`)}
      </Table.Th>
    ))
  return (
    <>
      <Headlines headlines={headlines} />
      <Group justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label={t('reports.charted')}
          data={stages.map((each) => ({ value: each, label: t(`reports.${each}`) }))}
          value={stage}
          onChange={(chosen) => address.setFilters({ chart: chosen }, 'replace')}
        />
        <ExportReport name={`funnel-${question.start_date}-${question.end_date}`} chart={drawn} rows={rows} />
      </Group>
      <div ref={drawn}>
        <LazyBars
          label={t('reports.chart', { name: `${t('reports.funnel')}: ${t(`reports.${stage}`)}` })}
          data={chart}
          series={[
            { name: 'now', label: t('reports.thisYear'), color: 'blue.7' },
            { name: 'before', label: t('reports.lastYear'), color: 'gray.5' },
          ]}
        />
      </div>
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          {t('finance.asOf')} <Instant at={funnel.as_of} />
        </Text>
      </Group>
      <ScrollSideways keepsLines minWidth={760}>
        <Table fz="sm" verticalSpacing={3} aria-label={t('reports.funnel')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Td />
              <Table.Th colSpan={5} ta="center">
                {t('reports.thisYear')}
              </Table.Th>
              <Table.Th colSpan={5} ta="center">
                {t('reports.lastYear')}
              </Table.Th>
            </Table.Tr>
            <Table.Tr>
              <Table.Th>{groupName(funnel.by)}</Table.Th>
              {heads('this')}
              {heads('last')}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {funnel.list.map(({ key, counts, last_year }) =>
              row(nameOfKey(key), counts, last_year, key ? { key } : { unnamed: 'true' }),
            )}
          </Table.Tbody>
          <Table.Tfoot>{row(t('fields.total'), funnel.total, funnel.total_last_year, {})}</Table.Tfoot>
        </Table>
      </ScrollSideways>
    </>
  )
}

function Count({ value }: { value: number }) {
  return new Intl.NumberFormat(locales[useLanguage()]).format(value)
}

type FunnelLead = RowOf<'listFunnelLeads'>

function FunnelRows({ address, question }: { address: ListAddress; question: InputOf<'readFunnelNumbers'> }) {
  const { t } = useTranslation()
  const { stage, key, unnamed, year } = address.search
  const nameOfKey = useKeyName(question.by ?? 'month')
  const asked = { ...question, stage, key, year, ...(unnamed && { unnamed: true }) }
  const columns = useMemo<Column<FunnelLead>[]>(
    () => [
      {
        id: 'person',
        title: t('reports.person'),
        cell: ({ user_id, user_name }) => (
          <Link to="/people/$id" params={{ id: user_id }}>
            {user_name || user_id.slice(-8)}
          </Link>
        ),
      },
      { id: 'channel', title: t('reports.channel'), cell: ({ utm_source }) => utm_source },
      { id: 'campaign', title: t('reports.campaign'), cell: ({ campaign }) => campaign },
      {
        id: 'order',
        title: t('fields.order'),
        cell: ({ order_id }) => order_id && <OrderLink id={order_id} />,
      },
      { id: 'leads', title: t('reports.leadReceived'), cell: ({ leads_at }) => <Instant at={leads_at} /> },
      timeColumn('contacted', t('reports.contacted'), ({ contacted_at }) => contacted_at),
      { id: 'ordered', title: t('reports.ordered'), cell: ({ ordered_at }) => <Instant at={ordered_at} /> },
      { id: 'paid', title: t('reports.paid'), cell: ({ paid_at }) => <Instant at={paid_at} /> },
      timeColumn('enrolled', t('reports.enrolled'), ({ enrolled_at }) => enrolled_at),
    ],
    [t],
  )
  return (
    <RowsOfFigure
      operation="listFunnelLeads"
      name="funnel-rows"
      address={address}
      input={asked as InputOf<'listFunnelLeads'>}
      crumbs={[
        t('reports.funnel'),
        `${question.start_date} – ${question.end_date}${year === 'last' ? ` (${t('reports.lastYear')})` : ''}`,
        ...(key || unnamed ? [nameOfKey(key ?? '')] : []),
        t(`reports.${stages.find((each) => each === stage) ?? 'leads'}`),
      ]}
      columns={columns}
      rowId={({ lead_id }) => lead_id}
      sum={(value) => value}
    />
  )
}

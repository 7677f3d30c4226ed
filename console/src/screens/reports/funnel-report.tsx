import { Group, SegmentedControl, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Search } from '../../app/session.tsx'
import { type DataOf, type InputOf, type RowOf, useCall } from '../../calls/call.ts'
import { locales, useLanguage } from '../../languages/language.ts'
import { useCourseName } from '../../parts/coded-name.tsx'
import { Instant, OrderLink, Zero } from '../../parts/instant.tsx'
import { PlainTable, timeColumn } from '../../parts/plain-table.tsx'
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
  const asked = { tab: 'funnel', figure: 'funnel', ...question, as_of: funnel.as_of }
  const headlines = stages.map((each, n): Headline => {
    const step = n > 0 ? stages[n - 1]! : undefined
    const all = step && funnel.total[step]
    return {
      ...{ label: t(`reports.${each}`), now: funnel.total[each], before: funnel.total_last_year[each] },
      value:
        funnel.total[each] === 0 ? (
          <Count value={0} />
        ) : (
          <FigureLink search={{ ...asked, stage: each }}>
            <Count value={funnel.total[each]} />
          </FigureLink>
        ),
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
  const figure = (count: number, search: Search) =>
    count === 0 ? <Zero title="0" /> : <FigureLink search={{ ...asked, ...search }}>{count}</FigureLink>
  const columns = (year: 'now' | 'last'): Column<Row>[] =>
    stages.map((stage) => ({
      ...{ id: `${year} ${stage}`, title: t(`reports.${stage}`), isNumber: true },
      group: t(year === 'now' ? 'reports.thisYear' : 'reports.lastYear'),
      value: (group) => countsOf(group, year)[stage],
      cell: (group) =>
        figure(countsOf(group, year)[stage], {
          ...{ stage, ...(group.key ? { key: group.key } : { unnamed: 'true' }) },
          ...(year === 'last' && { year }),
        }),
    }))
  const sums = (year: 'now' | 'last', counts: Counts) =>
    stages.map((stage) => [
      `${year} ${stage}`,
      figure(counts[stage], { stage, ...(year === 'last' && { year }) }),
    ])
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
      <PlainTable
        label={t('reports.funnel')}
        columns={[
          { id: 'key', title: groupName(funnel.by), cell: ({ key }) => nameOfKey(key) },
          ...columns('now'),
          ...columns('last'),
        ]}
        rows={funnel.list}
        rowId={({ key }) => key}
        foot={[
          {
            ...{ id: 'total', label: t('fields.total') },
            cells: Object.fromEntries([
              ...sums('now', funnel.total),
              ...sums('last', funnel.total_last_year),
            ]),
          },
        ]}
        keepsLines
        minWidth={760}
      />
    </>
  )
}

type Row = Funnel['list'][number]

const countsOf = ({ counts, last_year }: Row, year: 'now' | 'last') => (year === 'now' ? counts : last_year)

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
      timeColumn('leads', t('reports.leadReceived'), ({ leads_at }) => leads_at),
      timeColumn('contacted', t('reports.contacted'), ({ contacted_at }) => contacted_at),
      timeColumn('ordered', t('reports.ordered'), ({ ordered_at }) => ordered_at),
      timeColumn('paid', t('reports.paid'), ({ paid_at }) => paid_at),
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

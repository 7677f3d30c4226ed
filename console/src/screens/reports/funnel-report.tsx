import { Group, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type DataOf, type InputOf, type RowOf, useCall } from '../../calls/call.ts'
import { Instant, OrderLink } from '../../parts/instant.tsx'
import { timeColumn } from '../../parts/plain-table.tsx'
import { ScrollSideways } from '../../parts/scroll-sideways.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'
import { type ListAddress, useListAddress } from '../../parts/use-list-address.ts'
import { LazyBars, Report, usePeriod } from './report.tsx'
import { FigureLink, RowsOfFigure } from './rows-of-figure.tsx'

type Funnel = DataOf<'readFunnelNumbers'>
type Counts = Funnel['total']

const stages = ['leads', 'contacted', 'ordered', 'paid', 'enrolled'] as const
const groupings = ['day', 'week', 'month', 'channel', 'campaign', 'owner'] as const
const colors = ['blue.7', 'cyan.7', 'yellow.7', 'lime.7', 'green.8']

/** Conversion from lead to enrolment, beside the same days of last year. */
export function FunnelReport() {
  const { t } = useTranslation()
  const address = useListAddress()
  const period = usePeriod(address, 89)
  const by = groupings.find((each) => each === address.search.by) ?? 'month'
  const question = { ...period, by }
  const isRows = address.search.figure === 'funnel'
  const query = useCall('readFunnelNumbers', question, { keepsPrevious: true, enabled: !isRows })
  const { data } = query
  if (isRows) return <FunnelRows address={address} question={question} />
  const options = groupings.map((value) => ({ value, label: t(`reports.${value}`) }))
  return (
    <Report
      address={address}
      period={period}
      filters={[{ kind: 'choice', name: 'by', label: t('reports.groupBy'), options }]}
      query={query}
      isEmpty={data !== undefined && data.total.leads + data.total_last_year.leads === 0}
    >
      {data && <FunnelFigures funnel={data} question={question} />}
    </Report>
  )
}

function FunnelFigures({ funnel, question }: { funnel: Funnel; question: InputOf<'readFunnelNumbers'> }) {
  const { t } = useTranslation()
  const { nameOf } = useAdvisers()
  const nameOfKey = (key: string) =>
    key === '' ? t('reports.unnamed') : funnel.by === 'owner' ? nameOf(key) : key
  const chart = funnel.list.map(({ key, counts }) => ({ key: nameOfKey(key), ...counts }))
  const figures = (counts: Counts, asked: Record<string, string>) =>
    stages.map((stage) => (
      <Table.Td key={stage} ta="right">
        {counts[stage] === 0 ? (
          <Text span inherit c="dimmed">
            0
          </Text>
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
      <LazyBars
        label={t('reports.chart', { name: t('reports.funnel') })}
        data={chart}
        series={stages.map((name, index) => ({ name, label: t(`reports.${name}`), color: colors[index]! }))}
      />
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          {t('finance.asOf')} <Instant at={funnel.as_of} />
        </Text>
      </Group>
      <ScrollSideways keepsLines minWidth={760}>
        <Table fz="sm" verticalSpacing={3} aria-label={t('reports.funnel')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th />
              <Table.Th colSpan={5} ta="center">
                {t('reports.thisYear')}
              </Table.Th>
              <Table.Th colSpan={5} ta="center">
                {t('reports.lastYear')}
              </Table.Th>
            </Table.Tr>
            <Table.Tr>
              <Table.Th>{t(`reports.${funnel.by}`)}</Table.Th>
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

type FunnelLead = RowOf<'listFunnelLeads'>

function FunnelRows({ address, question }: { address: ListAddress; question: InputOf<'readFunnelNumbers'> }) {
  const { t } = useTranslation()
  const { stage, key, unnamed, year } = address.search
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
      columns={columns}
      rowId={({ lead_id }) => lead_id}
      sum={(value) => value}
    />
  )
}

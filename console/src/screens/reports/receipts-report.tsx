import { Group, SegmentedControl, Text } from '@mantine/core'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type Search, useSession } from '../../app/session.tsx'
import { type DataOf, type InputOf, type RowOf, useCall } from '../../calls/call.ts'
import { majorText } from '../../parts/amount-text.ts'
import { CourseName, useCourseName } from '../../parts/coded-name.tsx'
import { addMonths } from '../../parts/dates/calendar-days.ts'
import { Money, OrderLink } from '../../parts/instant.tsx'
import { moneyColumn, PlainTable, timeColumn } from '../../parts/plain-table.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { type ListAddress, useListAddress } from '../../parts/use-list-address.ts'
import { ExportReport } from './export-report.tsx'
import { type Headline, Headlines } from './headlines.tsx'
import { yearBefore } from './period-presets.tsx'
import { LazyBars, Report, usePeriod } from './report.tsx'
import { FigureLink, RowsOfFigure } from './rows-of-figure.tsx'

type Receipts = DataOf<'readReceiptsNumbers'>

/** Receipts and refunds by month, currency and course. */
export function ReceiptsReport() {
  const address = useListAddress()
  const period = usePeriod(address, 365)
  const isRows = address.search.figure === 'receipts'
  const query = useCall('readReceiptsNumbers', period, { keepsPrevious: true, enabled: !isRows })
  const { data } = query
  const before = useCall(
    'readReceiptsNumbers',
    { ...yearBefore(period), as_of: period.as_of },
    { keepsPrevious: true, enabled: !isRows },
  )
  if (isRows) return <ReceiptRows address={address} question={period} />
  return (
    <Report address={address} period={period} query={query} isEmpty={data?.list.length === 0}>
      {data && (
        <ReceiptFigures
          address={address}
          receipts={data}
          before={before.isPlaceholderData ? undefined : before.data}
          question={period}
        />
      )}
    </Report>
  )
}

function ReceiptFigures({
  address,
  receipts: all,
  before,
  question,
}: {
  address: ListAddress
  receipts: Receipts
  /** The same days one year earlier. */
  before: Receipts | undefined
  question: InputOf<'readReceiptsNumbers'>
}) {
  const { t } = useTranslation()
  const { currency: own } = useSession().organization
  const drawn = useRef<HTMLDivElement>(null)
  const courseName = useCourseName()
  const known = [...new Set(all.list.map(({ currency }) => currency))]
  const shown = address.search.show
  const charted = known.find((each) => each === shown) ?? (known.includes(own) ? own : known[0]!)
  const currencies = shown === charted ? [charted] : known
  const receipts = { ...all, list: all.list.filter(({ currency }) => currencies.includes(currency)) }
  const sumOf = (groups: Receipts['list'], name: 'received' | 'refunded' | 'net') =>
    groups.reduce((sum, group) => sum + (group.currency === charted ? group[name] : 0), 0)
  const earlier = (before?.list ?? []).map((group) => ({ ...group, month: monthsAfter(group.month, 12) }))
  const months = [
    ...new Set(
      [...all.list, ...earlier].flatMap(({ currency, month }) => (currency === charted ? month : [])),
    ),
  ].sort()
  const chart = months.map((key) => {
    const [ofMonth, ofEarlier] = [all.list, earlier].map((list) => list.filter(({ month }) => month === key))
    return {
      ...{ key, received: sumOf(ofMonth!, 'received'), refunded: sumOf(ofMonth!, 'refunded') },
      before: sumOf(ofEarlier!, 'received'),
    }
  })
  const headlines = (['received', 'refunded', 'net'] as const).map(
    (name): Headline => ({
      label: `${t(name === 'net' ? 'reports.net' : `finance.${name}`)} ${charted}`,
      value: <Money amount={sumOf(all.list, name)} currency={charted} />,
      now: sumOf(all.list, name),
      before: sumOf(before?.list ?? [], name),
      course: months.map((key) =>
        sumOf(
          all.list.filter(({ month }) => month === key),
          name,
        ),
      ),
      isCost: name === 'refunded',
    }),
  )
  const rows = () => [
    [
      t('reports.month'),
      t('fields.currency'),
      t('fields.course'),
      t('reports.payments'),
      t('finance.received'),
      t('finance.refunded'),
      t('reports.net'),
    ],
    ...receipts.list.map((row) => [
      ...[row.month, row.currency, row.course_code && courseName(row.course_code), String(row.payments)],
      ...[row.received, -row.refunded, row.net].map((amount) => majorText(amount, row.currency)),
    ]),
  ]
  const { start_date, end_date } = question
  const asked = { tab: 'receipts', figure: 'receipts', start_date, end_date, as_of: receipts.as_of }
  const figure = (amount: number, currency: string, search: Search) =>
    amount === 0 ? (
      <Money amount={0} currency={currency} isZeroDash />
    ) : (
      <FigureLink search={{ ...asked, ...search }}>
        <Money amount={amount} currency={currency} />
      </FigureLink>
    )
  return (
    <>
      <Headlines headlines={headlines} />
      <Group justify="space-between">
        {known.length > 1 ? (
          <SegmentedControl
            size="xs"
            aria-label={t('fields.currency')}
            data={[{ value: '', label: t('common.all') }, ...known]}
            value={shown === charted ? charted : ''}
            onChange={(chosen) => address.setFilters({ show: chosen || undefined }, 'replace')}
          />
        ) : (
          <span />
        )}
        <ExportReport
          name={`receipts-${question.start_date}-${question.end_date}`}
          chart={drawn}
          rows={rows}
        />
      </Group>
      <Text size="xs" c="dimmed">
        {t('reports.ownCurrency', { currency: charted })}
      </Text>
      <div ref={drawn}>
        <LazyBars
          label={t('reports.chart', { name: `${t('reports.receipts')} ${charted}` })}
          data={chart}
          series={[
            { name: 'received', label: t('finance.received'), color: 'green.8' },
            { name: 'refunded', label: t('finance.refunded'), color: 'red.7' },
            { name: 'before', label: `${t('finance.received')} (${t('reports.lastYear')})`, color: 'gray.5' },
          ]}
          currency={charted}
        />
      </div>
      <PlainTable
        label={t('reports.receipts')}
        rows={receipts.list}
        rowId={({ month, currency, course_code }) => `${month} ${currency} ${course_code}`}
        minWidth={640}
        keepsLines
        columns={[
          { id: 'month', title: t('reports.month'), card: 'title', cell: ({ month }) => month },
          {
            id: 'course',
            title: t('fields.course'),
            card: 'title',
            value: (row) => courseName(row.course_code),
            cell: (row) => (row.course_code ? <CourseName code={row.course_code} /> : t('reports.unnamed')),
          },
          { id: 'payments', title: t('reports.payments'), isNumber: true, cell: ({ payments }) => payments },
          {
            id: 'received',
            title: t('finance.received'),
            isNumber: true,
            value: (row) => [row.currency, row.received],
            cell: (row) => figure(row.received, row.currency, { ...searchOf(row), kind: 'payment' }),
          },
          {
            id: 'refunded',
            title: t('finance.refunded'),
            isNumber: true,
            value: (row) => [row.currency, -row.refunded],
            cell: (row) => figure(-row.refunded, row.currency, { ...searchOf(row), kind: 'refund' }),
          },
          {
            id: 'net',
            title: t('reports.net'),
            isNumber: true,
            card: 'value',
            value: (row) => [row.currency, row.net],
            cell: (row) => figure(row.net, row.currency, searchOf(row)),
          },
        ]}
        foot={currencies.map((currency) => {
          const rows = receipts.list.filter((group) => group.currency === currency)
          const sum = (name: 'payments' | 'received' | 'refunded' | 'net') =>
            rows.reduce((all, group) => all + group[name], 0)
          return {
            id: currency,
            label: t('finance.totalOf', { currency }),
            cells: {
              payments: sum('payments'),
              received: figure(sum('received'), currency, { currency, kind: 'payment' }),
              refunded: figure(-sum('refunded'), currency, { currency, kind: 'refund' }),
              net: figure(sum('net'), currency, { currency }),
            },
          }
        })}
      />
    </>
  )
}

/** The month a number of months after another, both as YYYY-MM. */
function monthsAfter(month: string, months: number): string {
  return addMonths(`${month}-01`, months).slice(0, 7)
}

/** The rows behind the figures of a month, a currency and a course. */
function searchOf({ month, currency, course_code }: Receipts['list'][number]): Search {
  return { month, currency, ...(course_code ? { course_code } : { unnamed: 'true' }) }
}

type ReceiptsRow = RowOf<'listReceiptsRows'>

function ReceiptRows({
  address,
  question,
}: {
  address: ListAddress
  question: InputOf<'readReceiptsNumbers'>
}) {
  const { t } = useTranslation()
  const courseName = useCourseName()
  const { currency = '', month, course_code, unnamed, kind } = address.search
  const asked = { ...question, currency, month, course_code, kind, ...(unnamed && { unnamed: true }) }
  const columns = useMemo<Column<ReceiptsRow>[]>(
    () => [
      timeColumn('completed', t('orders.valueDate'), ({ completed_time }) => completed_time),
      {
        id: 'kind',
        title: t('reports.kind'),
        cell: (row) => t(row.kind === 'payment' ? 'finance.payment' : 'orders.refund'),
      },
      {
        id: 'order',
        title: t('fields.order'),
        card: 'title',
        cell: ({ order_id }) => <OrderLink id={order_id} />,
      },
      { id: 'course', title: t('fields.course'), cell: (row) => <CourseName code={row.course_code} /> },
      moneyColumn('price', t('fields.amount'), (row) => [row.price, row.currency], { card: 'value' }),
    ],
    [t],
  )
  return (
    <RowsOfFigure
      operation="listReceiptsRows"
      name="receipt-rows"
      address={address}
      input={asked as InputOf<'listReceiptsRows'>}
      crumbs={[
        t('reports.receipts'),
        month ?? `${question.start_date} – ${question.end_date}`,
        currency,
        ...(course_code ? [courseName(course_code)] : unnamed ? [t('reports.unnamed')] : []),
        ...(kind ? [t(kind === 'payment' ? 'finance.received' : 'finance.refunded')] : []),
      ]}
      columns={columns}
      rowId={({ kind, id }) => `${kind} ${id}`}
      sum={(value) => <Money amount={value} currency={currency} />}
    />
  )
}

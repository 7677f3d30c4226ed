import { Table } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Search, useSession } from '../../app/session.tsx'
import { type DataOf, type InputOf, type RowOf, useCall } from '../../calls/call.ts'
import { Money, OrderLink } from '../../parts/instant.tsx'
import { moneyColumn, PlainTable, timeColumn } from '../../parts/plain-table.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { type ListAddress, useListAddress } from '../../parts/use-list-address.ts'
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
  if (isRows) return <ReceiptRows address={address} question={period} />
  return (
    <Report address={address} period={period} query={query} isEmpty={data?.list.length === 0}>
      {data && <ReceiptFigures receipts={data} question={period} />}
    </Report>
  )
}

function ReceiptFigures({
  receipts,
  question,
}: {
  receipts: Receipts
  question: InputOf<'readReceiptsNumbers'>
}) {
  const { t } = useTranslation()
  const { currency: own } = useSession().organization
  const currencies = [...new Set(receipts.list.map(({ currency }) => currency))]
  const charted = currencies.includes(own) ? own : currencies[0]!
  const months = [...new Set(receipts.list.map(({ month }) => month))]
  const chart = months.map((key) => {
    const ofMonth = receipts.list.filter(({ month, currency }) => month === key && currency === charted)
    const sum = (name: 'received' | 'refunded') => ofMonth.reduce((all, group) => all + group[name], 0)
    return { key, received: sum('received'), refunded: sum('refunded') }
  })
  const { start_date, end_date } = question
  const asked = { tab: 'receipts', figure: 'receipts', start_date, end_date, as_of: receipts.as_of }
  const figure = (amount: number, currency: string, search: Search) =>
    amount === 0 ? (
      <Money amount={0} currency={currency} isZeroDimmed />
    ) : (
      <FigureLink search={{ ...asked, ...search }}>
        <Money amount={amount} currency={currency} />
      </FigureLink>
    )
  return (
    <>
      <LazyBars
        label={t('reports.chart', { name: `${t('reports.receipts')} ${charted}` })}
        data={chart}
        series={[
          { name: 'received', label: t('finance.received'), color: 'green.8' },
          { name: 'refunded', label: t('finance.refunded'), color: 'red.7' },
        ]}
        currency={charted}
      />
      <PlainTable
        label={t('reports.receipts')}
        rows={receipts.list}
        rowId={({ month, currency, course_code }) => `${month} ${currency} ${course_code}`}
        minWidth={640}
        keepsLines
        columns={[
          { id: 'month', title: t('reports.month'), cell: ({ month }) => month },
          { id: 'course', title: t('fields.course'), cell: (row) => row.course_code || t('reports.unnamed') },
          { id: 'payments', title: t('reports.payments'), isNumber: true, cell: ({ payments }) => payments },
          {
            id: 'received',
            title: t('finance.received'),
            isNumber: true,
            cell: (row) => figure(row.received, row.currency, { ...searchOf(row), kind: 'payment' }),
          },
          {
            id: 'refunded',
            title: t('finance.refunded'),
            isNumber: true,
            cell: (row) => figure(-row.refunded, row.currency, { ...searchOf(row), kind: 'refund' }),
          },
          {
            id: 'net',
            title: t('reports.net'),
            isNumber: true,
            cell: (row) => figure(row.net, row.currency, searchOf(row)),
          },
        ]}
        foot={currencies.map((currency) => {
          const rows = receipts.list.filter((group) => group.currency === currency)
          const sum = (name: 'payments' | 'received' | 'refunded' | 'net') =>
            rows.reduce((all, group) => all + group[name], 0)
          return (
            <Table.Tr key={currency}>
              <Table.Th colSpan={2} scope="row">
                {t('finance.totalOf', { currency })}
              </Table.Th>
              <Table.Td ta="right">{sum('payments')}</Table.Td>
              <Table.Td ta="right">
                {figure(sum('received'), currency, { currency, kind: 'payment' })}
              </Table.Td>
              <Table.Td ta="right">
                {figure(-sum('refunded'), currency, { currency, kind: 'refund' })}
              </Table.Td>
              <Table.Td ta="right">{figure(sum('net'), currency, { currency })}</Table.Td>
            </Table.Tr>
          )
        })}
      />
    </>
  )
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
        cell: ({ order_id }) => <OrderLink id={order_id} />,
      },
      { id: 'course', title: t('fields.course'), cell: (row) => row.course_code },
      moneyColumn('price', t('fields.amount'), (row) => [row.price, row.currency]),
    ],
    [t],
  )
  return (
    <RowsOfFigure
      operation="listReceiptsRows"
      name="receipt-rows"
      address={address}
      input={asked as InputOf<'listReceiptsRows'>}
      columns={columns}
      rowId={({ kind, id }) => `${kind} ${id}`}
      sum={(value) => <Money amount={value} currency={currency} />}
    />
  )
}

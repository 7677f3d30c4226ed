import { Skeleton, Stack, Table } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import type { DataOf, InputOf, RowOf } from '../../calls/call.ts'
import { useCall } from '../../calls/use-call.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Instant } from '../../parts/instant.tsx'
import { Money } from '../../parts/money.tsx'
import { OrderLink } from '../../parts/order-link.tsx'
import { ScrollSideways } from '../../parts/scroll-sideways.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { type ListAddress, useListAddress } from '../../parts/use-list-address.ts'
import { dayOf } from '../../parts/zoned-time.ts'
import { AsOfField } from '../finance/as-of-field.tsx'
import { daysBefore } from './days-before.ts'
import { FigureLink } from './figure-link.tsx'
import { LazyBars } from './lazy-bars.tsx'
import { Period } from './period.tsx'
import { RowsOfFigure } from './rows-of-figure.tsx'

type Receipts = DataOf<'readReceiptsNumbers'>

function useQuestion(address: ListAddress): InputOf<'readReceiptsNumbers'> {
  const { time_zone } = useSession().organization
  const { start_date, end_date, as_of } = address.search
  const end = end_date ?? dayOf(new Date(), time_zone)
  return { start_date: start_date ?? `${daysBefore(end, 365).slice(0, 7)}-01`, end_date: end, as_of }
}

/** Receipts and refunds by month, currency and course. */
export function ReceiptsReport() {
  const { t } = useTranslation()
  const address = useListAddress()
  const question = useQuestion(address)
  const isRows = address.search.figure === 'receipts'
  const { data, error } = useCall('readReceiptsNumbers', question, { keepsPrevious: true, enabled: !isRows })
  if (isRows) return <ReceiptRows address={address} question={question} />
  return (
    <Stack gap="sm">
      <FilterBar
        address={address}
        filters={[
          { kind: 'day', name: 'start_date', label: t('fields.from') },
          { kind: 'day', name: 'end_date', label: t('fields.until') },
        ]}
      >
        <AsOfField address={address} />
      </FilterBar>
      <Period from={question.start_date} until={question.end_date} />
      {error && <ErrorNotice error={error} />}
      {!data && !error && <Skeleton height={240} />}
      {data?.list.length === 0 && <EmptyState text={t('reports.nothing')} icon="reports" />}
      {data && data.list.length > 0 && <ReceiptFigures receipts={data} question={question} />}
    </Stack>
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
  const asked = { tab: 'receipts', figure: 'receipts', ...question, as_of: receipts.as_of } as Record<
    string,
    string
  >
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
      <ScrollSideways keepsLines minWidth={640}>
        <Table fz="sm" verticalSpacing={3} aria-label={t('reports.receipts')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('reports.month')}</Table.Th>
              <Table.Th>{t('fields.course')}</Table.Th>
              <Table.Th ta="right">{t('reports.payments')}</Table.Th>
              <Table.Th ta="right">{t('finance.received')}</Table.Th>
              <Table.Th ta="right">{t('finance.refunded')}</Table.Th>
              <Table.Th ta="right">{t('reports.net')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {receipts.list.map(({ month, currency, course_code, payments, received, refunded, net }) => {
              const own = {
                ...asked,
                month,
                currency,
                ...(course_code ? { course_code } : { unnamed: 'true' }),
              }
              return (
                <Table.Tr key={`${month} ${currency} ${course_code}`}>
                  <Table.Td>{month}</Table.Td>
                  <Table.Td>{course_code || t('reports.unnamed')}</Table.Td>
                  <Table.Td ta="right">{payments}</Table.Td>
                  <Table.Td ta="right">
                    <FigureLink search={{ ...own, kind: 'payment' }}>
                      <Money amount={received} currency={currency} />
                    </FigureLink>
                  </Table.Td>
                  <Table.Td ta="right">
                    {refunded === 0 ? (
                      <Money amount={0} currency={currency} isZeroDimmed />
                    ) : (
                      <FigureLink search={{ ...own, kind: 'refund' }}>
                        <Money amount={-refunded} currency={currency} />
                      </FigureLink>
                    )}
                  </Table.Td>
                  <Table.Td ta="right">
                    <FigureLink search={own}>
                      <Money amount={net} currency={currency} />
                    </FigureLink>
                  </Table.Td>
                </Table.Tr>
              )
            })}
          </Table.Tbody>
          <Table.Tfoot>
            {currencies.map((currency) => {
              const ofIt = receipts.list.filter((group) => group.currency === currency)
              const sum = (name: 'payments' | 'received' | 'refunded' | 'net') =>
                ofIt.reduce((all, group) => all + group[name], 0)
              return (
                <Table.Tr key={currency}>
                  <Table.Th colSpan={2} scope="row">
                    {t('finance.totalOf', { currency })}
                  </Table.Th>
                  <Table.Td ta="right">{sum('payments')}</Table.Td>
                  <Table.Td ta="right">
                    <FigureLink search={{ ...asked, currency, kind: 'payment' }}>
                      <Money amount={sum('received')} currency={currency} isBold />
                    </FigureLink>
                  </Table.Td>
                  <Table.Td ta="right">
                    <Money amount={-sum('refunded')} currency={currency} isBold isZeroDimmed />
                  </Table.Td>
                  <Table.Td ta="right">
                    <FigureLink search={{ ...asked, currency }}>
                      <Money amount={sum('net')} currency={currency} isBold />
                    </FigureLink>
                  </Table.Td>
                </Table.Tr>
              )
            })}
          </Table.Tfoot>
        </Table>
      </ScrollSideways>
    </>
  )
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
      {
        id: 'completed',
        title: t('orders.valueDate'),
        cell: ({ completed_time }) => <Instant at={completed_time} />,
      },
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
      {
        id: 'price',
        title: t('fields.amount'),
        isNumber: true,
        cell: (row) => <Money amount={row.price} currency={row.currency} />,
      },
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

import { Skeleton, Stack } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { type InputOf, type RowOf, useCall } from '../../calls/call.ts'
import { CourseName, useCourseName } from '../../parts/coded-name.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Money, OrderLink } from '../../parts/instant.tsx'
import { dayColumn, moneyColumn } from '../../parts/plain-table.tsx'
import { Renewing } from '../../parts/renewing.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { type ListAddress, useListAddress } from '../../parts/use-list-address.ts'
import { AgeingTable, spans, spanWords } from '../finance/ageing-table.tsx'
import { AsOfField } from '../finance/as-of-field.tsx'
import { LazyBars } from './report.tsx'
import { RowsOfFigure } from './rows-of-figure.tsx'

/** Outstanding amounts by the time overdue. */
export function AgeingReport() {
  const { t } = useTranslation()
  const { currency: own } = useSession().organization
  const address = useListAddress()
  const isRows = address.search.figure === 'ageing'
  const { as_of } = address.search
  const { data, error, isPlaceholderData } = useCall(
    'ageDebts',
    { as_of, page_size: 1000 },
    { keepsPrevious: true, enabled: !isRows },
  )
  if (isRows) return <DebtRows address={address} />
  const charted = data?.totals.find(({ currency }) => currency === own) ?? data?.totals[0]
  return (
    <Stack gap="sm" align="stretch">
      <div>
        <AsOfField address={address} />
      </div>
      {error && <ErrorNotice error={error} />}
      {!data && !error && <Skeleton height={240} />}
      <Renewing isStale={isPlaceholderData}>
        {charted && (
          <LazyBars
            label={t('reports.chart', { name: `${t('finance.ageing')} ${charted.currency}` })}
            data={spans.map((span) => ({ key: t(spanWords[span]), outstanding: charted[span] }))}
            series={[{ name: 'outstanding', label: t('finance.outstanding'), color: 'yellow.7' }]}
            currency={charted.currency}
          />
        )}
        {data && <AgeingTable ageing={data} />}
      </Renewing>
    </Stack>
  )
}

type Debt = RowOf<'listDebts'>

function DebtRows({ address }: { address: ListAddress }) {
  const { t } = useTranslation()
  const courseName = useCourseName()
  const { currency = '', as_of, course_code, owner, unnamed, span } = address.search
  const columns = useMemo<Column<Debt>[]>(
    () => [
      {
        id: 'order',
        title: t('fields.order'),
        cell: ({ order_id }) => <OrderLink id={order_id} />,
      },
      { id: 'course', title: t('fields.course'), cell: (debt) => <CourseName code={debt.course_code} /> },
      dayColumn('deadline', t('orders.dueDate'), ({ payment_deadline }) => payment_deadline),
      { id: 'days', title: t('reports.days'), isNumber: true, cell: ({ days }) => days },
      moneyColumn('unpaid', t('orders.unpaid'), (debt) => [debt.unpaid_price, debt.currency], {
        card: 'value',
      }),
      moneyColumn('price', t('fields.amount'), (debt) => [debt.price, debt.currency]),
    ],
    [t],
  )
  return (
    <RowsOfFigure
      operation="listDebts"
      name="debt-rows"
      address={address}
      input={{ currency, as_of, course_code, owner, unnamed, span } as InputOf<'listDebts'>}
      crumbs={[
        t('finance.ageing'),
        currency,
        ...(course_code ? [courseName(course_code)] : unnamed ? [t('reports.unnamed')] : []),
        ...(span ? [t(spanWords[span as (typeof spans)[number]])] : []),
      ]}
      columns={columns}
      rowId={({ sub_order_id }) => sub_order_id}
      sum={(value) => <Money amount={value} currency={currency} />}
    />
  )
}

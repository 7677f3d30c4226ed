import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { useCall } from '../../calls/call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Hint } from '../../parts/error-notice.tsx'
import { Money, OrderLink } from '../../parts/instant.tsx'
import { moneyColumn, timeColumn } from '../../parts/plain-table.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { type ListAddress, useList } from '../../parts/use-list-address.ts'

type Payment = RowOf<'listUnmatchedPayments'>

/** Payments in the currency of the account that no statement line confirms. */
export function UnmatchedPayments({ currency, address }: { currency: string; address: ListAddress }) {
  const { t } = useTranslation()
  const { start_date, end_date, q } = address.search
  const filters = { currency, start_date, end_date, search: q }
  const query = useList('listUnmatchedPayments', address, filters)
  const { data } = useCall('listUnmatchedPayments', { ...filters, page_size: 1 })
  const columns = useMemo<Column<Payment>[]>(
    () => [
      timeColumn('completed', t('orders.valueDate'), ({ completed_time }) => completed_time),
      {
        id: 'age',
        title: t('bank.age'),
        isNumber: true,
        value: ({ age }) => age,
        cell: ({ age }) => t('bank.ageDays', { count: age }),
      },
      {
        id: 'payer',
        title: t('fields.order'),
        card: 'title',
        value: ({ user_name }) => user_name,
        cell: ({ order_id, user_name }) => <OrderLink id={order_id} name={user_name} />,
      },
      { id: 'charge', title: t('finance.reference'), cell: ({ charge_id }) => charge_id },
      moneyColumn('price', t('fields.amount'), ({ price, currency }) => [price, currency], { card: 'value' }),
    ],
    [t],
  )
  return (
    <>
      {data?.totals.map((total) => (
        <Hint key={total.currency} mb="xs">
          {t('bank.paymentCount', { count: total.payments })} ·{' '}
          <Money amount={total.price} currency={total.currency} isBold />
        </Hint>
      ))}
      <DataTable
        name="unmatched"
        label={t('bank.unmatchedPayments')}
        columns={columns}
        rowId={({ payment_id }) => payment_id}
        query={query}
        address={address}
        filters={[
          { kind: 'day', name: 'start_date', label: t('fields.from') },
          { kind: 'day', name: 'end_date', label: t('fields.until') },
        ]}
        empty={{ text: t('bank.allPaymentsMatched'), icon: 'finance' }}
      />
    </>
  )
}

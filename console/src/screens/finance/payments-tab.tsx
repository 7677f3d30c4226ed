import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InputOf, RowOf } from '../../calls/call.ts'
import { useCall } from '../../calls/use-call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { type Filter, FilterBar } from '../../parts/filter-bar.tsx'
import { Instant } from '../../parts/instant.tsx'
import { Money } from '../../parts/money.tsx'
import { useMethodName } from '../../parts/payment-method.ts'
import type { Column } from '../../parts/table-rows.tsx'
import { pageSize, useListAddress } from '../../parts/use-list-address.ts'
import { AllocateDialog } from './allocate-dialog.tsx'
import { PaymentStateBadge } from './payment-state.tsx'

type Payment = RowOf<'listPayments'>

/** Every payment, or those that wait for an order. */
export function PaymentsTab({ isWaiting = false }: { isWaiting?: boolean }) {
  const { t } = useTranslation()
  const methodName = useMethodName()
  const address = useListAddress()
  const [allocated, setAllocated] = useState<Payment>()
  const { start_date, end_date, state } = address.search
  const { data, error } = useCall(
    'listPayments',
    {
      ...({ start_date, end_date, state: isWaiting ? 'unapplied' : state } as InputOf<'listPayments'>),
      // What waits longest is to be allocated first.
      ...{ sort: isWaiting ? ('oldest' as const) : ('newest' as const) },
      ...{ page: address.page, page_size: pageSize },
    },
    { keepsPrevious: true },
  )
  const columns = useMemo<Column<Payment>[]>(
    () => [
      {
        id: 'completed',
        title: t('orders.valueDate'),
        cell: ({ completed_time }) => <Instant at={completed_time} />,
      },
      {
        id: 'order',
        title: t('finance.order'),
        cell: ({ order_id }) => (
          <Link to="/orders/$id" params={{ id: order_id }}>
            {order_id.slice(-8)}
          </Link>
        ),
      },
      { id: 'state', title: t('finance.state'), cell: ({ state }) => <PaymentStateBadge state={state} /> },
      {
        id: 'price',
        title: t('orders.amount'),
        isNumber: true,
        cell: ({ price, currency }) => <Money amount={price} currency={currency} />,
      },
      {
        id: 'unapplied',
        title: t('finance.unapplied'),
        isNumber: true,
        isExtra: !isWaiting,
        cell: ({ unapplied_price, order_currency }) => (
          <Money amount={unapplied_price} currency={order_currency} isZeroDimmed />
        ),
      },
      {
        id: 'method',
        title: t('finance.method'),
        cell: ({ method, source }) => methodName(method) || t(`paymentSources.${source}`),
      },
      { id: 'charge', title: t('finance.reference'), cell: ({ charge_id }) => charge_id },
      {
        id: 'because',
        title: t('finance.reason'),
        isExtra: !isWaiting,
        cell: ({ unapplied_reason, void_reason }) => void_reason || unapplied_reason,
      },
      ...(isWaiting
        ? [
            {
              id: 'act',
              title: t('orders.apply'),
              cell: (payment: Payment) => (
                <Button size="compact-xs" variant="light" onClick={() => setAllocated(payment)}>
                  {t('orders.apply')}
                </Button>
              ),
            },
          ]
        : []),
    ],
    [t, methodName, isWaiting],
  )
  const filters: Filter[] = [
    { kind: 'day', name: 'start_date', label: t('orders.from') },
    { kind: 'day', name: 'end_date', label: t('orders.until') },
    ...(isWaiting
      ? []
      : [
          {
            ...{ kind: 'choice' as const, name: 'state', label: t('finance.state') },
            options: [
              { value: 'applied', label: t('finance.stateApplied') },
              { value: 'unapplied', label: t('finance.stateUnapplied') },
              { value: 'refunded', label: t('finance.stateRefunded') },
              { value: 'void', label: t('finance.stateVoid') },
            ],
          },
        ]),
  ]
  return (
    <>
      <DataTable
        name={isWaiting ? 'unallocated' : 'payments'}
        label={t(isWaiting ? 'finance.unallocated' : 'finance.payments')}
        columns={columns}
        rowId={({ payment_id }) => payment_id}
        rows={data?.list}
        total={data?.total}
        page={address.page}
        onPage={address.setPage}
        error={error}
        toolbar={<FilterBar address={address} filters={filters} />}
        empty={
          <EmptyState text={t(isWaiting ? 'finance.noUnallocated' : 'finance.noPayments')} icon="finance" />
        }
      />
      {allocated && <AllocateDialog payment={allocated} onClose={() => setAllocated(undefined)} />}
    </>
  )
}

import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InputOf, RowOf } from '../../calls/call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { DocumentButton } from '../../parts/document-button.tsx'
import type { Filter } from '../../parts/filter-bar.tsx'
import { Money, OrderLink, useMethodName } from '../../parts/instant.tsx'
import { moneyColumn, timeColumn } from '../../parts/plain-table.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useList, useListAddress } from '../../parts/use-list-address.ts'
import { AllocateDialog } from './allocate-dialog.tsx'
import { PaymentStateBadge, paymentStates } from './payment-state.tsx'

type Payment = RowOf<'listPayments'>

/** All payments, or the unallocated ones. */
export function PaymentsTab({ isWaiting = false }: { isWaiting?: boolean }) {
  const { t } = useTranslation()
  const methodName = useMethodName()
  const address = useListAddress()
  const [allocated, setAllocated] = useState<Payment>()
  const { start_date, end_date, state } = address.search
  const query = useList('listPayments', address, {
    ...({ start_date, end_date, state: isWaiting ? 'unapplied' : state } as InputOf<'listPayments'>),
    // The oldest payment is allocated first.
    sort: isWaiting ? 'oldest' : 'newest',
  })
  const columns = useMemo<Column<Payment>[]>(
    () => [
      timeColumn('completed', t('orders.valueDate'), ({ completed_time }) => completed_time),
      {
        id: 'order',
        title: t('fields.order'),
        // The account of a payer is no order.
        cell: ({ order_id, user_id }) => user_id && <OrderLink id={order_id} />,
      },
      { id: 'payer', title: t('payers.payer'), cell: ({ payer_name }) => payer_name },
      { id: 'state', title: t('fields.status'), cell: ({ state }) => <PaymentStateBadge state={state} /> },
      moneyColumn('price', t('fields.amount'), ({ price, currency }) => [price, currency]),
      {
        id: 'unapplied',
        title: t('finance.stateUnapplied'),
        isNumber: true,
        isExtra: !isWaiting,
        cell: ({ unapplied_price, order_currency }) => (
          <Money amount={unapplied_price} currency={order_currency} isZeroDimmed />
        ),
      },
      {
        id: 'method',
        title: t('fields.method'),
        cell: ({ method, source }) => methodName(method) || t(`paymentSources.${source}`),
      },
      { id: 'charge', title: t('finance.reference'), cell: ({ charge_id }) => charge_id },
      {
        id: 'matched',
        title: t('bank.matchedState'),
        isExtra: true,
        cell: ({ matched_time }) => t(matched_time ? 'bank.isMatched' : 'bank.notMatched'),
      },
      {
        id: 'because',
        title: t('fields.reason'),
        isExtra: !isWaiting,
        cell: ({ unapplied_reason, void_reason }) => void_reason || unapplied_reason,
      },
      {
        id: 'receipt',
        title: t('documents.receipt'),
        cell: ({ payment_id, state }) =>
          state !== 'void' && (
            <DocumentButton
              subject={{ kind: 'receipt', subject_id: payment_id }}
              label={t('documents.receipt')}
            />
          ),
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
    { kind: 'day', name: 'start_date', label: t('fields.from') },
    { kind: 'day', name: 'end_date', label: t('fields.until') },
    ...(isWaiting
      ? []
      : [
          {
            ...{ kind: 'choice' as const, name: 'state', label: t('fields.status') },
            options: Object.entries(paymentStates).map(([value, { word }]) => ({ value, label: t(word) })),
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
        query={query}
        address={address}
        filters={filters}
        empty={{ text: t(isWaiting ? 'finance.noUnallocated' : 'finance.noPayments'), icon: 'finance' }}
      />
      {allocated && <AllocateDialog payment={allocated} onClose={() => setAllocated(undefined)} />}
    </>
  )
}

import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InputOf, RowOf } from '../../calls/call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { DocumentButton } from '../../parts/document-button.tsx'
import type { Filter } from '../../parts/filter-bar.tsx'
import { OrderLink, useMethodName } from '../../parts/instant.tsx'
import { moneyColumn, timeColumn } from '../../parts/plain-table.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useList, useListAddress } from '../../parts/use-list-address.ts'
import { useServiceText } from '../../parts/use-service-text.ts'
import { AssignPayerDialog } from './assign-payer-dialog.tsx'
import { PaymentStateBadge, paymentStates } from './payment-state.tsx'

type Payment = RowOf<'listPayments'>

const sorts = ['oldest', 'newest'] as const

/** All payments. */
export function PaymentsTab() {
  const { t } = useTranslation()
  const methodName = useMethodName()
  const serviceText = useServiceText()
  const address = useListAddress()
  const [assigned, setAssigned] = useState<Payment>()
  const { start_date, end_date, state } = address.search
  const query = useList('listPayments', address, {
    ...({ start_date, end_date, state } as InputOf<'listPayments'>),
    sort: sorts.find((each) => each === address.search.sort) ?? 'newest',
  })
  const columns = useMemo<Column<Payment>[]>(
    () => [
      timeColumn('completed', t('orders.valueDate'), ({ completed_time }) => completed_time, { sorts }),
      {
        id: 'order',
        title: t('fields.order'),
        card: 'title',
        cell: (payment) => <PaidOrders payment={payment} />,
      },
      { id: 'payer', title: t('payers.payer'), cell: ({ payer_name }) => payer_name },
      {
        ...{ id: 'state', title: t('fields.status'), card: 'value' },
        cell: ({ state }) => <PaymentStateBadge state={state} />,
        value: ({ state }) => t(paymentStates[state].word),
      },
      moneyColumn('price', t('fields.amount'), ({ price, currency }) => [price, currency], {
        card: 'value',
      }),
      moneyColumn(
        'unapplied',
        t('finance.stateUnapplied'),
        (row) => [row.unapplied_price, row.order_currency],
        {
          isExtra: true,
        },
      ),
      {
        id: 'method',
        title: t('fields.method'),
        cell: ({ method, source }) => methodName(method) || t(`paymentSources.${source}`),
      },
      { id: 'charge', title: t('finance.reference'), cell: ({ charge_id }) => charge_id },
      {
        id: 'matched',
        title: t('bank.matchedState'),
        cell: ({ matched_time, state }) =>
          state === 'void' || state === 'moved' ? '' : t(matched_time ? 'bank.isMatched' : 'bank.notMatched'),
      },
      {
        id: 'because',
        title: t('fields.reason'),
        isExtra: true,
        cell: ({ unapplied_reason, void_reason }) => void_reason || serviceText(unapplied_reason),
      },
      {
        id: 'receipt',
        title: t('documents.receipt'),
        card: 'action',
        cell: ({ payment_id, state }) =>
          state !== 'void' && (
            <DocumentButton
              document={{ kind: 'receipt', subject_id: payment_id }}
              label={t('documents.receipt')}
            />
          ),
      },
      {
        id: 'assign',
        title: '',
        cell: (payment: Payment) => (
          <Button size="compact-xs" variant="subtle" onClick={() => setAssigned(payment)}>
            {t('payers.assign')}
          </Button>
        ),
      },
    ],
    [t, methodName, serviceText],
  )
  const filters: Filter[] = [
    { kind: 'day', name: 'start_date', label: t('fields.from') },
    { kind: 'day', name: 'end_date', label: t('fields.until') },
    {
      ...{ kind: 'choice' as const, name: 'state', label: t('fields.status') },
      options: Object.entries(paymentStates).map(([value, { word }]) => ({ value, label: t(word) })),
    },
  ]
  return (
    <>
      <DataTable
        name="payments"
        label={t('finance.payments')}
        columns={columns}
        rowId={({ payment_id }) => payment_id}
        query={query}
        address={address}
        filters={filters}
        empty={{ text: t('finance.noPayments'), icon: 'finance' }}
      />
      {assigned && <AssignPayerDialog payment={assigned} onClose={() => setAssigned(undefined)} />}
    </>
  )
}

/** The orders that have the money, or the one that the payment was reported for. The account of a payer is no order. */
function PaidOrders({ payment: { orders, order_id, user_id, user_name } }: { payment: Payment }) {
  const [first] = orders
  if (!first) return user_id && <OrderLink id={order_id} name={user_name} />
  return (
    <>
      <OrderLink id={first.order_id} name={first.user_name} />
      {orders.length > 1 && ` +${orders.length - 1}`}
    </>
  )
}

import { Group, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type InputOf, type RowOf, useCall } from '../../calls/call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Money, useMethodName } from '../../parts/instant.tsx'
import { moneyColumn, timeColumn } from '../../parts/plain-table.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { pageSize, useListAddress } from '../../parts/use-list-address.ts'
import { useServiceText } from '../../parts/use-service-text.ts'
import { UnallocatedActions } from './unallocated-actions.tsx'

type Payment = RowOf<'listUnallocated'>

/** Payments with unallocated money, the oldest first. A partly allocated payment shows its rest. */
export function UnallocatedTab() {
  const { t } = useTranslation()
  const methodName = useMethodName()
  const serviceText = useServiceText()
  const address = useListAddress()
  const { start_date, end_date } = address.search
  const input = { start_date, end_date, page: address.page, page_size: pageSize }
  const query = useCall('listUnallocated', input as InputOf<'listUnallocated'>, { keepsPrevious: true })
  const columns = useMemo<Column<Payment>[]>(
    () => [
      timeColumn('completed', t('orders.valueDate'), ({ completed_time }) => completed_time),
      {
        id: 'payer',
        title: t('payers.payer'),
        card: 'title',
        cell: ({ payer_name, user_name }) => payer_name || user_name,
      },
      moneyColumn('price', t('fields.amount'), ({ price, currency }) => [price, currency]),
      moneyColumn('rest', t('finance.stateUnapplied'), (row) => [row.unallocated_price, row.order_currency], {
        card: 'value',
      }),
      { id: 'method', title: t('fields.method'), cell: ({ method }) => methodName(method) },
      { id: 'charge', title: t('finance.reference'), cell: ({ charge_id }) => charge_id },
      {
        id: 'because',
        title: t('fields.reason'),
        cell: ({ unapplied_reason }) => serviceText(unapplied_reason),
      },
      { id: 'act', title: '', cell: (payment) => <UnallocatedActions payment={payment} /> },
    ],
    [t, methodName, serviceText],
  )
  return (
    <DataTable
      name="unallocated"
      label={t('finance.unallocated')}
      columns={columns}
      rowId={({ payment_id }) => payment_id}
      query={query}
      address={address}
      filters={[
        { kind: 'day', name: 'start_date', label: t('fields.from') },
        { kind: 'day', name: 'end_date', label: t('fields.until') },
      ]}
      footer={
        <Group gap="sm">
          {query.data?.totals.map(({ currency, unallocated_price }) => (
            <Text key={currency} size="sm">
              <Money amount={unallocated_price} currency={currency} isBold />
            </Text>
          ))}
        </Group>
      }
      empty={{ text: t('finance.noUnallocated'), icon: 'finance' }}
    />
  )
}

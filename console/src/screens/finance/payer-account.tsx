import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAttempt, useSession } from '../../app/session.tsx'
import { call, type DataOf, type RowOf, useCall } from '../../calls/call.ts'
import { AddButton } from '../../parts/add-button.tsx'
import { DateField } from '../../parts/date-field.tsx'
import { DocumentsTable } from '../../parts/documents-table.tsx'
import { EmptyState, ErrorNotice } from '../../parts/error-notice.tsx'
import { OrderLink, useMethodName } from '../../parts/instant.tsx'
import { moneyColumn, PlainTable, timeColumn } from '../../parts/plain-table.tsx'
import { Renewing } from '../../parts/renewing.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { ErasePayerDialog } from './erase-payer-dialog.tsx'
import { PayerContacts } from './payer-contacts.tsx'
import { PayerDialog } from './payer-dialog.tsx'
import { ReceiptDialog } from './receipt-dialog.tsx'
import { UnallocatedActions } from './unallocated-actions.tsx'

type Entry = RowOf<'fetchPayerStatement'>
type Payment = RowOf<'listUnallocated'>
type Balance = DataOf<'fetchPayerStatement'>['balances'][number]

/** A payer with the statement of account and the unallocated money. */
export function PayerAccount({ payer_id, onBack }: { payer_id: string; onBack(): void }) {
  const { t } = useTranslation()
  const { can } = useSession()
  const [dialog, setDialog] = useState<'edit' | 'receipt' | 'erase'>()
  const [days, setDays] = useState({ start_date: '', end_date: '' })
  const range = { payer_id, start_date: days.start_date || undefined, end_date: days.end_date || undefined }
  const payer = useCall('fetchPayer', { payer_id })
  const { data, error, isPlaceholderData } = useCall(
    'fetchPayerStatement',
    { ...range, page_size: 500 },
    { keepsPrevious: true },
  )
  const exporting = useAttempt()
  const save = async () => {
    const { file_name, csv } = await call('exportPayerStatement', range)
    saveFile(file_name, csv)
  }
  const { name = '' } = payer.data ?? {}
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Group gap="sm">
          <Button size="compact-sm" variant="subtle" onClick={onBack}>
            {t('payers.back')}
          </Button>
          <Title order={2} size="h3">
            {name || t('payers.erased')}
          </Title>
          <Text size="sm" c="dimmed">
            {payer.data && t(`payers.kinds.${payer.data.kind}`)}
          </Text>
        </Group>
        <Group gap="xs">
          <Button size="xs" variant="default" disabled={!payer.data} onClick={() => setDialog('edit')}>
            {t('payers.edit')}
          </Button>
          {can('admin') && (
            <Button size="xs" variant="default" c="red" disabled={!name} onClick={() => setDialog('erase')}>
              {t('payers.erase')}
            </Button>
          )}
          <AddButton label={t('payers.receive')} name="receive" onClick={() => setDialog('receipt')} />
        </Group>
      </Group>
      {payer.data && <PayerContacts key={payer.data.version} payer={payer.data} />}
      {payer.error && <ErrorNotice error={payer.error} />}
      <Unallocated payer_id={payer_id} />
      <Title order={3} size="h4">
        {t('payers.statement')}
      </Title>
      <Group align="flex-end" gap="sm">
        {(['start_date', 'end_date'] as const).map((end) => (
          <DateField
            key={end}
            label={t(end === 'start_date' ? 'fields.from' : 'fields.until')}
            value={days[end]}
            onChange={(value) => setDays((before) => ({ ...before, [end]: value }))}
          />
        ))}
        <Button variant="default" loading={exporting.isRunning} onClick={() => void exporting.attempt(save)}>
          {t('payers.exportStatement')}
        </Button>
      </Group>
      {exporting.error !== undefined && <ErrorNotice error={exporting.error} />}
      {error && <ErrorNotice error={error} />}
      {data?.balances.length === 0 && <EmptyState text={t('payers.noEntries')} icon="finance" />}
      {data && data.balances.length > 0 && (
        <Renewing gap="md" isStale={isPlaceholderData}>
          <Balances balances={data.balances} />
          <Entries entries={data.list} />
        </Renewing>
      )}
      <Title order={3} size="h4">
        {t('payers.documents')}
      </Title>
      <DocumentsTable of={{ payer_id }} />
      {dialog === 'erase' && (
        <ErasePayerDialog payer={{ payer_id, name }} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'edit' && payer.data && (
        <PayerDialog payer={payer.data} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'receipt' && (
        <ReceiptDialog payer={{ payer_id, name }} onClose={() => setDialog(undefined)} />
      )}
    </Stack>
  )
}

const figures = [
  ...(['opening', 'received', 'voided', 'moved', 'refunded', 'closing'] as const),
  ...(['allocated', 'unallocated'] as const),
]

function Balances({ balances }: { balances: Balance[] }) {
  const { t } = useTranslation()
  return (
    <PlainTable
      label={t('payers.balances')}
      columns={[
        { id: 'currency', title: t('fields.currency'), cell: ({ currency }) => currency },
        ...figures.map((name) =>
          moneyColumn<Balance>(name, t(`payers.${name}`), (row) => [row[`${name}_price`], row.currency]),
        ),
      ]}
      rows={balances}
      rowId={({ currency }) => currency}
      minWidth={760}
      keepsLines
    />
  )
}

function Entries({ entries }: { entries: Entry[] }) {
  const { t } = useTranslation()
  const methodName = useMethodName()
  return (
    <PlainTable
      label={t('payers.statement')}
      isFixed
      columns={[
        timeColumn<Entry>('at', t('payers.posted'), ({ at }) => at),
        { id: 'kind', title: t('payers.entry'), cell: ({ kind }) => t(`payers.entries.${kind}`) },
        { id: 'receipt', title: t('payers.receipt'), cell: ({ receipt_num }) => receipt_num },
        { id: 'method', title: t('fields.method'), cell: ({ method }) => methodName(method) },
        { id: 'charge', title: t('finance.reference'), cell: ({ charge_id }) => charge_id },
        {
          id: 'orders',
          title: t('fields.order'),
          cell: ({ order_ids }) => (
            <Group gap={6}>
              {order_ids.map((id) => (
                <OrderLink key={id} id={id} />
              ))}
            </Group>
          ),
        },
        moneyColumn<Entry>('price', t('fields.amount'), ({ price, currency }) => [price, currency]),
        moneyColumn<Entry>('balance', t('payers.balance'), ({ balance, currency }) => [balance, currency]),
      ]}
      rows={entries}
      rowId={({ kind, payment_id, refund_id, at, price }) =>
        [kind, payment_id, refund_id, at, price].join(' ')
      }
      minWidth={860}
      keepsLines
    />
  )
}

/** The unallocated money of the payer, each with its buttons. */
function Unallocated({ payer_id }: { payer_id: string }) {
  const { t } = useTranslation()
  const { data, error } = useCall('listUnallocated', { payer_id, page_size: 100 })
  if (error) return <ErrorNotice error={error} />
  if (!data || data.total === 0) return null
  return (
    <section>
      <Title order={3} size="h4">
        {t('payers.unallocated')}
      </Title>
      <PlainTable
        label={t('payers.unallocated')}
        columns={[
          timeColumn<Payment>('paid', t('orders.valueDate'), (row) => row.completed_time),
          { id: 'charge', title: t('finance.reference'), cell: ({ charge_id }) => charge_id },
          moneyColumn<Payment>('price', t('fields.amount'), (row) => [
            row.unallocated_price,
            row.order_currency,
          ]),
          { id: 'act', title: '', cell: (row) => <UnallocatedActions payment={row} /> },
        ]}
        rows={data.list}
        rowId={({ payment_id }) => payment_id}
      />
    </section>
  )
}

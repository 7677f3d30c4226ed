import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type InputOf, type RowOf, useCall } from '../calls/call.ts'
import { DocumentButton } from './document-button.tsx'
import { ErrorNotice, Hint } from './error-notice.tsx'
import { OrderLink } from './instant.tsx'
import { dayColumn, moneyColumn, PlainTable } from './plain-table.tsx'
import type { Column } from './table-rows.tsx'

type Document = RowOf<'listDocuments'>

const documentWords = {
  receipt: 'documents.receipt',
  invoice: 'documents.invoice',
  credit_note: 'documents.creditNote',
} as const

/** The columns of a list of documents; `ownOrder` is the order beside the list, which needs no link. */
export function useDocumentColumns(ownOrder = ''): Column<Document>[] {
  const { t } = useTranslation()
  return [
    dayColumn('issued', t('documents.issued'), ({ issued }) => issued),
    { id: 'kind', title: t('documents.kind'), cell: ({ kind }) => t(documentWords[kind]) },
    {
      ...{ id: 'number', title: t('documents.number'), card: 'title', value: ({ number }) => number },
      cell: ({ number, revision }) => (
        <Group gap={6} wrap="nowrap">
          {number}
          {revision > 1 && <Hint>{t('documents.revision', { revision })}</Hint>}
        </Group>
      ),
    },
    { id: 'payer', title: t('payers.payer'), cell: ({ payer }) => payer || t('payers.erased') },
    moneyColumn('price', t('fields.amount'), ({ price, currency }) => [price, currency], {
      card: 'value',
    }),
    {
      id: 'orders',
      title: t(ownOrder ? 'documents.otherOrders' : 'fields.order'),
      cell: ({ order_ids }) => (
        <Group gap={6}>
          {order_ids
            .filter((id) => id !== ownOrder)
            .map((id) => (
              <OrderLink key={id} id={id} />
            ))}
        </Group>
      ),
    },
    {
      id: 'print',
      title: '',
      cell: ({ document_id }) => <DocumentButton document={{ document_id }} label={t('documents.open')} />,
    },
  ]
}

const mostShown = 100

/** The documents of a payer or an order. */
export function DocumentsTable({ of }: { of: InputOf<'listDocuments'> }) {
  const { t } = useTranslation()
  const columns = useDocumentColumns(of.order_id)
  const { data, error } = useCall('listDocuments', { ...of, page_size: mostShown })
  if (error) return <ErrorNotice error={error} />
  if (!data) return null
  if (data.total === 0) return <Hint>{t('documents.none')}</Hint>
  return (
    <>
      <PlainTable
        label={t('documents.title')}
        columns={columns}
        rows={data.list}
        rowId={({ document_id }) => document_id}
        minWidth={680}
      />
      {data.total > mostShown && (
        <Text size="sm">{t('documents.more', { count: data.total - mostShown })}</Text>
      )}
    </>
  )
}

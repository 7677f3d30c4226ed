import { useTranslation } from 'react-i18next'
import type { InputOf } from '../../calls/call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { useDocumentColumns } from '../../parts/documents-table.tsx'
import { useList, useListAddress } from '../../parts/use-list-address.ts'

const kinds = [
  { value: 'receipt', word: 'documents.receipt' },
  { value: 'invoice', word: 'documents.invoice' },
  { value: 'credit_note', word: 'documents.creditNote' },
] as const

const yearsShown = 8

/** Receipts, invoices and credit notes of all series. */
export function DocumentsTab() {
  const { t } = useTranslation()
  const address = useListAddress()
  const { kind, year, start_date, end_date } = address.search
  const query = useList('listDocuments', address, {
    ...({ kind, start_date, end_date } as InputOf<'listDocuments'>),
    year: year ? Number(year) : undefined,
  })
  const columns = useDocumentColumns()
  const thisYear = new Date().getFullYear()
  const years = Array.from({ length: yearsShown }, (_, before) => String(thisYear - before))
  return (
    <DataTable
      name="documents"
      label={t('documents.title')}
      columns={columns}
      rowId={({ document_id }) => document_id}
      query={query}
      address={address}
      filters={[
        {
          ...{ kind: 'choice' as const, name: 'kind', label: t('documents.kind') },
          options: kinds.map(({ value, word }) => ({ value, label: t(word) })),
        },
        {
          ...{ kind: 'choice' as const, name: 'year', label: t('documents.year') },
          options: years.map((value) => ({ value, label: value })),
        },
        { kind: 'day', name: 'start_date', label: t('fields.from') },
        { kind: 'day', name: 'end_date', label: t('fields.until') },
      ]}
      empty={{ text: t('documents.none'), icon: 'finance' }}
    />
  )
}

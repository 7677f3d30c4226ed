import { Group } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InputOf, RowOf } from '../../calls/call.ts'
import { AddButton } from '../../parts/add-button.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useList, useListAddress } from '../../parts/use-list-address.ts'
import { PayerAccount } from './payer-account.tsx'
import { PayerDialog, payerKinds } from './payer-dialog.tsx'
import { ReceiptDialog } from './receipt-dialog.tsx'

type Payer = RowOf<'listPayers'>

/** Payers, and the statement of account of one of them. */
export function PayersTab() {
  const address = useListAddress()
  const { payer } = address.search
  if (payer) {
    const back = () => address.setFilters({ payer: undefined })
    return <PayerAccount key={payer} payer_id={payer} onBack={back} />
  }
  return <PayerList />
}

function PayerList() {
  const { t } = useTranslation()
  const address = useListAddress()
  const [dialog, setDialog] = useState<'payer' | 'receipt'>()
  const { search, kind } = address.search
  const query = useList('listPayers', address, { search, kind } as InputOf<'listPayers'>)
  const columns = useMemo<Column<Payer>[]>(
    () => [
      { id: 'name', title: t('fields.name'), cell: ({ name }) => name || t('payers.erased') },
      { id: 'kind', title: t('payers.kind'), cell: ({ kind: is }) => t(`payers.kinds.${is}`) },
      { id: 'contact', title: t('payers.contactName'), cell: ({ contact_name }) => contact_name },
      { id: 'mobile', title: t('payers.mobile'), cell: ({ mobile }) => mobile },
      { id: 'email', title: t('fields.email'), cell: ({ email }) => email },
      { id: 'reference', title: t('payers.number'), cell: ({ reference }) => reference },
      { id: 'tax', title: t('payers.taxNumber'), isExtra: true, cell: ({ tax_number }) => tax_number },
    ],
    [t],
  )
  return (
    <>
      <DataTable
        name="payers"
        label={t('payers.title')}
        columns={columns}
        rowId={({ payer_id }) => payer_id}
        query={query}
        address={address}
        search={{ name: 'search', label: t('payers.search') }}
        filters={[
          {
            ...{ kind: 'choice' as const, name: 'kind', label: t('payers.kind') },
            options: payerKinds.map((value) => ({ value, label: t(`payers.kinds.${value}`) })),
          },
        ]}
        actions={
          <Group gap="xs">
            <AddButton label={t('payers.add')} onClick={() => setDialog('payer')} />
            <AddButton label={t('payers.receive')} name="receive" onClick={() => setDialog('receipt')} />
          </Group>
        }
        onOpen={({ payer_id }) => address.setFilters({ payer: payer_id })}
        empty={{ text: t('payers.none'), icon: 'finance' }}
      />
      {dialog === 'payer' && <PayerDialog onClose={() => setDialog(undefined)} />}
      {dialog === 'receipt' && <ReceiptDialog onClose={() => setDialog(undefined)} />}
    </>
  )
}

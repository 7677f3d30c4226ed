import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { moneyColumn } from '../../parts/plain-table.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { type ListAddress, useList } from '../../parts/use-list-address.ts'
import { spans, spanWords } from './ageing-table.tsx'

type Debts = RowOf<'agePayers'>

/** Outstanding amounts by payer and age, the largest first. An order without a payer belongs to its person. */
export function PayerAgeing({ address }: { address: ListAddress }) {
  const { t } = useTranslation()
  const { as_of } = address.search
  const query = useList('agePayers', address, { as_of })
  const columns = useMemo<Column<Debts>[]>(
    () => [
      {
        ...{ id: 'payer', title: t('payers.payer') },
        cell: (row) => <Debtor debts={row} />,
        value: ({ payer_name, user_name }) => payer_name || user_name,
      },
      { id: 'orders', title: t('finance.orders'), isNumber: true, cell: ({ orders }) => orders },
      moneyColumn('outstanding', t('finance.outstanding'), (row) => [row.outstanding, row.currency], {
        card: 'value',
      }),
      ...spans.map((span) =>
        moneyColumn<Debts>(span, t(spanWords[span]), (row) => [row[span], row.currency]),
      ),
    ],
    [t],
  )
  return (
    <DataTable
      name="payer-ageing"
      label={t('finance.ageing')}
      columns={columns}
      rowId={({ payer_id, user_id, currency }) => [payer_id, user_id, currency].join(' ')}
      query={query}
      address={{ page: address.page, setPage: address.setPage }}
      empty={{ text: t('finance.nothingOutstanding'), icon: 'finance' }}
    />
  )
}

/** The account of the payer, or the page of the person. */
function Debtor({ debts: { payer_id, payer_name, user_id, user_name } }: { debts: Debts }) {
  const { t } = useTranslation()
  if (payer_id)
    return (
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link to="/finance" search={{ tab: 'payers', payer: payer_id } as never} {...props} />
        )}
      >
        {payer_name || t('payers.erased')}
      </Anchor>
    )
  return (
    <Link to="/people/$id" params={{ id: user_id }}>
      {user_name || user_id.slice(-8)}
    </Link>
  )
}

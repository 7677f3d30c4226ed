import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Instant, OrderLink } from '../../parts/instant.tsx'
import { moneyColumn } from '../../parts/plain-table.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'
import { useList, useListAddress } from '../../parts/use-list-address.ts'
import { RefundDecision } from './refund-decision.tsx'
import { RefundStateBadge } from './refund-state.tsx'

type Request = RowOf<'listRefundRequests'>
const states = ['waiting', 'approved', 'declined'] as const

/** Requests that need, or needed, a second approver. */
export function RefundsTab() {
  const { t } = useTranslation()
  const address = useListAddress()
  const { nameOf } = useAdvisers()
  const wanted = states.find((state) => state === address.search.decision) ?? 'waiting'
  const query = useList('listRefundRequests', address, { state: wanted })
  const columns = useMemo<Column<Request>[]>(
    () => [
      { id: 'asked', title: t('refunds.requested'), cell: ({ ctime }) => <Instant at={ctime} /> },
      {
        id: 'order',
        title: t('fields.order'),
        cell: ({ order_id, user_name }) => <OrderLink id={order_id} name={user_name} />,
      },
      { id: 'kind', title: t('refunds.kind'), cell: ({ kind }) => t(`refunds.kinds.${kind}`) },
      moneyColumn('price', t('fields.amount'), ({ price, currency }) => [price, currency]),
      { id: 'reason', title: t('fields.reason'), cell: ({ reason }) => reason },
      { id: 'by', title: t('refunds.requestedBy'), cell: ({ requested_by }) => nameOf(requested_by) },
      { id: 'state', title: t('fields.status'), cell: ({ state }) => <RefundStateBadge state={state} /> },
      wanted === 'waiting'
        ? {
            id: 'decide',
            title: t('refunds.decision'),
            cell: (request) => <RefundDecision request={request} />,
          }
        : {
            id: 'decided',
            title: t('refunds.decidedBy'),
            cell: ({ decided_by, decline_reason }) =>
              [nameOf(decided_by), decline_reason].filter(Boolean).join(': '),
          },
    ],
    [t, nameOf, wanted],
  )
  const options = states.map((value) => ({ value, label: t(`refunds.states.${value}`) }))
  return (
    <DataTable
      name="refunds"
      label={t('refunds.title')}
      columns={columns}
      rowId={({ request_id }) => request_id}
      query={query}
      address={address}
      filters={[{ kind: 'choice', name: 'decision', label: t('fields.status'), options }]}
      empty={{ text: t(wanted === 'waiting' ? 'refunds.none' : 'refunds.noneDecided'), icon: 'check' }}
    />
  )
}

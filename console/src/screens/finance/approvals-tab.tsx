import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Money, OrderLink } from '../../parts/instant.tsx'
import { moneyColumn, timeColumn } from '../../parts/plain-table.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'
import { useList, useListAddress } from '../../parts/use-list-address.ts'
import { RequestDecision } from './request-decision.tsx'
import { RequestStateBadge } from './request-state.tsx'

type Request = RowOf<'listApprovals'>
const states = ['waiting', 'approved', 'declined'] as const

/** Requests that need, or needed, a second approver. */
export function ApprovalsTab() {
  const { t } = useTranslation()
  const address = useListAddress()
  const { nameOf } = useAdvisers()
  const wanted = states.find((state) => state === address.search.decision) ?? 'waiting'
  const query = useList('listApprovals', address, { state: wanted })
  const columns = useMemo<Column<Request>[]>(
    () => [
      {
        id: 'order',
        title: t('fields.order'),
        value: ({ user_name, until }) => user_name || until,
        cell: ({ order_id, user_name, until }) =>
          order_id === '' ? (
            <Link to="/finance" search={{ tab: 'closing' }}>
              {t('approvals.closing', { day: until })}
            </Link>
          ) : (
            <OrderLink id={order_id} name={user_name} />
          ),
      },
      { id: 'kind', title: t('approvals.kind'), cell: ({ kind }) => t(`approvals.kinds.${kind}`) },
      {
        ...moneyColumn<Request>('price', t('fields.amount'), ({ price, currency }) => [price, currency]),
        card: 'value',
        cell: ({ price, currency }) => currency !== '' && <Money amount={price} currency={currency} />,
      },
      wanted === 'waiting'
        ? {
            id: 'decide',
            title: t('approvals.decision'),
            card: 'action',
            cell: (request) => <RequestDecision request={request} />,
          }
        : {
            id: 'decided',
            title: t('approvals.decidedBy'),
            cell: ({ decided_by, decline_reason }) =>
              [nameOf(decided_by), decline_reason].filter(Boolean).join(': '),
          },
      { id: 'reason', title: t('fields.reason'), cell: ({ reason }) => reason },
      { id: 'by', title: t('approvals.requestedBy'), cell: ({ requested_by }) => nameOf(requested_by) },
      timeColumn('asked', t('approvals.requested'), ({ ctime }) => ctime),
      {
        ...{ id: 'state', title: t('fields.status'), card: 'value' },
        cell: ({ state }) => <RequestStateBadge state={state} />,
      },
    ],
    [t, nameOf, wanted],
  )
  const options = states.map((value) => ({ value, label: t(`approvals.states.${value}`) }))
  return (
    <DataTable
      name="approvals"
      label={t('approvals.title')}
      columns={columns}
      rowId={({ request_id }) => request_id}
      query={query}
      address={address}
      filters={[{ kind: 'choice', name: 'decision', label: t('fields.status'), options }]}
      empty={{ text: t(wanted === 'waiting' ? 'approvals.none' : 'approvals.noneDecided'), icon: 'check' }}
    />
  )
}

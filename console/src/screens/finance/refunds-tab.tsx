import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { useCall } from '../../calls/use-call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Instant } from '../../parts/instant.tsx'
import { Money } from '../../parts/money.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'
import { pageSize, useListAddress } from '../../parts/use-list-address.ts'
import { RefundDecision } from './refund-decision.tsx'
import { RefundStateBadge } from './refund-state.tsx'

type Request = RowOf<'listRefundRequests'>
const states = ['waiting', 'approved', 'declined'] as const

/** Refunds that wait for a second person, and those that did. */
export function RefundsTab() {
  const { t } = useTranslation()
  const address = useListAddress()
  const { nameOf } = useAdvisers()
  const wanted = states.find((state) => state === address.search.decision) ?? 'waiting'
  const { data, error } = useCall(
    'listRefundRequests',
    { state: wanted, page: address.page, page_size: pageSize },
    { keepsPrevious: true },
  )
  const columns = useMemo<Column<Request>[]>(
    () => [
      { id: 'asked', title: t('refunds.requested'), cell: ({ ctime }) => <Instant at={ctime} /> },
      {
        id: 'order',
        title: t('finance.order'),
        cell: ({ order_id, user_name }) => (
          <Link to="/orders/$id" params={{ id: order_id }}>
            {user_name || order_id.slice(-8)}
          </Link>
        ),
      },
      {
        id: 'price',
        title: t('orders.amount'),
        isNumber: true,
        cell: ({ price, currency }) => <Money amount={price} currency={currency} />,
      },
      { id: 'reason', title: t('orders.reason'), cell: ({ reason }) => reason },
      { id: 'by', title: t('refunds.requestedBy'), cell: ({ requested_by }) => nameOf(requested_by) },
      { id: 'state', title: t('finance.state'), cell: ({ state }) => <RefundStateBadge state={state} /> },
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
  return (
    <DataTable
      name="refunds"
      label={t('refunds.title')}
      columns={columns}
      rowId={({ request_id }) => request_id}
      rows={data?.list}
      total={data?.total}
      page={address.page}
      onPage={address.setPage}
      error={error}
      toolbar={
        <FilterBar
          address={address}
          filters={[
            {
              kind: 'choice',
              name: 'decision',
              label: t('finance.state'),
              options: states.map((value) => ({ value, label: t(`refunds.states.${value}`) })),
            },
          ]}
        />
      }
      empty={
        <EmptyState text={t(wanted === 'waiting' ? 'refunds.none' : 'refunds.noneDecided')} icon="check" />
      }
    />
  )
}

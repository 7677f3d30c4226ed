import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import type { InputOf, RowOf } from '../../calls/call.ts'
import { AddButton } from '../../parts/add-button.tsx'
import { AfterHeading } from '../../parts/after-heading.tsx'
import { CodedName } from '../../parts/coded-name.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import type { Filter } from '../../parts/filter-bar.tsx'
import { Day, StateBadge } from '../../parts/instant.tsx'
import { moneyColumn, timeColumn } from '../../parts/plain-table.tsx'
import { useRecentList } from '../../parts/recent-list.ts'
import { ScreenHead } from '../../parts/screen-tabs.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useAdvisers, useCourseOptions } from '../../parts/use-advisers.ts'
import { useList, useListAddress } from '../../parts/use-list-address.ts'
import { NewOrderDialog } from './new-order-dialog.tsx'
import { OrderStatusBadge } from './order-status.tsx'
import { useBatches } from './use-batches.ts'

type Order = RowOf<'searchOrders'>

const OrderDrawer = lazy(async () => ({
  default: (await import('./order-drawer.tsx')).OrderDrawer,
}))

const sorts = ['oldest', 'newest'] as const
const statuses = [
  'tbd',
  'unconfirmed',
  'created',
  'pending',
  'success',
  'locked',
  'canceled',
  'expired',
] as const

export function OrdersScreen() {
  const { t } = useTranslation()
  const { can } = useSession()
  const navigate = useNavigate()
  const address = useListAddress()
  const courses = useCourseOptions('course_code')
  const [isMaking, setMaking] = useState(false)
  const advisers = useAdvisers().options
  const batches = useBatches()
  const { page: _page, ...search } = address.search
  const query = useList('searchOrders', address, search as InputOf<'searchOrders'>)
  const { data } = query
  const listed = { screen: 'orders', operation: 'searchOrders', filters: search } as const
  useRecentList({ ...listed, search: address.search, page: address.page, data })
  const columns = useOrderColumns()
  const filters: Filter[] = [
    {
      ...{ kind: 'choice', name: 'status', label: t('fields.status') },
      options: statuses.map((value) => ({ value, label: t(`orderStatus.${value}`) })),
    },
    {
      ...{ kind: 'choice', name: 'owing', label: t('orders.paymentDue') },
      options: [
        { value: 'unpaid', label: t('orders.owingUnpaid') },
        { value: 'overdue', label: t('orders.owingOverdue') },
      ],
    },
    { kind: 'choice', name: 'course_code', label: t('fields.course'), options: courses },
    { kind: 'choice', name: 'owner_id', label: t('fields.adviser'), options: advisers, isRare: true },
    { kind: 'choice', name: 'batch_id', label: t('orders.batch'), options: batches, isRare: true },
    {
      ...{ kind: 'choice', name: 'time_range_type', label: t('orders.filterDatesBy'), isRare: true },
      options: [
        { value: 'create', label: t('orders.created') },
        { value: 'modify', label: t('orders.updated') },
      ],
    },
    { kind: 'day', name: 'start_date', label: t('fields.from') },
    { kind: 'day', name: 'end_date', label: t('fields.until') },
  ]
  const add = can('write') && <AddButton label={t('orders.add')} onClick={() => setMaking(true)} />
  return (
    <>
      <ScreenHead title={t('frame.orders')} count={data && t('orders.count', { count: data.total })}>
        {add}
      </ScreenHead>
      <AfterHeading>
        <DataTable
          name="orders"
          label={t('frame.orders')}
          columns={columns}
          rowId={({ order_id }) => order_id}
          query={query}
          address={address}
          search={{ name: 'q', label: t('orders.search') }}
          filters={filters}
          onOpen={({ order_id }) => address.open(order_id)}
          onOpenPage={({ order_id }) => void navigate({ to: '/orders/$id', params: { id: order_id } })}
          openId={address.opened}
          empty={{ text: t('orders.none'), icon: 'orders', action: add }}
        />
      </AfterHeading>
      {isMaking && <NewOrderDialog onClose={() => setMaking(false)} />}
      {address.opened && (
        <Suspense>
          <OrderDrawer id={address.opened} onOpen={address.open} />
        </Suspense>
      )}
    </>
  )
}

function useOrderColumns(): Column<Order>[] {
  const { t } = useTranslation()
  const { nameOf } = useAdvisers()
  return useMemo(() => {
    const money = (
      id: string,
      title: string,
      amountOf: (order: Order) => number,
      isExtra = false,
    ): Column<Order> => ({
      ...moneyColumn<Order>(id, title, (order) => [amountOf(order), order.currency]),
      isExtra,
    })
    return [
      {
        id: 'person',
        title: t('orders.person'),
        cell: ({ user_name, user_id }) => user_name || user_id.slice(-8),
      },
      {
        id: 'course',
        title: t('fields.course'),
        cell: ({ course_name, course_code }) => <CodedName name={course_name} code={course_code} />,
        value: ({ course_name, course_code }) => course_name || course_code,
      },
      { id: 'batch', title: t('orders.batch'), cell: ({ batch_name }) => batch_name },
      {
        ...{ id: 'status', title: t('fields.status'), card: 'value' },
        cell: ({ status }) => <OrderStatusBadge status={status} />,
        value: ({ status }) => statuses.indexOf(status),
      },
      { ...money('total', t('orders.price'), (order) => order.total_price), card: 'value' },
      // Held money excludes refunds: a fully refunded order holds nothing.
      money('paid', t('finance.held'), (order) => order.post_refund_price),
      money('refunded', t('orders.refunded'), (order) => order.paid_price - order.post_refund_price, true),
      money('unpaid', t('orders.unpaid'), (order) => order.unpaid_price),
      {
        id: 'instalments',
        title: t('orders.instalments'),
        value: ({ paid_installments, installment_count }) => [paid_installments, installment_count],
        cell: (order) =>
          t('orders.paidOf', { paid: order.paid_installments, count: order.installment_count }),
      },
      {
        id: 'due',
        title: t('orders.nextDueDate'),
        value: ({ next_deadline }) => next_deadline,
        cell: ({ next_deadline, is_overdue }) =>
          next_deadline && (
            <>
              <Day at={next_deadline} />{' '}
              {is_overdue && <StateBadge meaning="refused" label={t('finance.overdue')} />}
            </>
          ),
      },
      {
        id: 'owner',
        title: t('fields.adviser'),
        isExtra: true,
        cell: ({ owner_ids }) => owner_ids.map(nameOf).join(t('common.listComma')),
      },
      {
        id: 'external',
        title: t('orders.externalNumber'),
        isExtra: true,
        cell: ({ external_id }) => external_id,
      },
      timeColumn('made', t('orders.created'), ({ ctime }) => ctime, { sorts, card: 'hidden' }),
      timeColumn('changed', t('orders.updated'), ({ mtime }) => mtime, { isExtra: true }),
    ]
  }, [t, nameOf])
}

import { Alert, Button, Group, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { type DataOf, type RowOf, useCall } from '../../calls/call.ts'
import { DocumentsTable } from '../../parts/documents-table.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Day, Instant, Money } from '../../parts/instant.tsx'
import { Facts, RecordBlock, RecordColumns, RecordHead } from '../../parts/record-page.tsx'
import { useAdvisers, useCourseOptions } from '../../parts/use-advisers.ts'
import { type OrderAction, OrderActionDialog } from './order-actions.tsx'
import { OrderButtons } from './order-buttons.tsx'
import { OrderFigures } from './order-figures.tsx'
import { OrderHistory } from './order-history.tsx'
import { OrderInstalments } from './order-instalments.tsx'
import { OrderMoney } from './order-money.tsx'
import { OrderStates } from './order-states.tsx'
import { type OrderStatus, OrderStatusBadge } from './order-status.tsx'
import { PaymentRequests } from './payment-requests.tsx'

/** An order with the explanation of its prices and moves. */
export function useOrder(id: string) {
  const { data: order, error } = useCall('fetchOrder', { order_id: id })
  const { data: explanation } = useCall('explainOrder', { order_id: id })
  return { order, explanation, error }
}

export interface OrderProps {
  order: DataOf<'fetchOrder'>
  explanation: DataOf<'explainOrder'>
}

/** An order: course and student with the actions, its money and history, and the facts next to them. */
export function OrderRecord({ order, explanation, isPage }: OrderProps & { isPage: boolean }) {
  const { t } = useTranslation()
  const { can } = useSession()
  const [action, setAction] = useState<OrderAction>()
  const { data: person } = useCall('fetchProfile', { user_id: order.user_id })
  const row = useOrderRow(order)
  const courses = useCourseOptions('course_code')
  const course =
    row?.course_name || courses.find(({ value }) => value === order.course_code)?.label || order.course_code
  const name = person?.name || order.user_id.slice(-8)
  return (
    <>
      <RecordHead
        title={[course, name].filter(Boolean).join(' · ')}
        isPage={isPage}
        badges={<OrderStatusBadge status={order.status} />}
        details={
          <Text size="sm" c="dimmed">
            {[t('orders.orderNumber', { id: order.entity_id.slice(-8) }), row?.batch_name]
              .filter(Boolean)
              .join(' · ')}{' '}
            · {t('orders.created')} <Day at={order.ctime} />
          </Text>
        }
        actions={<OrderButtons order={order} explanation={explanation} onAction={setAction} />}
      />
      {order.status === 'locked' && can('write') && (
        <LockedNotice explanation={explanation} onUnlock={(to) => setAction({ kind: 'move', to })} />
      )}
      <OrderFigures order={order} />
      <RecordColumns
        main={
          <>
            <RecordBlock title={t('orders.money')} id="money">
              <OrderMoney order={order} onAction={can('finance') ? setAction : undefined} />
            </RecordBlock>
            <OrderHistory order_id={order.entity_id} />
            <RecordBlock title={t('paymentRequests.title')}>
              <PaymentRequests order={order} />
            </RecordBlock>
            {can('finance') && (
              <RecordBlock title={t('documents.title')}>
                <DocumentsTable of={{ order_id: order.entity_id }} />
              </RecordBlock>
            )}
          </>
        }
        rail={
          <>
            <OrderInstalments order={order} />
            <RecordBlock title={t('orders.price')} id="price">
              <PriceLines order={order} explanation={explanation} />
            </RecordBlock>
            <RecordBlock title={t('record.facts')}>
              <OrderFacts order={order} row={row} course={course} name={name} />
            </RecordBlock>
            <RecordBlock title={t('fields.status')}>
              <OrderStates
                explanation={explanation}
                onMove={can('write') ? (to) => setAction({ kind: 'move', to }) : undefined}
              />
            </RecordBlock>
          </>
        }
      />
      {action && (
        <OrderActionDialog
          action={action}
          order={order}
          explanation={explanation}
          onClose={() => setAction(undefined)}
        />
      )}
    </>
  )
}

interface LockedNoticeProps extends Pick<OrderProps, 'explanation'> {
  onUnlock(to: OrderStatus): void
}

/** Says why a locked order takes no money, and leads on. */
function LockedNotice({ explanation, onUnlock }: LockedNoticeProps) {
  const { t } = useTranslation()
  // The money of the order decides which of them is possible.
  const to = explanation.moves.find(
    ({ status, is_possible }) => is_possible && ['created', 'pending', 'success'].includes(status),
  )?.status
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="warning" />} role="note" p="xs" mb="md">
      <Group justify="space-between">
        {t('orders.lockedNotice')}
        {to && (
          <Button size="compact-sm" variant="default" onClick={() => onUnlock(to)}>
            {t('orders.unlock')}
          </Button>
        )}
      </Group>
    </Alert>
  )
}

type Row = RowOf<'searchOrders'>

/** The order as lists show it, with the names of course, intake and advisers. */
function useOrderRow({ entity_id, user_id }: OrderProps['order']): Row | undefined {
  const { data } = useCall('searchOrders', { user_id, page_size: 20 })
  return data?.list.find(({ order_id }) => order_id === entity_id)
}

interface OrderFactsProps extends Pick<OrderProps, 'order'> {
  row: Row | undefined
  course: string
  name: string
}

function OrderFacts({ order, row, course, name }: OrderFactsProps) {
  const { t } = useTranslation()
  const { nameOf } = useAdvisers()
  const advisers = row?.owner_ids.map(nameOf).join(t('common.listComma'))
  return (
    <Facts
      facts={[
        [
          t('orders.person'),
          <Link key="person" to="/people/$id" params={{ id: order.user_id }}>
            {name}
          </Link>,
        ],
        ...(course ? [[t('fields.course'), course] satisfies [string, string]] : []),
        ...(row?.batch_name ? [[t('orders.batch'), row.batch_name] satisfies [string, string]] : []),
        ...(advisers ? [[t('fields.adviser'), advisers] satisfies [string, string]] : []),
        ...(row?.external_id
          ? [[t('orders.externalNumber'), row.external_id] satisfies [string, string]]
          : []),
        [t('orders.updated'), <Instant key="updated" at={order.mtime} />],
      ]}
    />
  )
}

type Line = [label: string, amount: number, isBold?: true]

/** The total as the sum of its lines. */
function PriceLines({ order, explanation }: OrderProps) {
  const { t } = useTranslation()
  const fees = order.total_price - order.discounted_price
  const lines: Line[] = [
    [t('fields.listPrice'), order.listed_price],
    ...explanation.discounts.map(({ kind, coupon_id, price }): Line => {
      return [kind === 'manual' ? t('orders.discount') : t('orders.coupon', { id: coupon_id }), -price]
    }),
    ...(fees > 0 ? [[t('orders.fees'), fees] satisfies Line] : []),
    [t('fields.total'), order.total_price, true],
  ]
  return (
    <Table fz="sm" verticalSpacing={3} horizontalSpacing={0}>
      <Table.Tbody>
        {lines.map(([label, amount, isBold]) => (
          <Table.Tr key={label}>
            <Table.Th scope="row" fw={isBold ? 600 : 400}>
              {label}
            </Table.Th>
            <Table.Td ta="right">
              <Money amount={amount} currency={order.currency} isBold={isBold} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

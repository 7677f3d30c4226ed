import { Button, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import type { DataOf } from '../../calls/call.ts'
import { useCall } from '../../calls/use-call.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Day } from '../../parts/instant.tsx'
import { useNeighbours } from '../../parts/listed-records.tsx'
import { Money } from '../../parts/money.tsx'
import { RecordDrawer } from '../../parts/record-drawer.tsx'
import { ScrollSideways } from '../../parts/scroll-sideways.tsx'
import { useAllowance } from '../../parts/use-allowance.ts'
import { type OrderAction, OrderActionDialog } from './order-actions.tsx'
import { OrderHistory } from './order-history.tsx'
import { OrderPayments } from './order-payments.tsx'
import { OrderStates } from './order-states.tsx'
import { OrderStatusBadge } from './order-status.tsx'

/** An order on one page: its price, plan, money, states and history, and what can be done with it. */
export function OrderDrawer() {
  const { t } = useTranslation()
  const { id = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const { previous, next } = useNeighbours(id)
  const { data: order, error } = useCall('fetchOrder', { order_id: id })
  const { data: explanation } = useCall('explainOrder', { order_id: id })
  const open = (to: string) => void navigate({ to: '/orders/$id', params: { id: to }, search: true })
  return (
    <RecordDrawer
      title={
        <Group gap="xs">
          <Title order={2}>{t('orders.orderNumber', { id: id.slice(-8) })}</Title>
          {order && <OrderStatusBadge status={order.status} />}
        </Group>
      }
      size="44rem"
      onClose={() => void navigate({ to: '/orders', search: true })}
      onNext={next === undefined ? undefined : () => open(next)}
      onPrevious={previous === undefined ? undefined : () => open(previous)}
    >
      {error ? (
        <ErrorNotice error={error} />
      ) : order && explanation ? (
        <OrderPage key={id} order={order} explanation={explanation} />
      ) : (
        <Skeleton height={300} />
      )}
    </RecordDrawer>
  )
}

function OrderPage({
  order,
  explanation,
}: {
  order: DataOf<'fetchOrder'>
  explanation: DataOf<'explainOrder'>
}) {
  const { t } = useTranslation()
  const { can } = useSession()
  const { recordsPayments } = useAllowance()
  const [action, setAction] = useState<OrderAction>()
  const { data: person } = useCall('fetchProfile', { user_id: order.user_id })
  const { payment, refund, transfer, write_off, reprice, retain, moves } = explanation
  const canCancel =
    retain.is_possible || moves.some(({ status, is_possible }) => status === 'canceled' && is_possible)
  const buttons: [OrderAction['kind'], string, boolean, boolean, string][] = [
    ['pay', t('orders.pay'), can('write') && recordsPayments, payment.is_possible, payment.code],
    ['refund', t('orders.refund'), can('finance'), refund.is_possible, refund.code],
    ['transfer', t('orders.transfer'), can('finance'), transfer.is_possible, transfer.code],
    ['reprice', t('orders.reprice'), can('write'), reprice.is_possible, reprice.code],
    ['writeOff', t('orders.writeOff'), can('finance'), write_off.is_possible, write_off.code],
    ['cancel', t('orders.cancel'), can('write'), canCancel, 'no_such_move'],
    ['remark', t('orders.addRemark'), can('write'), true, 'possible'],
  ]
  return (
    <Stack gap="lg">
      <Group gap="xs">
        {buttons
          .filter(([, , isPermitted]) => isPermitted)
          .map(([kind, label, , isPossible, code]) => (
            <Button
              key={kind}
              size="compact-sm"
              variant={kind === 'pay' ? 'filled' : 'default'}
              disabled={!isPossible}
              title={isPossible ? undefined : t(`obstacles.${code as 'possible'}`)}
              onClick={() => setAction({ kind } as OrderAction)}
            >
              {label}
            </Button>
          ))}
      </Group>
      {can('write') && !recordsPayments && (
        <Text size="sm" c="dimmed">
          {t('orders.paymentsByFinance')}
        </Text>
      )}
      <Group gap="lg">
        <Fact label={t('orders.person')}>
          <Link to="/people/$id" params={{ id: order.user_id }}>
            {person?.name || order.user_id.slice(-8)}
          </Link>
        </Fact>
        {order.course_code && <Fact label={t('fields.course')}>{order.course_code}</Fact>}
        <Fact label={t('orders.created')}>
          <Day at={order.ctime} />
        </Fact>
        <Fact label={t('orders.updated')}>
          <Day at={order.mtime} />
        </Fact>
      </Group>
      <Section title={t('orders.price')}>
        <PriceLines order={order} explanation={explanation} />
      </Section>
      <Section title={t('orders.instalments')}>
        <Instalments order={order} />
      </Section>
      <Section title={t('finance.payments')}>
        <OrderPayments order={order} onAction={can('finance') ? setAction : undefined} />
      </Section>
      <Section title={t('fields.status')}>
        <OrderStates
          explanation={explanation}
          onMove={can('write') ? (to) => setAction({ kind: 'move', to }) : undefined}
        />
      </Section>
      <Section title={t('orders.history')}>
        <OrderHistory order_id={order.entity_id} />
      </Section>
      {action && (
        <OrderActionDialog
          action={action}
          order={order}
          explanation={explanation}
          onClose={() => setAction(undefined)}
        />
      )}
    </Stack>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={3} mb={6}>
        {title}
      </Title>
      {children}
    </section>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text size="sm">{children}</Text>
    </div>
  )
}

/** The price as the sum of its lines, then what of it is paid. */
function PriceLines({
  order,
  explanation,
}: {
  order: DataOf<'fetchOrder'>
  explanation: DataOf<'explainOrder'>
}) {
  const { t } = useTranslation()
  const charges = order.total_price - order.discounted_price
  const refunded = order.paid_price - order.post_refund_price
  const lines: [string, number, boolean][] = [
    [t('fields.listPrice'), order.listed_price, false],
    ...explanation.discounts.map(({ kind, coupon_id, price }): [string, number, boolean] => [
      kind === 'manual' ? t('orders.discount') : t('orders.coupon', { id: coupon_id }),
      -price,
      false,
    ]),
    ...(charges > 0 ? [[t('orders.fees'), charges, false] as [string, number, boolean]] : []),
    [t('fields.total'), order.total_price, true],
    [t('orders.paid'), order.paid_price, false],
    ...(refunded > 0 ? [[t('orders.refunded'), -refunded, false] as [string, number, boolean]] : []),
    [t('orders.unpaid'), order.unpaid_price, true],
  ]
  return (
    <Table fz="sm" verticalSpacing={3} maw="26rem">
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

function Instalments({ order }: { order: DataOf<'fetchOrder'> }) {
  const { t } = useTranslation()
  return (
    <ScrollSideways keepsLines minWidth={420}>
      <Table fz="sm" verticalSpacing={3}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>#</Table.Th>
            <Table.Th>{t('orders.dueDate')}</Table.Th>
            <Table.Th>{t('fields.status')}</Table.Th>
            <Table.Th ta="right">{t('orders.price')}</Table.Th>
            <Table.Th ta="right">{t('orders.paid')}</Table.Th>
            <Table.Th ta="right">{t('orders.unpaid')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {order.sub_orders.map((each) => (
            <Table.Tr key={each.entity_id}>
              <Table.Td>{each.seq}</Table.Td>
              <Table.Td>
                <Day at={each.payment_deadline} />
              </Table.Td>
              <Table.Td>
                <OrderStatusBadge status={each.status} />
              </Table.Td>
              <Table.Td ta="right">
                <Money amount={each.total_price} currency={each.currency} />
              </Table.Td>
              <Table.Td ta="right">
                <Money amount={each.paid_price} currency={each.currency} isZeroDimmed />
              </Table.Td>
              <Table.Td ta="right">
                <Money amount={each.unpaid_price} currency={each.currency} isZeroDimmed />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollSideways>
  )
}

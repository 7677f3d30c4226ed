import { Button, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { type DataOf, useCall } from '../../calls/call.ts'
import { DocumentButton } from '../../parts/document-button.tsx'
import { DocumentsTable } from '../../parts/documents-table.tsx'
import { ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { Day, Money } from '../../parts/instant.tsx'
import { useNeighbours } from '../../parts/listed-records.tsx'
import { dayColumn, PlainTable } from '../../parts/plain-table.tsx'
import { RecordDrawer } from '../../parts/record-drawer.tsx'
import { useAllowance } from '../../parts/use-allowance.ts'
import { type OrderAction, OrderActionDialog } from './order-actions.tsx'
import { OrderHistory } from './order-history.tsx'
import { OrderMoney } from './order-money.tsx'
import { OrderStates } from './order-states.tsx'
import { OrderStatusBadge } from './order-status.tsx'
import { PaymentRequests } from './payment-requests.tsx'

/** An order on one page: price, instalments, money, status, history and actions. */
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
      size="56rem"
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

type Order = DataOf<'fetchOrder'>

/** Orders that can be paid have an invoice. */
const isInvoiced = ['created', 'pending', 'locked', 'success']

interface OrderProps {
  order: Order
  explanation: DataOf<'explainOrder'>
}

function OrderPage({ order, explanation }: OrderProps) {
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
        {can('finance') && isInvoiced.includes(order.status) && (
          <DocumentButton
            document={{ kind: 'invoice', subject_id: order.entity_id }}
            label={t('documents.invoice')}
            size="compact-sm"
            variant="default"
          />
        )}
      </Group>
      {can('write') && !recordsPayments && <Hint>{t('orders.paymentsByFinance')}</Hint>}
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
      <Section title={t('orders.money')}>
        <OrderMoney order={order} onAction={can('finance') ? setAction : undefined} />
      </Section>
      {can('finance') && (
        <Section title={t('documents.title')}>
          <DocumentsTable of={{ order_id: order.entity_id }} />
        </Section>
      )}
      <Section title={t('paymentRequests.title')}>
        <PaymentRequests order={order} />
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

type Instalment = Order['sub_orders'][number]

const instalmentAmounts = [
  ['total_price', 'orders.price'],
  ['paid_price', 'orders.paid'],
  ['unpaid_price', 'orders.unpaid'],
] as const

function Instalments({ order }: { order: Order }) {
  const { t } = useTranslation()
  return (
    <PlainTable
      rows={order.sub_orders}
      rowId={({ entity_id }) => entity_id}
      keepsLines
      columns={[
        { id: 'seq', title: '#', cell: ({ seq }) => seq },
        dayColumn('due', t('orders.dueDate'), ({ payment_deadline }: Instalment) => payment_deadline),
        {
          id: 'state',
          title: t('fields.status'),
          cell: ({ status }) => <OrderStatusBadge status={status} />,
        },
        ...instalmentAmounts.map(([name, word]) => ({
          id: name,
          title: t(word),
          isNumber: true,
          cell: (each: Instalment) => <Money amount={each[name]} currency={each.currency} isZeroDimmed />,
        })),
      ]}
    />
  )
}

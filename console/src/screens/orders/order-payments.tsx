import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import type { DataOf, RowOf } from '../../calls/call.ts'
import { useCall } from '../../calls/use-call.ts'
import { Instant } from '../../parts/instant.tsx'
import { Money } from '../../parts/money.tsx'
import { useMethodName } from '../../parts/payment-method.ts'
import { ScrollSideways } from '../../parts/scroll-sideways.tsx'
import { PaymentStateBadge } from '../finance/payment-state.tsx'
import { RefundDecision } from '../finance/refund-decision.tsx'
import { RefundStateBadge } from '../finance/refund-state.tsx'
import type { OrderAction } from './order-actions.tsx'

interface OrderPaymentsProps {
  order: DataOf<'fetchOrder'>
  /** Absent: the person may not take payments back. */
  onAction?(action: OrderAction): void
}

/** What came in for an order and what went back. Who has no part in finance sees what lies on the instalments. */
export function OrderPayments({ order, onAction }: OrderPaymentsProps) {
  const { t } = useTranslation()
  const methodName = useMethodName()
  const { can } = useSession()
  const order_id = order.entity_id
  const { data: told } = useCall('listPayments', { order_id, page_size: 100 }, { enabled: can('finance') })
  const { data: refunds } = useCall('listRefunds', { order_id, page_size: 100 }, { enabled: can('finance') })
  const { data: asked } = useCall(
    'listRefundRequests',
    { order_id, state: 'waiting', page_size: 100 },
    { enabled: can('finance') },
  )
  const lying = order.sub_orders.flatMap(({ payments }) => payments)
  if ((told?.list.length ?? lying.length) === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('orders.noPayments')}
      </Text>
    )
  return (
    <Stack gap="xs">
      <ScrollSideways keepsLines minWidth={420}>
        <Table fz="sm" verticalSpacing={3}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('orders.valueDate')}</Table.Th>
              <Table.Th>{t('fields.method')}</Table.Th>
              <Table.Th>{t('fields.status')}</Table.Th>
              <Table.Th ta="right">{t('fields.amount')}</Table.Th>
              <Table.Th />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {told
              ? told.list.map((payment) => (
                  <PaymentRow key={payment.payment_id} payment={payment} onAction={onAction} />
                ))
              : lying.map(({ payment_id, completed_time, source, price, currency }) => (
                  <Table.Tr key={payment_id}>
                    <Table.Td>
                      <Instant at={completed_time} />
                    </Table.Td>
                    <Table.Td>{t(`paymentSources.${source as 'console'}`)}</Table.Td>
                    <Table.Td />
                    <Table.Td ta="right">
                      <Money amount={price} currency={currency} />
                    </Table.Td>
                    <Table.Td />
                  </Table.Tr>
                ))}
            {refunds?.list.map(({ refund_id, completed_time, method, reason, returned_price, currency }) => (
              <Table.Tr key={refund_id}>
                <Table.Td>
                  <Instant at={completed_time} />
                </Table.Td>
                <Table.Td>{methodName(method)}</Table.Td>
                <Table.Td>
                  {t('orders.refund')} {reason}
                </Table.Td>
                <Table.Td ta="right">
                  <Money amount={-returned_price} currency={currency} />
                </Table.Td>
                <Table.Td />
              </Table.Tr>
            ))}
            {asked?.list.map((request) => (
              <Table.Tr key={request.request_id}>
                <Table.Td>
                  <Instant at={request.ctime} />
                </Table.Td>
                <Table.Td>
                  {t('orders.refund')} {request.reason}
                </Table.Td>
                <Table.Td>
                  <RefundStateBadge state={request.state} />
                </Table.Td>
                <Table.Td ta="right">
                  <Money amount={-request.price} currency={request.currency} />
                </Table.Td>
                <Table.Td>
                  <RefundDecision request={request} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollSideways>
    </Stack>
  )
}

function PaymentRow({
  payment,
  onAction,
}: {
  payment: RowOf<'listPayments'>
  onAction: OrderPaymentsProps['onAction']
}) {
  const { t } = useTranslation()
  const methodName = useMethodName()
  const { payment_id, state } = payment
  return (
    <Table.Tr>
      <Table.Td>
        <Instant at={payment.completed_time} />
      </Table.Td>
      <Table.Td>{methodName(payment.method) || t(`paymentSources.${payment.source}`)}</Table.Td>
      <Table.Td>
        <PaymentStateBadge state={state} />
      </Table.Td>
      <Table.Td ta="right">
        <Money amount={payment.price} currency={payment.currency} />
      </Table.Td>
      <Table.Td>
        {onAction && state !== 'void' && (
          <Group gap={4} wrap="nowrap" justify="flex-end">
            {state === 'applied' && (
              <Button
                size="compact-xs"
                variant="subtle"
                onClick={() => onAction({ kind: 'unapply', payment_id })}
              >
                {t('orders.unapply')}
              </Button>
            )}
            <Button
              size="compact-xs"
              variant="subtle"
              color="red"
              onClick={() => onAction({ kind: 'void', payment_id })}
            >
              {t('orders.void')}
            </Button>
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

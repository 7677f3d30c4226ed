import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { DataOf } from '../../calls/call.ts'
import { Day } from '../../parts/instant.tsx'
import { PaidBar, RecordBlock } from '../../parts/record-page.tsx'
import { useAmountText } from '../../parts/use-amount-text.ts'
import classes from './order-instalments.module.css'
import { OrderStatusBadge } from './order-status.tsx'

/** The instalments of an order, each with what is paid of it. */
export function OrderInstalments({ order }: { order: DataOf<'fetchOrder'> }) {
  const { t } = useTranslation()
  const amountText = useAmountText(order.currency)
  return (
    <RecordBlock title={t('orders.instalments')} id="instalments">
      <ol className={classes.list}>
        {order.sub_orders.map(({ entity_id, seq, payment_deadline, status, paid_price, total_price }) => {
          const text = t('record.paidOf', { paid: amountText(paid_price), total: amountText(total_price) })
          return (
            <li key={entity_id}>
              <Group justify="space-between" wrap="nowrap" mb={2}>
                <Text size="sm" fw={500}>
                  {seq}
                  {payment_deadline && (
                    <>
                      {' · '}
                      <Day at={payment_deadline} />
                    </>
                  )}
                </Text>
                <OrderStatusBadge status={status} />
              </Group>
              <PaidBar paid={paid_price} total={total_price} label={text} />
              <Text size="xs" c="dimmed">
                {text}
              </Text>
            </li>
          )
        })}
      </ol>
    </RecordBlock>
  )
}

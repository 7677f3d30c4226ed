import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { Money } from '../../parts/instant.tsx'
import { useAmountText } from '../../parts/use-amount-text.ts'
import { useServiceText } from '../../parts/use-service-text.ts'
import { DryRunDialog } from '../orders/dry-run-dialog.tsx'
import { OrderPicker } from '../orders/order-picker.tsx'

interface AllocateDialogProps {
  payment: Pick<RowOf<'listPayments'>, AllocatedMember>
  onClose(): void
  onAllocated?(): void
}
type AllocatedMember =
  | 'payment_id'
  | 'order_id'
  | 'user_id'
  | 'order_currency'
  | 'unapplied_price'
  | 'unapplied_reason'

/** Allocates an unallocated payment to an order. */
export function AllocateDialog({ payment, onClose, onAllocated }: AllocateDialogProps) {
  const { t } = useTranslation()
  const amountText = useAmountText(payment.order_currency)
  const serviceText = useServiceText()
  const [order, setOrder] = useState(payment.user_id ? payment.order_id : '')
  return (
    <DryRunDialog
      operation="applyPayment"
      title={t('orders.apply')}
      input={order ? { payment_id: payment.payment_id, order_id: order } : undefined}
      said={({ price }) => t('orders.applyDone', { amount: amountText(price) })}
      onClose={onClose}
      onDone={onAllocated}
    >
      <Text size="sm">
        <Money amount={payment.unapplied_price} currency={payment.order_currency} />{' '}
        {serviceText(payment.unapplied_reason)}
      </Text>
      <OrderPicker label={t('fields.order')} value={order} onChange={setOrder} />
    </DryRunDialog>
  )
}

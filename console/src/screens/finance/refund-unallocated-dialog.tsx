import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { MoneyInput } from '../../parts/money-input.tsx'
import { useAmountText } from '../../parts/use-amount-text.ts'
import { DryRunDialog } from '../orders/dry-run-dialog.tsx'
import { ReasonField } from '../orders/reason-field.tsx'

interface RefundUnallocatedDialogProps {
  payment: Pick<RowOf<'listUnallocated'>, 'payment_id' | 'order_id' | 'unallocated_price' | 'order_currency'>
  onClose(): void
}

/** Refunds unallocated money. */
export function RefundUnallocatedDialog({ payment, onClose }: RefundUnallocatedDialogProps) {
  const { t } = useTranslation()
  const { payment_id, order_id, unallocated_price, order_currency } = payment
  const amountText = useAmountText(order_currency)
  const { values, getInputProps } = useForm({
    initialValues: { price: unallocated_price as number | undefined, reason: '' },
  })
  const { price = 0, reason } = values
  const isComplete = price > 0 && price <= unallocated_price && reason.trim() !== ''
  return (
    <DryRunDialog
      operation="createRefund"
      title={t('orders.refund')}
      isDestructive
      input={
        isComplete ? { order_id, payment_id, price, reason: reason.trim(), method: 'transfer' } : undefined
      }
      said={() => t('orders.refundDone', { amount: amountText(price) })}
      onClose={onClose}
    >
      <MoneyInput
        label={t('fields.amount')}
        description={t('orders.atMost', { amount: amountText(unallocated_price) })}
        currency={order_currency}
        {...getInputProps('price')}
        required
        data-autofocus
      />
      <ReasonField {...getInputProps('reason')} />
    </DryRunDialog>
  )
}

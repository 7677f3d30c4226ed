import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataOf } from '../../calls/call.ts'
import { MoneyInput } from '../../parts/money-input.tsx'
import { OrderPicker } from './order-picker.tsx'
import { ReasonField } from './reason-field.tsx'
import { RehearsedDialog } from './rehearsed-dialog.tsx'
import { useAmountText } from './use-amount-text.ts'

interface TransferDialogProps {
  order: DataOf<'fetchOrder'>
  explanation: DataOf<'explainOrder'>
  onClose(): void
}

/** Moves money to another order, which is found by whatever is known of it. */
export function TransferDialog({ order, explanation, onClose }: TransferDialogProps) {
  const { t } = useTranslation()
  const amountText = useAmountText(order.currency)
  const [price, setPrice] = useState<number | undefined>(explanation.transfer.at_most)
  const [to, setTo] = useState<string>()
  const [reason, setReason] = useState('')
  const isWhole = price !== undefined && price > 0 && to !== undefined && reason.trim() !== ''
  const input = isWhole
    ? { from_order_id: order.entity_id, to_order_id: to, price, reason: reason.trim() }
    : undefined
  return (
    <RehearsedDialog
      operation="transferMoney"
      title={t('orders.transfer')}
      confirmLabel={t('orders.transfer')}
      input={input}
      said={() => t('orders.transferDone', { amount: amountText(price!) })}
      onClose={onClose}
    >
      <OrderPicker label={t('orders.targetOrder')} value={to} onChange={setTo} without={order.entity_id} />
      <MoneyInput
        label={t('fields.amount')}
        currency={order.currency}
        value={price}
        onChange={setPrice}
        required
      />
      <ReasonField value={reason} onChange={setReason} isRequired />
    </RehearsedDialog>
  )
}

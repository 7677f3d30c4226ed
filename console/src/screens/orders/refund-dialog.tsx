import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataOf } from '../../calls/call.ts'
import { MoneyInput } from '../../parts/money-input.tsx'
import { ReasonField, textOr } from './reason-field.tsx'
import { RehearsedDialog } from './rehearsed-dialog.tsx'
import { useAmountText } from './use-amount-text.ts'

interface RefundDialogProps {
  order: DataOf<'fetchOrder'>
  explanation: DataOf<'explainOrder'>
  onClose(): void
}

/** Gives money back; beyond the limit of the school it asks a second person, and says so before and after. */
export function RefundDialog({ order, explanation, onClose }: RefundDialogProps) {
  const { t } = useTranslation()
  const amountText = useAmountText(order.currency)
  const [price, setPrice] = useState<number | undefined>(explanation.refund.at_most)
  const [reason, setReason] = useState('')
  const input =
    price !== undefined && price > 0
      ? { order_id: order.entity_id, price, reason: textOr(reason), method: 'transfer' }
      : undefined
  return (
    <RehearsedDialog
      operation="createRefund"
      title={t('orders.refund')}
      confirmLabel={(preview) =>
        t(preview?.state === 'waiting' ? 'refunds.requestApproval' : 'orders.refund')
      }
      isGrave
      input={input}
      said={({ state }) =>
        t(state === 'waiting' ? 'refunds.approvalRequested' : 'orders.refundDone', {
          amount: amountText(price!),
        })
      }
      note={({ state }) => state === 'waiting' && <Text size="sm">{t('refunds.needsApproval')}</Text>}
      onClose={onClose}
    >
      <MoneyInput
        label={t('fields.amount')}
        currency={order.currency}
        value={price}
        onChange={setPrice}
        required
        data-autofocus
      />
      <ReasonField value={reason} onChange={setReason} />
    </RehearsedDialog>
  )
}

import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type RowOf, useAction } from '../../calls/call.ts'
import { Money } from '../../parts/instant.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'
import { useAmountText } from '../../parts/use-amount-text.ts'
import { ReasonField, trimmed } from '../orders/reason-field.tsx'

interface DecideRefundDialogProps {
  request: RowOf<'listRefundRequests'>
  decision: 'approve' | 'decline'
  onClose(): void
}

/** Approves or declines a refund that another person requested. */
export function DecideRefundDialog({ request, decision, onClose }: DecideRefundDialogProps) {
  const { t } = useTranslation()
  const { nameOf } = useAdvisers()
  const amount = useAmountText(request.currency)(request.price)
  const approve = useAction('approveRefund')
  const decline = useAction('declineRefund')
  const [reason, setReason] = useState('')
  const { request_id } = request
  const isApproval = decision === 'approve'
  const act = async () => {
    if (isApproval) await approve.run({ request_id })
    else await decline.run({ request_id, reason: trimmed(reason) })
    return { said: t(isApproval ? 'orders.refundDone' : 'refunds.declined', { amount }) }
  }
  return (
    <PreviewDialog
      title={t(isApproval ? 'refunds.approveTitle' : 'refunds.declineTitle')}
      confirmLabel={t(isApproval ? 'refunds.approveAmount' : 'refunds.decline', { amount })}
      isDestructive={isApproval}
      isIncomplete={!isApproval && reason.trim() === ''}
      onClose={onClose}
      act={act}
    >
      <Text size="sm">
        <Link to="/orders/$id" params={{ id: request.order_id }}>
          {request.user_name || t('orders.orderNumber', { id: request.order_id.slice(-8) })}
        </Link>
        {' · '}
        <Money amount={request.price} currency={request.currency} isBold />
      </Text>
      <Text size="sm">
        {t('refunds.requestedByName', { name: nameOf(request.requested_by) })}
        {request.reason && `: ${request.reason}`}
      </Text>
      <Text size="sm">{t(isApproval ? 'refunds.approveWill' : 'refunds.declineWill')}</Text>
      {!isApproval && (
        <ReasonField value={reason} onChange={(event) => setReason(event.currentTarget.value)} required />
      )}
    </PreviewDialog>
  )
}

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

/** Approves or declines what another person requested: a refund, void, write-off, retained deposit or discount. */
export function DecideRefundDialog({ request, decision, onClose }: DecideRefundDialogProps) {
  const { t } = useTranslation()
  const { nameOf } = useAdvisers()
  const amount = useAmountText(request.currency)(request.price)
  const approve = useAction('approveRefund')
  const decline = useAction('declineRefund')
  const [reason, setReason] = useState('')
  const { request_id, kind } = request
  const named = { kind: t(`refunds.kinds.${kind}`), amount }
  const isApproval = decision === 'approve'
  const act = async () => {
    if (isApproval) await approve.run({ request_id })
    else await decline.run({ request_id, reason: trimmed(reason) })
    const done = kind === 'refund' ? 'orders.refundDone' : 'refunds.approved'
    return { said: t(isApproval ? done : 'refunds.declined', named) }
  }
  return (
    <PreviewDialog
      title={t(isApproval ? 'refunds.approveTitle' : 'refunds.declineTitle', named)}
      confirmLabel={t(isApproval ? 'refunds.approveAmount' : 'refunds.decline', named)}
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
      <Text size="sm">{t(isApproval ? willOf(kind) : 'refunds.declineWill')}</Text>
      {!isApproval && (
        <ReasonField value={reason} onChange={(event) => setReason(event.currentTarget.value)} required />
      )}
    </PreviewDialog>
  )
}

function willOf(kind: DecideRefundDialogProps['request']['kind']) {
  return kind === 'refund' ? 'refunds.approveWill' : 'refunds.approveOtherWill'
}

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

interface DecideRequestDialogProps {
  request: RowOf<'listApprovals'>
  decision: 'approve' | 'decline'
  onClose(): void
  onDecided?(): void
}

/** Approves or declines a request of another person: a change of an order, or the reversal of a closing. */
export function DecideRequestDialog({ request, decision, onClose, onDecided }: DecideRequestDialogProps) {
  const { t } = useTranslation()
  const { nameOf } = useAdvisers()
  const amountText = useAmountText(request.currency)
  const { until } = request
  const amount = until ? t('approvals.closing', { day: until }) : amountText(request.price)
  const approve = useAction('approveRequest')
  const decline = useAction('declineRequest')
  const [reason, setReason] = useState('')
  const { request_id, kind } = request
  const named = { kind: t(`approvals.kinds.${kind}`), amount }
  const isApproval = decision === 'approve'
  const act = async () => {
    if (isApproval) await approve.run({ request_id })
    else await decline.run({ request_id, reason: trimmed(reason) })
    onDecided?.()
    const done = kind === 'refund' ? 'orders.refundDone' : 'approvals.approved'
    return { said: t(isApproval ? done : 'approvals.declined', named) }
  }
  return (
    <PreviewDialog
      title={t(isApproval ? 'approvals.approveTitle' : 'approvals.declineTitle', named)}
      confirmLabel={t(isApproval ? 'approvals.approveAmount' : 'approvals.decline', named)}
      isDestructive={isApproval}
      isIncomplete={!isApproval && reason.trim() === ''}
      onClose={onClose}
      act={act}
    >
      <Text size="sm">{until ? amount : <OrderOf request={request} />}</Text>
      <Text size="sm">
        {t('approvals.requestedByName', { name: nameOf(request.requested_by) })}
        {request.reason && `: ${request.reason}`}
      </Text>
      <Text size="sm">{t(isApproval ? willOf(kind) : 'approvals.declineWill')}</Text>
      {!isApproval && (
        <ReasonField value={reason} onChange={(event) => setReason(event.currentTarget.value)} required />
      )}
    </PreviewDialog>
  )
}

function OrderOf({ request }: Pick<DecideRequestDialogProps, 'request'>) {
  const { t } = useTranslation()
  return (
    <>
      <Link to="/orders/$id" params={{ id: request.order_id }}>
        {request.user_name || t('orders.orderNumber', { id: request.order_id.slice(-8) })}
      </Link>
      {' · '}
      <Money amount={request.price} currency={request.currency} isBold />
    </>
  )
}

function willOf(kind: DecideRequestDialogProps['request']['kind']) {
  if (kind === 'closing_reversal') return 'approvals.reverseWill'
  return kind === 'refund' ? 'approvals.approveWill' : 'approvals.approveOtherWill'
}

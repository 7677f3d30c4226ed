import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import type { RowOf } from '../../calls/call.ts'
import { Hint } from '../../parts/error-notice.tsx'
import { DecideRefundDialog } from './decide-refund-dialog.tsx'

/** Buttons that approve or decline a refund. The requester cannot decide. */
export function RefundDecision({ request }: { request: RowOf<'listRefundRequests'> }) {
  const { t } = useTranslation()
  const { staff } = useSession()
  const [decision, setDecision] = useState<'approve' | 'decline'>()
  if (request.state !== 'waiting') return null
  if (request.requested_by === staff.staff_id) return <Hint>{t('refunds.ownRequest')}</Hint>
  return (
    <>
      <Group gap={4} wrap="nowrap">
        <Button size="compact-xs" variant="light" onClick={() => setDecision('approve')}>
          {t('refunds.approve')}
        </Button>
        <Button size="compact-xs" variant="subtle" color="red" onClick={() => setDecision('decline')}>
          {t('refunds.decline')}
        </Button>
      </Group>
      {decision && (
        <DecideRefundDialog request={request} decision={decision} onClose={() => setDecision(undefined)} />
      )}
    </>
  )
}

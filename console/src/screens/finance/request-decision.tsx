import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import type { RowOf } from '../../calls/call.ts'
import { Hint } from '../../parts/error-notice.tsx'
import { DecideRequestDialog } from './decide-request-dialog.tsx'

/** Buttons that approve or decline a request. The requester cannot decide. */
export function RequestDecision({ request }: { request: RowOf<'listApprovals'> }) {
  const { t } = useTranslation()
  const { staff } = useSession()
  const [decision, setDecision] = useState<'approve' | 'decline'>()
  if (request.state !== 'waiting') return null
  if (request.requested_by === staff.staff_id) return <Hint>{t('approvals.ownRequest')}</Hint>
  return (
    <>
      <Group gap={4} wrap="nowrap">
        <Button size="compact-xs" variant="light" onClick={() => setDecision('approve')}>
          {t('approvals.approve')}
        </Button>
        <Button size="compact-xs" variant="subtle" color="red" onClick={() => setDecision('decline')}>
          {t('approvals.decline')}
        </Button>
      </Group>
      {decision && (
        <DecideRequestDialog request={request} decision={decision} onClose={() => setDecision(undefined)} />
      )}
    </>
  )
}

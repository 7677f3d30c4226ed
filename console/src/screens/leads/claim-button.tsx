import { Button, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { useAction } from '../../calls/call.ts'
import { useErrorText } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { perform } from '../../parts/preview-dialog.tsx'
import { usePublicPool } from '../../parts/use-advisers.ts'

interface ClaimButtonProps {
  userId: string
  /** Name for the report. */
  name: string
  pool: string
  holderId: string | null
  /** Emphasised as the next step, instead of one of many in a list. */
  isNext?: boolean
  onClaimed?(): void
}

/** Claims a person. If several try at once, one succeeds and the others see a notice. */
export function ClaimButton({ userId, name, pool, holderId, isNext = false, onClaimed }: ClaimButtonProps) {
  const { t } = useTranslation()
  const { staff, can } = useSession()
  const publicPool = usePublicPool()
  const claim = useAction('claimUser')
  const release = useAction('releaseUser')
  const errorText = useErrorText()
  if (!can('write') || holderId !== null || pool !== publicPool) return null
  const input = { user_id: userId, owner_id: staff.staff_id }
  const run = () =>
    perform(claim.run(input), () => {
      onClaimed?.()
      return { said: t('people.claimed', { name }), undo: () => release.run(input) }
    })
  if (claim.error)
    return (
      <Text size="xs" c="dimmed" title={errorText(claim.error)} role="alert">
        <Icon name="info" size={12} /> {t(claim.error.code === 40901 ? 'leads.taken' : 'leads.notClaimable')}
      </Text>
    )
  return (
    <Button
      size={isNext ? 'compact-sm' : 'compact-xs'}
      variant={isNext ? 'filled' : 'light'}
      loading={claim.isRunning}
      onClick={() => void run()}
    >
      {t('people.claim')}
    </Button>
  )
}

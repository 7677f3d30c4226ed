import { Button, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { useAction } from '../../calls/use-action.ts'
import { Icon } from '../../parts/icon.tsx'
import { perform } from '../../parts/say-done.tsx'
import { usePublicPool } from '../../parts/use-reach.ts'

interface ClaimButtonProps {
  userId: string
  /** Name for the report. */
  name: string
  pool: string
  holderId: string | null
  /** Emphasised as the next step, instead of one of many in a list. */
  isNext?: boolean
}

/** Claims a person. If several try at once, one succeeds and the others see a notice. */
export function ClaimButton({ userId, name, pool, holderId, isNext = false }: ClaimButtonProps) {
  const { t } = useTranslation()
  const { staff, can } = useSession()
  const publicPool = usePublicPool()
  const claim = useAction('claimUser')
  const release = useAction('releaseUser')
  if (!can('write') || holderId !== null || pool !== publicPool) return null
  const input = { user_id: userId, owner_id: staff.staff_id }
  const run = () =>
    perform(claim.run(input), () => ({
      said: t('people.claimed', { name }),
      undo: () => release.run(input),
    }))
  if (claim.error)
    return (
      <Text size="xs" c="dimmed" title={claim.error.message} role="alert">
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

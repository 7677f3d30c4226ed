import { Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import type { DataOf } from '../../calls/call.ts'
import { useAction } from '../../calls/use-action.ts'
import { useCall } from '../../calls/use-call.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Hint } from '../../parts/hint.tsx'
import { perform } from '../../parts/say-done.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'
import { useLimitsText } from './use-limits-text.ts'

type Request = DataOf<'fetchRefundLimits'>['waiting'][number]

/** Requests to raise limits, which another administrator approves or declines. */
export function LimitRequests() {
  const { t } = useTranslation()
  const { data } = useCall('fetchRefundLimits', {})
  if (!data || data.waiting.length === 0) return null
  return (
    <Stack component="section" gap="xs" maw="40rem" aria-label={t('settings.limitsToApprove')}>
      <Text fw={600}>{t('settings.limitsToApprove')}</Text>
      {data.waiting.map((request) => (
        <LimitRequest key={request.request_id} request={request} />
      ))}
    </Stack>
  )
}

function LimitRequest({ request }: { request: Request }) {
  const { t } = useTranslation()
  const { staff } = useSession()
  const { nameOf } = useAdvisers()
  const textOf = useLimitsText()
  const approve = useAction('approveRefundLimits')
  const decline = useAction('declineRefundLimits')
  const { request_id, requested_by, before, wanted } = request
  const isOwn = requested_by === staff.staff_id
  const decide = ({ run }: typeof approve | typeof decline, said: string) =>
    perform<unknown>(run({ request_id }), () => ({ said }))
  const error = approve.error ?? decline.error
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="sm">
          {t('settings.limitsRequested', {
            ...{ name: nameOf(requested_by), before: textOf(before), wanted: textOf(wanted) },
          })}
        </Text>
        {!isOwn && (
          <Group gap={4} wrap="nowrap">
            <Button
              size="compact-xs"
              variant="light"
              loading={approve.isRunning}
              onClick={() => void decide(approve, t('settings.limitsApproved'))}
            >
              {t('refunds.approve')}
            </Button>
            <Button
              size="compact-xs"
              variant="subtle"
              color="red"
              loading={decline.isRunning}
              onClick={() => void decide(decline, t('settings.limitsDeclined'))}
            >
              {t('refunds.decline')}
            </Button>
          </Group>
        )}
      </Group>
      {isOwn && <Hint>{t('refunds.ownRequest')}</Hint>}
      {error && <ErrorNotice error={error} />}
    </Stack>
  )
}

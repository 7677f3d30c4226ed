import { Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { useAction } from '../../calls/call.ts'
import { ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { perform } from '../../parts/preview-dialog.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'
import type { Colleague } from './staff-tab.tsx'

/** Until another administrator confirms a person, they count as the one who gave them access. */
export function ColleagueConfirmation({ colleague, onClose }: { colleague: Colleague; onClose(): void }) {
  const { t } = useTranslation()
  const { staff } = useSession()
  const grantors = useGrantors(colleague)
  const { run, isRunning, error } = useAction('confirmColleague')
  const { staff_id, name, unconfirmed_by } = colleague
  if (unconfirmed_by.length === 0) return null
  const isOwn = staff_id === staff.staff_id || unconfirmed_by.includes(staff.staff_id)
  const confirm = async () => {
    if (await perform(run({ staff_id }), () => ({ said: t('settings.isConfirmed', { name }) }))) onClose()
  }
  return (
    <Stack gap="xs">
      <Text size="sm">{t('settings.unconfirmedHint', { name, grantors })}</Text>
      {isOwn ? (
        <Hint>{t('settings.othersConfirm')}</Hint>
      ) : (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm">{t('settings.confirmHint', { name })}</Text>
          <Button
            size="xs"
            variant="default"
            loading={isRunning}
            onClick={() => void confirm()}
            miw="max-content"
          >
            {t('settings.confirmColleague')}
          </Button>
        </Group>
      )}
      {error && <ErrorNotice error={error} />}
    </Stack>
  )
}

/** The names of those who gave a person access. */
export function useGrantors({ unconfirmed_by }: Colleague): string {
  const { nameOf } = useAdvisers()
  const { i18n } = useTranslation()
  return new Intl.ListFormat(i18n.language).format(unconfirmed_by.map(nameOf))
}

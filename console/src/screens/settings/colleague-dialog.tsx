import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { useAction } from '../../calls/use-action.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { ColleagueConfirmation } from './colleague-confirmation.tsx'
import { RoleSelect } from './role-select.tsx'
import type { Colleague, GivenLink } from './staff-tab.tsx'

interface ColleagueDialogProps {
  colleague: Colleague
  onClose(): void
  onLink(given: GivenLink): void
}

/** Changes a role, removes a person or creates a reset link. Changes take effect immediately. */
export function ColleagueDialog({ colleague, onClose, onLink }: ColleagueDialogProps) {
  const { t } = useTranslation()
  const { organization } = useSession()
  const change = useAction('updateRole')
  const reset = useAction('resetColleague')
  const { staff_id, name } = colleague
  const [role, setRole] = useState<Colleague['role'] | 'none'>(colleague.role)

  const act = async () => {
    await change.run({ staff_id, role })
    if (role === 'none') return { said: t('settings.isRemoved', { name }) }
    return {
      said: t('settings.roleChanged', { name, role: t(`roles.${role}`) }),
      undo: () => change.run({ staff_id, role: colleague.role }),
    }
  }
  const makeLink = async () => {
    const made = await reset.run({ staff_id }).catch(() => undefined)
    if (!made) return
    onClose()
    onLink({ name, link: made.link })
  }
  return (
    <PreviewDialog
      title={name}
      confirmLabel={t(role === 'none' ? 'settings.remove' : 'settings.changeRole')}
      isDestructive={role === 'none'}
      isIncomplete={role === colleague.role}
      onClose={onClose}
      act={act}
    >
      <RoleSelect value={role} onChange={setRole} none={t('settings.noRole')} />
      {role === 'none' && (
        <Text size="sm">{t('settings.willBeRemoved', { name, school: organization.name })}</Text>
      )}
      <Group justify="space-between">
        <Text size="sm">{t('settings.forgottenPassword')}</Text>
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="link" size={14} />}
          loading={reset.isRunning}
          onClick={() => void makeLink()}
        >
          {t('settings.newLink')}
        </Button>
      </Group>
      {reset.error && <ErrorNotice error={reset.error} />}
      <ColleagueConfirmation colleague={colleague} onClose={onClose} />
    </PreviewDialog>
  )
}

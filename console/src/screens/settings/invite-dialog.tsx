import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../calls/use-action.ts'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { RoleSelect } from './role-select.tsx'
import type { Colleague, GivenLink } from './staff-tab.tsx'

export function InviteDialog({ onClose, onLink }: { onClose(): void; onLink(given: GivenLink): void }) {
  const { t } = useTranslation()
  const { run } = useAction('inviteColleague')
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Colleague['role']>('counsellor')
  const act = async () => {
    const invited = await run({ name, email, role })
    onLink({ name: invited.name, link: invited.link })
    return { said: t('settings.isInvited', { name: invited.name, role: t(`roles.${role}`) }) }
  }
  return (
    <PreviewDialog
      title={t('settings.invite')}
      isIncomplete={name.trim() === '' || !/^\S+@\S+$/.test(email.trim())}
      onClose={onClose}
      act={act}
    >
      <TextInput
        label={t('fields.name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        data-autofocus
      />
      <TextInput
        label={t('fields.email')}
        type="email"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value.trim())}
        required
      />
      <RoleSelect value={role} onChange={setRole} />
    </PreviewDialog>
  )
}

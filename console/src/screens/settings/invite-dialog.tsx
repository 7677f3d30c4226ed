import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../calls/use-action.ts'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { RoleSelect } from './role-select.tsx'
import type { Colleague, GivenLink } from './staff-tab.tsx'

export function InviteDialog({ onClose, onLink }: { onClose(): void; onLink(given: GivenLink): void }) {
  const { t } = useTranslation()
  const { run } = useAction('inviteColleague')
  const { values, getInputProps, setFieldValue } = useForm({
    initialValues: { name: '', email: '', role: 'counsellor' as Colleague['role'] },
  })
  const { name, role } = values
  const email = values.email.trim()
  return (
    <PreviewDialog
      title={t('settings.invite')}
      isIncomplete={name.trim() === '' || !/^\S+@\S+$/.test(email)}
      onClose={onClose}
      act={async () => {
        const invited = await run({ name, email, role })
        onLink({ name: invited.name, link: invited.link })
        return { said: t('settings.isInvited', { name: invited.name, role: t(`roles.${role}`) }) }
      }}
    >
      <TextInput label={t('fields.name')} {...getInputProps('name')} required data-autofocus />
      <TextInput label={t('fields.email')} type="email" {...getInputProps('email')} required />
      <RoleSelect value={role} onChange={(chosen) => setFieldValue('role', chosen)} />
    </PreviewDialog>
  )
}

import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../calls/use-action.ts'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { AccountSettings, changesOf, newAccount } from './account-settings.tsx'
import type { GivenSecret } from './accounts-tab.tsx'

export function NewAccountDialog({
  onClose,
  onSecret,
}: {
  onClose(): void
  onSecret(given: GivenSecret): void
}) {
  const { t } = useTranslation()
  const { run } = useAction('createApiAccount')
  const [name, setName] = useState('')
  const [wanted, setWanted] = useState(newAccount)
  const act = async () => {
    const made = await run({ name, ...changesOf(undefined, wanted) })
    onSecret(made)
    return { said: t('settings.accountCreated', { name: made.name }) }
  }
  return (
    <PreviewDialog
      title={t('settings.addAccount')}
      isIncomplete={name.trim() === '' || wanted.permissions.length === 0}
      onClose={onClose}
      act={act}
      size="lg"
    >
      <TextInput
        label={t('fields.name')}
        description={t('settings.accountNameHint')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        data-autofocus
      />
      <AccountSettings wanted={wanted} onChange={setWanted} />
    </PreviewDialog>
  )
}

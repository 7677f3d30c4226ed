import { Checkbox, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../calls/use-action.ts'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import type { GivenSecret } from './accounts-tab.tsx'

const permissions = ['read', 'write', 'finance'] as const

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
  const [chosen, setChosen] = useState<string[]>(['read', 'write'])
  const act = async () => {
    const made = await run({ name, permissions: permissions.filter((each) => chosen.includes(each)) })
    onSecret(made)
    return { said: t('settings.accountMade', { name: made.name }) }
  }
  return (
    <PreviewDialog
      title={t('settings.addAccount')}
      confirmLabel={t('settings.addAccount')}
      isIncomplete={name.trim() === '' || chosen.length === 0}
      onClose={onClose}
      act={act}
    >
      <TextInput
        label={t('settings.name')}
        description={t('settings.accountNameHint')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        data-autofocus
      />
      <Checkbox.Group label={t('settings.permissions')} value={chosen} onChange={setChosen}>
        <Stack gap="xs" mt="xs">
          {permissions.map((each) => (
            <Checkbox key={each} value={each} label={t(`settings.may.${each}`)} />
          ))}
        </Stack>
      </Checkbox.Group>
    </PreviewDialog>
  )
}

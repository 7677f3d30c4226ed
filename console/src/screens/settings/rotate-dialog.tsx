import { Group, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../calls/use-action.ts'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import type { ApiAccount, GivenSecret } from './accounts-tab.tsx'

interface RotateDialogProps {
  account: ApiAccount
  onClose(): void
  onSecret(given: GivenSecret): void
}

/** Creates a new secret. The old one can stay valid for some days, so that the program has no downtime. */
export function RotateDialog({ account: { app_id, name }, onClose, onSecret }: RotateDialogProps) {
  const { t } = useTranslation()
  const rotate = useAction('rotateApiAccount')
  const { values, getInputProps } = useForm({ initialValues: { keep_old_until: '', expires_on: '' } })
  const { keep_old_until: day, expires_on } = values
  return (
    <PreviewDialog
      title={t('settings.newSecret')}
      onClose={onClose}
      act={async () => {
        onSecret(
          await rotate.run({
            app_id,
            ...(day && { keep_old_until: day }),
            ...(expires_on && { expires_on }),
          }),
        )
        return { said: t('settings.secretCreated', { name }) }
      }}
    >
      <Text size="sm">
        {day ? t('settings.newSecretOverlap', { name, day }) : t('settings.newSecretWill', { name })}
      </Text>
      <Group grow align="flex-start">
        <TextInput label={t('settings.oldSecretUntil')} type="date" {...getInputProps('keep_old_until')} />
        <TextInput label={t('settings.newSecretUntil')} type="date" {...getInputProps('expires_on')} />
      </Group>
    </PreviewDialog>
  )
}

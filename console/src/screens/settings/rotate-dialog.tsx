import { Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
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
  const [keepUntil, setKeepUntil] = useState('')
  const [expires, setExpires] = useState('')
  const act = async () => {
    const input = {
      app_id,
      ...(keepUntil && { keep_old_until: keepUntil }),
      ...(expires && { expires_on: expires }),
    }
    onSecret(await rotate.run(input))
    return { said: t('settings.secretCreated', { name }) }
  }
  return (
    <PreviewDialog title={t('settings.newSecret')} onClose={onClose} act={act}>
      <Text size="sm">
        {keepUntil
          ? t('settings.newSecretOverlap', { name, day: keepUntil })
          : t('settings.newSecretWill', { name })}
      </Text>
      <Group grow align="flex-start">
        <TextInput
          label={t('settings.oldSecretUntil')}
          type="date"
          value={keepUntil}
          onChange={(event) => setKeepUntil(event.currentTarget.value)}
        />
        <TextInput
          label={t('settings.newSecretUntil')}
          type="date"
          value={expires}
          onChange={(event) => setExpires(event.currentTarget.value)}
        />
      </Group>
    </PreviewDialog>
  )
}

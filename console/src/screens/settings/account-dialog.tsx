import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../calls/use-action.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { sayDone } from '../../parts/say-done.tsx'
import type { ApiAccount, GivenSecret } from './accounts-tab.tsx'

interface AccountDialogProps {
  account: ApiAccount
  onClose(): void
  onSecret(given: GivenSecret): void
}

/** A new secret for a program, or its end. */
export function AccountDialog({ account, onClose, onSecret }: AccountDialogProps) {
  const { t } = useTranslation()
  const rotate = useAction('rotateApiAccount')
  const disable = useAction('disableApiAccount')
  const enable = useAction('enableApiAccount')
  const [revokes, setRevokes] = useState(false)
  const { app_id, name, is_disabled, is_shared } = account

  const act = async () => {
    onSecret(await rotate.run({ app_id, revoke_tokens: revokes }))
    return { said: t('settings.secretMade', { name }) }
  }
  const change = async () => {
    const [doIt, undo] = is_disabled ? [enable, disable] : [disable, enable]
    const isDone = await doIt.run({ app_id }).then(
      () => true,
      () => false,
    )
    if (!isDone) return
    onClose()
    sayDone({
      said: t(is_disabled ? 'settings.accountEnabled' : 'settings.accountDisabled', { name }),
      undo: () => undo.run({ app_id }),
    })
  }
  if (is_shared)
    return (
      <PreviewDialog
        title={name}
        confirmLabel={t('settings.newSecret')}
        isIncomplete
        onClose={onClose}
        act={act}
      >
        <Text size="sm">{t('settings.accountShared')}</Text>
      </PreviewDialog>
    )
  return (
    <PreviewDialog
      title={name}
      confirmLabel={t('settings.newSecret')}
      isIncomplete={is_disabled}
      onClose={onClose}
      act={act}
    >
      <Stack gap="xs">
        <Text size="sm">{t('settings.newSecretWill', { name })}</Text>
        <Checkbox
          label={t('settings.revokes')}
          checked={revokes}
          disabled={is_disabled}
          onChange={(event) => setRevokes(event.currentTarget.checked)}
        />
      </Stack>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{t(is_disabled ? 'settings.enableWill' : 'settings.disableWill')}</Text>
        <Button
          size="xs"
          variant="light"
          color={is_disabled ? 'blue' : 'red'}
          loading={disable.isRunning || enable.isRunning}
          onClick={() => void change()}
        >
          {t(is_disabled ? 'settings.enable' : 'settings.disable')}
        </Button>
      </Group>
      {(disable.error ?? enable.error) && <ErrorNotice error={disable.error ?? enable.error} />}
    </PreviewDialog>
  )
}

import { Button, Divider, Group, List, Modal, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../calls/call.ts'
import { DateField } from '../../parts/date-field.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Day } from '../../parts/instant.tsx'
import { PreviewDialog, perform } from '../../parts/preview-dialog.tsx'
import { AccountSettings, changesOf, lastDayOf, wantedOf } from './account-settings.tsx'
import type { ApiAccount, GivenSecret } from './accounts-tab.tsx'

interface AccountDialogProps {
  account: ApiAccount
  onClose(): void
  onSecret(given: GivenSecret): void
}

/** The permissions, secrets and state of an API account. */
export function AccountDialog({ account, onClose, onSecret }: AccountDialogProps) {
  const { t } = useTranslation()
  const update = useAction('updateApiAccount')
  const [wanted, setWanted] = useState(() => wantedOf(account))
  const [isRotating, setRotating] = useState(false)
  const { app_id, name, is_shared } = account
  const before = wantedOf(account)
  const changes = changesOf(before, wanted)

  const act = async () => {
    await update.run({ app_id, ...changes })
    return {
      said: t('common.saved', { name }),
      undo: () => update.run({ app_id, ...changesOf(wanted, before) }),
    }
  }
  if (is_shared)
    return (
      <Modal opened onClose={onClose} title={name} closeButtonProps={{ 'aria-label': t('common.close') }}>
        <Text size="sm">{t('settings.accountShared')}</Text>
      </Modal>
    )
  if (isRotating) return <RotateDialog account={account} onClose={onClose} onSecret={onSecret} />
  return (
    <PreviewDialog
      title={name}
      confirmLabel={t('common.save')}
      isIncomplete={Object.keys(changes).length === 0 || wanted.permissions.length === 0}
      onClose={onClose}
      act={act}
      size="lg"
    >
      <Secrets account={account} onClose={onClose} onRotate={() => setRotating(true)} />
      <Divider />
      <AccountSettings wanted={wanted} onChange={setWanted} />
      <Divider />
      <OnOrOff account={account} onClose={onClose} />
    </PreviewDialog>
  )
}

interface PartProps {
  account: ApiAccount
  onClose(): void
}

/** The valid secrets; there are two while one is being replaced. */
function Secrets({ account, onClose, onRotate }: PartProps & { onRotate(): void }) {
  const { t } = useTranslation()
  const endOld = useAction('endOldApiSecret')
  const { app_id, secrets, is_disabled } = account
  const end = async () => {
    if (await perform(endOld.run({ app_id }), () => ({ said: t('settings.oldRevoked') }))) onClose()
  }
  return (
    <section>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <List size="sm" listStyleType="none">
          {secrets.map(({ ctime, expires_at }, at) => (
            <List.Item key={ctime}>
              {t(at === 0 ? 'settings.secret' : 'settings.oldSecret')} · {t('settings.since')}{' '}
              <Day at={ctime} />
              {expires_at && (
                <>
                  {' · '}
                  {t('settings.until')} <Day at={lastDayOf(expires_at)} />
                </>
              )}
            </List.Item>
          ))}
          {secrets.length === 0 && <List.Item>{t('settings.noSecret')}</List.Item>}
        </List>
        <Group gap="xs" wrap="nowrap">
          {secrets.length > 1 && (
            <Button size="xs" variant="default" loading={endOld.isRunning} onClick={() => void end()}>
              {t('settings.revokeOld')}
            </Button>
          )}
          <Button size="xs" variant="default" disabled={is_disabled} onClick={onRotate}>
            {t('settings.newSecret')}
          </Button>
        </Group>
      </Group>
      {endOld.error && <ErrorNotice error={endOld.error} />}
    </section>
  )
}

function OnOrOff({ account: { app_id, name, is_disabled }, onClose }: PartProps) {
  const { t } = useTranslation()
  const disable = useAction('disableApiAccount')
  const enable = useAction('enableApiAccount')
  const [action, undo] = is_disabled ? [enable, disable] : [disable, enable]
  const said = t(is_disabled ? 'settings.accountEnabled' : 'settings.accountDisabled', { name })
  const change = async () => {
    if (await perform(action.run({ app_id }), () => ({ said, undo: () => undo.run({ app_id }) }))) onClose()
  }
  const error = disable.error ?? enable.error
  return (
    <>
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
      {error && <ErrorNotice error={error} />}
    </>
  )
}

interface RotateDialogProps {
  account: ApiAccount
  onClose(): void
  onSecret(given: GivenSecret): void
}

/** Creates a new secret. The old one can stay valid for some days, so that the program has no downtime. */
function RotateDialog({ account: { app_id, name }, onClose, onSecret }: RotateDialogProps) {
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
        <DateField label={t('settings.oldSecretUntil')} {...getInputProps('keep_old_until')} />
        <DateField label={t('settings.newSecretUntil')} {...getInputProps('expires_on')} />
      </Group>
    </PreviewDialog>
  )
}

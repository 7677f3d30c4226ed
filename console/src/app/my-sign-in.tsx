import { ActionIcon, Button, Group, Modal, Stack, Table, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction, useCall } from '../calls/call.ts'
import { hasPasskeys, makePasskey } from '../calls/passkey.ts'
import { ErrorNotice, Hint } from '../parts/error-notice.tsx'
import { Icon } from '../parts/icon.tsx'
import { Instant } from '../parts/instant.tsx'
import { PasswordField } from '../parts/password-field.tsx'
import { sayDone } from '../parts/preview-dialog.tsx'
import { useAttempt } from './session.tsx'

/** The person's passkeys and password. */
export function MySignIn({ isOpen, close }: { isOpen: boolean; close(): void }) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={t('mySignIn.title')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {isOpen && (
        <Stack gap="xl">
          <Passkeys />
          <NewPassword />
        </Stack>
      )}
    </Modal>
  )
}

function Passkeys() {
  const { t } = useTranslation()
  const { data, refetch } = useCall('listPasskeys', {})
  const { attempt, isRunning, error } = useAttempt()
  const remove = useAction('removePasskey')
  const [name, setName] = useState('')
  const add = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await attempt(() => makePasskey(name)))) return
    setName('')
    void refetch()
    sayDone({ said: t('mySignIn.added') })
  }
  const failure = error ?? remove.error
  return (
    <section>
      <Title order={2} size="h4">
        {t('mySignIn.passkeys')}
      </Title>
      <Hint mb="xs">{t('mySignIn.passkeysWhy')}</Hint>
      {data && data.list.length > 0 && (
        <Table>
          <Table.Tbody>
            {data.list.map((passkey) => (
              <Table.Tr key={passkey.credential_id}>
                <Table.Td>{passkey.name}</Table.Td>
                <Table.Td>
                  {passkey.used_at ? <Instant at={passkey.used_at} /> : t('mySignIn.neverUsed')}
                </Table.Td>
                <Table.Td w={40}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t('mySignIn.remove', { name: passkey.name })}
                    onClick={() =>
                      remove.run({ credential_id: passkey.credential_id }).catch(() => undefined)
                    }
                  >
                    <Icon name="trash" />
                  </ActionIcon>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {failure !== undefined && <ErrorNotice error={failure} />}
      {hasPasskeys ? (
        <form onSubmit={add}>
          <Group align="end" mt="xs">
            <TextInput
              label={t('mySignIn.device')}
              placeholder={t('mySignIn.deviceExample')}
              value={name}
              maxLength={100}
              onChange={(event) => setName(event.currentTarget.value)}
              required
              withAsterisk={false}
            />
            <Button type="submit" loading={isRunning} variant="default">
              {t('mySignIn.add')}
            </Button>
          </Group>
        </form>
      ) : (
        <Text size="sm">{t('mySignIn.noPasskeys')}</Text>
      )}
    </section>
  )
}

function NewPassword() {
  const { t } = useTranslation()
  const { run, isRunning, error } = useAction('changePassword')
  const [password, setPassword] = useState('')
  const [newPassword, setNewPassword] = useState('')
  const change = async (event: FormEvent) => {
    event.preventDefault()
    const changed = await run({ password, new_password: newPassword }).catch(() => undefined)
    if (!changed) return
    setPassword('')
    setNewPassword('')
    sayDone({ said: t('mySignIn.passwordChanged') })
  }
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {t('signIn.password')}
      </Title>
      <form onSubmit={change}>
        <Stack gap="xs">
          <PasswordField label={t('mySignIn.currentPassword')} value={password} onChange={setPassword} />
          <PasswordField isNew value={newPassword} onChange={setNewPassword} />
          {error && <ErrorNotice error={error} />}
          <Group justify="flex-end">
            <Button type="submit" variant="default" loading={isRunning}>
              {t('mySignIn.changePassword')}
            </Button>
          </Group>
        </Stack>
      </form>
    </section>
  )
}

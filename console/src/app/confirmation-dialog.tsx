import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { setConfirmation } from '../calls/confirmation.ts'
import { useAction } from '../calls/use-action.ts'
import { ErrorNotice } from '../parts/error-notice.tsx'

/** Asks for the password again where an operation wants to be sure who is there; the call that asked goes on by itself. */
export function ConfirmationDialog() {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [password, setPassword] = useState('')
  const waiting = useRef<((isConfirmed: boolean) => void)[]>([])
  const { run, isRunning, error, forgetError } = useAction('confirmSession')

  useEffect(() => {
    setConfirmation(() => {
      setOpen(true)
      return new Promise((resolve) => waiting.current.push(resolve))
    })
  }, [])

  const finish = (isConfirmed: boolean) => {
    setOpen(false)
    setPassword('')
    forgetError()
    for (const resolve of waiting.current.splice(0)) resolve(isConfirmed)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    await run({ password }).then(
      () => finish(true),
      () => undefined,
    )
  }
  return (
    <Modal
      opened={isOpen}
      onClose={() => finish(false)}
      title={t('confirmation.title')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      zIndex={400}
    >
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{t('confirmation.why')}</Text>
          <PasswordInput
            label={t('signIn.password')}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            autoComplete="current-password"
            data-autofocus
            required
          />
          {error && <ErrorNotice error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => finish(false)}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={isRunning}>
              {t('confirmation.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

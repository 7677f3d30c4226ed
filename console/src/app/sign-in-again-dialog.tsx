import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, useAction } from '../calls/call.ts'
import { confirmByPasskey, hasPasskeys } from '../calls/passkey.ts'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { CurrentPassword } from './current-password.tsx'
import { type SignedIn, sessionQuery, useAttempt } from './session.tsx'

interface SignInAgainProps {
  /** The person whose session has expired. */
  known: SignedIn
  finish(isSignedIn: boolean): void
}

/** Asks the person to sign in when the session expires. The calls that failed then continue. */
export function SignInAgainDialog({ known, finish }: SignInAgainProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [password, setPassword] = useState('')
  const { run, isRunning, error } = useAction('createSession')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const { email, organization } = known
    const answer = await run({ email, password, corp_id: organization.corp_id }).catch(() => undefined)
    if (!answer?.session) return
    queries.setQueryData(sessionQuery.queryKey, answer.session)
    finish(true)
  }
  return (
    <Modal
      opened
      onClose={() => finish(false)}
      title={t('signInAgain.title')}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      zIndex={400}
    >
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{t('signInAgain.why')}</Text>
          <TextInput
            label={t('fields.email')}
            value={known.email}
            autoComplete="username"
            readOnly
            variant="filled"
          />
          <CurrentPassword value={password} onChange={setPassword} />
          {error && <ErrorNotice error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => finish(false)}>
              {t('signInAgain.otherWay')}
            </Button>
            <Button type="submit" loading={isRunning}>
              {t('signIn.title')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** Asks for the password or a passkey when an operation needs a recent confirmation. The call then continues. */
export function ConfirmationDialog({ finish }: { finish(isConfirmed: boolean): void }) {
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  const { run, isRunning, error } = useAction('confirmSession')
  const passkey = useAttempt()
  const queries = useQueryClient()
  const ways = queries.getQueryData<SignedIn>(sessionQuery.queryKey)?.ways_to_confirm ?? ['password']
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    await run({ password }).then(
      () => finish(true),
      () => undefined,
    )
  }
  const byPasskey = async () => {
    if (await passkey.attempt(confirmByPasskey)) finish(true)
  }
  /** Leaves the page, so the call is lost; the person repeats the action after they return. */
  const byProvider = () =>
    passkey.attempt(async () => {
      const { organization } = queries.getQueryData<SignedIn>(sessionQuery.queryKey)!
      const { url } = await call('beginProviderSignIn', { corp_id: organization.corp_id, again: true })
      if (url) window.location.assign(url)
    })
  return (
    <Modal
      opened
      onClose={() => finish(false)}
      title={t('confirmation.title')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      zIndex={400}
    >
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{t('confirmation.why')}</Text>
          {ways.includes('passkey') && hasPasskeys && (
            <Button variant="default" onClick={() => void byPasskey()} loading={passkey.isRunning}>
              {t('signIn.usePasskey')}
            </Button>
          )}
          {ways.includes('provider') && (
            <Button variant="default" onClick={() => void byProvider()}>
              {t('signIn.useSchool')}
            </Button>
          )}
          {passkey.error !== undefined && <ErrorNotice error={passkey.error} />}
          <CurrentPassword value={password} onChange={setPassword} />
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

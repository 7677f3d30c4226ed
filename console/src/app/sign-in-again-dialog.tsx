import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { setSignInAgain } from '../calls/signed-out.ts'
import { useAction } from '../calls/use-action.ts'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { CurrentPassword } from './current-password.tsx'
import { type SignedIn, sessionQuery } from './session.tsx'

/** Asks the person to sign in when the session expires. The calls that failed then continue. */
export function SignInAgainDialog() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [known, setKnown] = useState<SignedIn>()
  const [password, setPassword] = useState('')
  const waiting = useRef<((isSignedIn: boolean) => void)[]>([])
  const { run, isRunning, error, forgetError } = useAction('createSession')

  useEffect(() => {
    setSignInAgain(async () => {
      const here = queries.getQueryData<SignedIn>(sessionQuery.queryKey)
      // Nobody is signed in.
      if (!here) return false
      setKnown(here)
      return new Promise((resolve) => waiting.current.push(resolve))
    })
  }, [queries])

  const finish = (isSignedIn: boolean) => {
    setKnown(undefined)
    setPassword('')
    forgetError()
    for (const resolve of waiting.current.splice(0)) resolve(isSignedIn)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const { email, organization } = known!
    const answer = await run({ email, password, corp_id: organization.corp_id }).catch(() => undefined)
    if (!answer?.session) return
    queries.setQueryData(sessionQuery.queryKey, answer.session)
    finish(true)
  }
  return (
    <Modal
      opened={known !== undefined}
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
            value={known?.email ?? ''}
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

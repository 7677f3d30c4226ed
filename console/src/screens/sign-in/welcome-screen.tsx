import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionQuery } from '../../app/session.tsx'
import { useAction } from '../../calls/call.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { PasswordField } from '../../parts/password-field.tsx'
import { linkOfAddress, SignInFrame } from './sign-in-frame.tsx'

/** Chooses a password with the link of an invitation or reset. */
export function WelcomeScreen() {
  const { t } = useTranslation()
  const router = useRouter()
  const queries = useQueryClient()
  const [link] = useState(linkOfAddress)
  const [password, setPassword] = useState('')
  const { run, isRunning, error } = useAction('choosePassword')

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const session = await run({ link, password }).catch(() => undefined)
    if (!session) return
    queries.setQueryData(sessionQuery.queryKey, session)
    router.history.replace('/today')
  }
  return (
    <SignInFrame title={t('signIn.choosePassword')}>
      {link === '' ? (
        <Stack>
          <Text size="sm">{t('signIn.linkMissing')}</Text>
          <Anchor component={Link} to="/sign-in" size="sm">
            {t('signIn.toSignIn')}
          </Anchor>
        </Stack>
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <PasswordField isNew value={password} onChange={setPassword} autoFocus />
            {error && <ErrorNotice error={error} />}
            <Button type="submit" loading={isRunning} fullWidth>
              {t('signIn.savePassword')}
            </Button>
          </Stack>
        </form>
      )}
    </SignInFrame>
  )
}

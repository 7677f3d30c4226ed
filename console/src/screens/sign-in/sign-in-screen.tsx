import { Button, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useParams, useRouter, useSearch } from '@tanstack/react-router'
import { type FormEvent, useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type SignedIn, sessionQuery } from '../../app/session.tsx'
import { call } from '../../calls/call.ts'
import type { TriedSignIn } from '../../calls/passkey.ts'
import { useAction } from '../../calls/use-action.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Hint } from '../../parts/hint.tsx'
import { PasswordField } from '../../parts/password-field.tsx'
import { OtherWays } from './other-ways.tsx'
import { safeReturn } from './safe-return.ts'
import { SchoolChoice } from './school-choice.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

export function SignInScreen() {
  const { t } = useTranslation()
  const { to, school } = useSearch({ strict: false })
  const { id: backAt } = useParams({ strict: false })
  const router = useRouter()
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [tried, setTried] = useState<TriedSignIn>()
  const { run, isRunning, error } = useAction('createSession')

  const enter = useCallback(
    (session: SignedIn) => {
      queries.setQueryData(sessionQuery.queryKey, session)
      router.history.replace(safeReturn(to))
    },
    [queries, router, to],
  )
  const settle = (outcome: TriedSignIn) => {
    if (outcome.answer.session) enter(outcome.answer.session)
    else setTried(outcome)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const answer = await run({ email, password }).catch(() => undefined)
    if (answer) settle({ answer, into: (corp_id) => call('createSession', { email, password, corp_id }) })
  }
  if (tried) return <SchoolChoice tried={tried} enter={enter} back={() => setTried(undefined)} />
  return (
    <SignInFrame title={t('signIn.title')}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('fields.email')}
            type="email"
            autoComplete="username"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            autoFocus
            required
            withAsterisk={false}
          />
          <PasswordField value={password} onChange={setPassword} />
          {error && <ErrorNotice error={error} />}
          <Button type="submit" loading={isRunning} fullWidth>
            {t('signIn.title')}
          </Button>
          <Hint size="xs">{t('signIn.forgotten')}</Hint>
        </Stack>
      </form>
      <OtherWays email={email} school={school ?? backAt} backAt={backAt} enter={enter} settle={settle} />
    </SignInFrame>
  )
}

import { Anchor, Button, Divider, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useParams, useRouter, useSearch } from '@tanstack/react-router'
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type SignedIn, sessionQuery, useAttempt } from '../../app/session.tsx'
import { call, useAction } from '../../calls/call.ts'
import { hasPasskeys, signInByPasskey, type TriedSignIn } from '../../calls/passkey.ts'
import { ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { PasswordField } from '../../parts/password-field.tsx'
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

interface SchoolChoiceProps {
  tried: TriedSignIn
  enter(session: SignedIn): void
  back(): void
}

/** The choice between several schools after a correct password or passkey. */
function SchoolChoice({ tried, enter, back }: SchoolChoiceProps) {
  const { t } = useTranslation()
  const { attempt, isRunning, error } = useAttempt()
  const choose = async (corp_id: string) => {
    const answer = await attempt(() => tried.into(corp_id))
    if (answer?.session) enter(answer.session)
  }
  return (
    <SignInFrame title={t('signIn.chooseSchool')}>
      <Stack>
        <Text size="sm">{t('signIn.severalSchools')}</Text>
        {tried.answer.schools.map(({ corp_id, name }, index) => (
          <Button
            key={corp_id}
            variant="default"
            onClick={() => void choose(corp_id)}
            disabled={isRunning}
            // The password field is gone, so the focus moves here.
            autoFocus={index === 0}
            fullWidth
          >
            {name}
          </Button>
        ))}
        {error !== undefined && <ErrorNotice error={error} />}
        <Anchor component="button" type="button" size="sm" onClick={back}>
          {t('signIn.back')}
        </Anchor>
      </Stack>
    </SignInFrame>
  )
}

interface OtherWaysProps {
  /** The typed e-mail address; its domain finds the school. */
  email: string
  /** The school that the address names. */
  school: string | undefined
  /** The school whose provider sent the browser back. */
  backAt: string | undefined
  enter(session: SignedIn): void
  /** Called when one of several schools must be chosen. */
  settle(tried: TriedSignIn): void
}

/** Sign-in by passkey or by the school's provider. */
function OtherWays({ email, school, backAt, enter, settle }: OtherWaysProps) {
  const { t } = useTranslation()
  const { attempt, isRunning, error } = useAttempt()
  const [needsEmail, setNeedsEmail] = useState(false)
  const isTaken = useRef(false)

  useEffect(() => {
    const returned = returnedByProvider()
    // The provider's answer works once, and effects run twice in development.
    if (returned === undefined || backAt === undefined || isTaken.current) return
    isTaken.current = true
    const sent = { corp_id: backAt, returned }
    void attempt(() => call('signInByProvider', sent)).then((session) => session && enter(session))
  }, [attempt, enter, backAt])

  const byPasskey = async () => {
    const tried = await attempt(signInByPasskey)
    if (tried) settle(tried)
  }
  const bySchool = async (corp_id: string | undefined) => {
    const named = corp_id === undefined ? { email } : { corp_id }
    const isNamed = corp_id !== undefined || email.includes('@')
    setNeedsEmail(!isNamed)
    const found = isNamed ? await attempt(() => call('beginProviderSignIn', named)) : undefined
    if (found) window.location.assign(found.url)
  }
  return (
    <Stack gap="xs" mt="md">
      <Divider label={t('signIn.or')} />
      {hasPasskeys && (
        <Button variant="default" onClick={() => void byPasskey()} disabled={isRunning} fullWidth>
          {t('signIn.usePasskey')}
        </Button>
      )}
      <Button variant="default" onClick={() => void bySchool(school)} disabled={isRunning} fullWidth>
        {t('signIn.useSchool')}
      </Button>
      {needsEmail && <Text size="sm">{t('signIn.emailFirst')}</Text>}
      {error !== undefined && <ErrorNotice error={error} />}
    </Stack>
  )
}

/** Reads the provider's answer from the query and removes it from the address, where others could read it. */
function returnedByProvider(): string | undefined {
  const { search, pathname } = window.location
  const isReturn = new URLSearchParams(search).has('state')
  if (isReturn) window.history.replaceState(window.history.state, '', pathname)
  return isReturn ? search.slice(1) : undefined
}

/** The address to return to after sign-in; never one of another site. */
function safeReturn(wanted: string | undefined): string {
  if (!wanted || !/^\/(?![/\\])/.test(wanted)) return '/today'
  return wanted.startsWith('/sign-in') ? '/today' : wanted
}

import { Button, Divider, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SignedIn } from '../../app/session.tsx'
import { useAttempt } from '../../app/use-attempt.ts'
import { call } from '../../calls/call.ts'
import { hasPasskeys, signInByPasskey, type TriedSignIn } from '../../calls/passkey.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'

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
export function OtherWays({ email, school, backAt, enter, settle }: OtherWaysProps) {
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

import { Anchor, Loader, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionQuery } from '../../app/session.tsx'
import { useAction } from '../../calls/call.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { linkOfAddress, SignInFrame } from './sign-in-frame.tsx'

/** Signs in with a link, such as the one that the first start prints. */
export function EnterScreen() {
  const { t } = useTranslation()
  const router = useRouter()
  const queries = useQueryClient()
  const { run, error } = useAction('enterByLink')
  const isTaken = useRef(false)

  useEffect(() => {
    // A link works once, and effects run twice in development.
    if (isTaken.current) return
    isTaken.current = true
    run({ link: linkOfAddress() }).then(
      (session) => {
        queries.setQueryData(sessionQuery.queryKey, session)
        router.history.replace('/today')
      },
      () => undefined,
    )
  }, [run, queries, router])

  return (
    <SignInFrame title={t('signIn.title')}>
      {error ? (
        <Stack>
          <ErrorNotice error={error} />
          <Anchor component={Link} to="/sign-in" size="sm">
            {t('signIn.toSignIn')}
          </Anchor>
        </Stack>
      ) : (
        <Loader size="sm" role="status" aria-label={t('signIn.entering')} />
      )}
    </SignInFrame>
  )
}

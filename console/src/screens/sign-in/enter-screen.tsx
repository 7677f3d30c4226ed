import { Anchor, Loader, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionQuery } from '../../app/session.tsx'
import { useAction } from '../../calls/use-action.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { DoorFrame } from './door-frame.tsx'
import { linkOfAddress } from './link-of-address.ts'

/** A link that signs in by itself, as the first start prints it. */
export function EnterScreen() {
  const { t } = useTranslation()
  const router = useRouter()
  const queries = useQueryClient()
  const { run, error } = useAction('enterByLink')
  const isTaken = useRef(false)

  useEffect(() => {
    // A link works once, and effects of development run twice.
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
    <DoorFrame title={t('signIn.title')}>
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
    </DoorFrame>
  )
}

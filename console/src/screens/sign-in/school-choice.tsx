import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { SignedIn } from '../../app/session.tsx'
import { useAttempt } from '../../app/use-attempt.ts'
import type { TriedSignIn } from '../../calls/passkey.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

interface SchoolChoiceProps {
  tried: TriedSignIn
  enter(session: SignedIn): void
  back(): void
}

/** The choice between several schools after a correct password or passkey. */
export function SchoolChoice({ tried, enter, back }: SchoolChoiceProps) {
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

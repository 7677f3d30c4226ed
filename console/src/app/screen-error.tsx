import { Button, Center, Stack } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ErrorNotice } from '../parts/error-notice.tsx'

/** A screen that failed as a whole. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  return (
    <Center mih="40vh">
      <Stack align="center" maw="32rem">
        <ErrorNotice error={error} />
        <Button variant="default" onClick={retry}>
          {t('common.retry')}
        </Button>
      </Stack>
    </Center>
  )
}

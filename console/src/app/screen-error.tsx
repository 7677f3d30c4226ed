import { Anchor, Button, Center, Stack, Title } from '@mantine/core'
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Outline } from '../parts/after-heading.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { ScreenHead } from '../parts/screen-tabs.tsx'
import { useTabTitle } from '../parts/use-tab-title.ts'
import { Waiting } from '../parts/waiting.tsx'
import type { Place } from './navigation.tsx'

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

export function ScreenMissing() {
  const { t } = useTranslation()
  useTabTitle(t('frame.notFound'), 'screen')
  return (
    <Center component="main" mih="60vh">
      <Stack align="center">
        <Title order={1}>{t('frame.notFound')}</Title>
        <Anchor component={Link} to="/today">
          {t('frame.toToday')}
        </Anchor>
      </Stack>
    </Center>
  )
}

/** A screen of the navigation whose code is not loaded yet: its heading is known. */
export function PlaceLoading({ place }: { place: Place['name'] }) {
  const { t } = useTranslation()
  return (
    <>
      <ScreenHead title={t(`frame.${place}`)} />
      <Outline />
    </>
  )
}

export function ScreenLoading() {
  return <Waiting shape="screen" />
}

import { Anchor, Center, Stack, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

export function ScreenMissing() {
  const { t } = useTranslation()
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

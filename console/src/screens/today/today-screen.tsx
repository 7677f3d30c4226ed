import { Title } from '@mantine/core'

import { useTranslation } from 'react-i18next'

export function TodayScreen() {
  const { t } = useTranslation()
  return <Title order={1}>{t('today.title')}</Title>
}

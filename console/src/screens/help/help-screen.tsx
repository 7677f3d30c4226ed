import { Title } from '@mantine/core'

import { useTranslation } from 'react-i18next'

export function HelpScreen() {
  const { t } = useTranslation()
  return <Title order={1}>{t('help.title')}</Title>
}

import { Title } from '@mantine/core'

import { useTranslation } from 'react-i18next'

export function LeadsScreen() {
  const { t } = useTranslation()
  return <Title order={1}>{t('leads.title')}</Title>
}

import { Title } from '@mantine/core'

import { useTranslation } from 'react-i18next'

export function FinanceScreen() {
  const { t } = useTranslation()
  return <Title order={1}>{t('finance.title')}</Title>
}

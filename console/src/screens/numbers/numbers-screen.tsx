import { Title } from '@mantine/core'

import { useTranslation } from 'react-i18next'

export function NumbersScreen() {
  const { t } = useTranslation()
  return <Title order={1}>{t('numbers.title')}</Title>
}

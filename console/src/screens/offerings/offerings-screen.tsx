import { Title } from '@mantine/core'

import { useTranslation } from 'react-i18next'

export function OfferingsScreen() {
  const { t } = useTranslation()
  return <Title order={1}>{t('offerings.title')}</Title>
}

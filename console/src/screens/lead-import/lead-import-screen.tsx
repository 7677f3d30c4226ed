import { Title } from '@mantine/core'

import { useTranslation } from 'react-i18next'

export function LeadImportScreen() {
  const { t } = useTranslation()
  return <Title order={1}>{t('leadImport.title')}</Title>
}

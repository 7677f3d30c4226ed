import { Center, Loader } from '@mantine/core'
import { useTranslation } from 'react-i18next'

export function ScreenLoading() {
  const { t } = useTranslation()
  return (
    <Center mih="40vh" aria-busy>
      <Loader size="sm" role="status" aria-label={t('common.loading')} />
    </Center>
  )
}

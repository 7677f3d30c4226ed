import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { locales, useLanguage } from '../languages/language.ts'
import { Icon } from '../parts/icon.tsx'
import { useSession } from './session.tsx'

/** Tells a support person that they are a guest, and until when. */
export function SupportNotice() {
  const { t } = useTranslation()
  const language = useLanguage()
  const { support_until } = useSession().staff
  if (support_until === '') return null
  const time = new Date(support_until).toLocaleString(locales[language], {
    dateStyle: 'medium',
    timeStyle: 'short',
  })
  return (
    <Alert color="blue" variant="light" icon={<Icon name="info" />} role="status" p="xs" mb="md">
      {t('support.signedIn', { time })}
    </Alert>
  )
}

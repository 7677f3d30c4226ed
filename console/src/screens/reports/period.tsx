import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Day } from '../../parts/instant.tsx'

/** The dates of the figures, also when they are the defaults. */
export function Period({ from, until }: { from: string | undefined; until: string | undefined }) {
  const { t } = useTranslation()
  return (
    <Text size="sm">
      {t('reports.period')} <Day at={from ?? null} /> – <Day at={until ?? null} />
    </Text>
  )
}

import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Icon } from '../parts/icon.tsx'

const askEveryMs = 60_000

/** Says that the service is read-only, while it is. */
export function ReadOnlyNotice() {
  const { t } = useTranslation()
  const { data: isReadOnly } = useQuery({
    queryKey: ['health'],
    queryFn: fetchIsReadOnly,
    staleTime: askEveryMs,
    refetchInterval: askEveryMs,
  })
  if (!isReadOnly) return null
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="warning" />} role="status" p="xs" mb="md">
      {t('frame.readOnly')}
    </Alert>
  )
}

async function fetchIsReadOnly(): Promise<boolean> {
  const response = await fetch('/healthz')
  const { data } = (await response.json()) as { data: { is_read_only?: boolean } }
  return data.is_read_only === true
}

import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ListAddress } from '../../parts/use-list-address.ts'

/** The instant that figures are of, kept in the address; empty: now. */
export function AsOfField({ address }: { address: ListAddress }) {
  const { t } = useTranslation()
  return (
    <TextInput
      size="xs"
      type="datetime-local"
      aria-label={t('finance.asOf')}
      title={t('finance.asOf')}
      value={address.search.as_of ?? ''}
      onChange={(event) => address.setFilters({ as_of: event.currentTarget.value || undefined })}
    />
  )
}

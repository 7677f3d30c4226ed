import { Group, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ListAddress } from '../../parts/use-list-address.ts'

/** The time of the figures, kept in the address; empty: now. */
export function AsOfField({ address }: { address: ListAddress }) {
  const { t } = useTranslation()
  // The field cannot show the microseconds of an address.
  const shown = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(address.search.as_of ?? '') ? address.search.as_of : ''
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="sm" c="dimmed" id="as-of">
        {t('finance.asOf')}
      </Text>
      <TextInput
        size="xs"
        type="datetime-local"
        aria-labelledby="as-of"
        value={shown}
        onChange={(event) => address.setFilters({ as_of: event.currentTarget.value || undefined }, 'replace')}
      />
    </Group>
  )
}

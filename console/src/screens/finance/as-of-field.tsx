import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DateField } from '../../parts/date-field.tsx'
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
      <DateField
        size="xs"
        withTime
        leaning="earlier"
        aria-labelledby="as-of"
        value={shown}
        onChange={(value) => address.setFilters({ as_of: value || undefined }, 'replace')}
      />
    </Group>
  )
}

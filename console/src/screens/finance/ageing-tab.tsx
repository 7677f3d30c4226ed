import { Group, Skeleton, Stack } from '@mantine/core'
import { useCall } from '../../calls/call.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Instant } from '../../parts/instant.tsx'
import { useListAddress } from '../../parts/use-list-address.ts'
import { AgeingTable } from './ageing-table.tsx'
import { AsOfField } from './as-of-field.tsx'

const mostGroups = 1000

export function AgeingTab() {
  const address = useListAddress()
  const { as_of } = address.search
  const { data, error } = useCall('ageDebts', { as_of, page_size: mostGroups }, { keepsPrevious: true })
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <AsOfField address={address} />
        {data && !as_of && <Instant at={data.as_of} />}
      </Group>
      {error && <ErrorNotice error={error} />}
      {!data && !error && <Skeleton height={200} />}
      {data && <AgeingTable ageing={data} />}
    </Stack>
  )
}

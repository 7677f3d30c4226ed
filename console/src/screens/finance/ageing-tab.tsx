import { Group, SegmentedControl, Skeleton, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../calls/call.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Instant } from '../../parts/instant.tsx'
import { Renewing } from '../../parts/renewing.tsx'
import { useListAddress } from '../../parts/use-list-address.ts'
import { AgeingTable } from './ageing-table.tsx'
import { AsOfField } from './as-of-field.tsx'
import { PayerAgeing } from './payer-ageing.tsx'

const mostGroups = 1000

/** Outstanding amounts by age, grouped by course or by payer. */
export function AgeingTab() {
  const { t } = useTranslation()
  const address = useListAddress()
  const { as_of, by } = address.search
  const isByPayer = by === 'payer'
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <AsOfField address={address} />
        <SegmentedControl
          size="xs"
          aria-label={t('finance.ageingBy')}
          value={isByPayer ? 'payer' : 'course'}
          onChange={(value) => address.setFilters({ by: value === 'payer' ? value : undefined })}
          data={[
            { value: 'course', label: t('finance.byCourse') },
            { value: 'payer', label: t('finance.byPayer') },
          ]}
        />
      </Group>
      {isByPayer ? <PayerAgeing address={address} /> : <CourseAgeing as_of={as_of} />}
    </Stack>
  )
}

function CourseAgeing({ as_of }: { as_of: string | undefined }) {
  const { data, error, isPlaceholderData } = useCall(
    'ageDebts',
    { as_of, page_size: mostGroups },
    { keepsPrevious: true },
  )
  return (
    <Renewing isStale={isPlaceholderData}>
      {data && !as_of && <Instant at={data.as_of} />}
      {error && <ErrorNotice error={error} />}
      {!data && !error && <Skeleton height={200} />}
      {data && <AgeingTable ageing={data} />}
    </Renewing>
  )
}

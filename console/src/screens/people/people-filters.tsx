import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { useCall } from '../../calls/use-call.ts'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'
import { useCourseOptions } from '../../parts/use-course-options.ts'
import type { ListAddress } from '../../parts/use-list-address.ts'
import { usePoolName } from '../../parts/use-pool-name.ts'
import { useTypedFilter } from '../../parts/use-typed-filter.ts'
import { orderStates } from './people-columns.tsx'
import { me } from './use-people.ts'

export function PeopleFilters({ address }: { address: ListAddress }) {
  const { t } = useTranslation()
  const { organization } = useSession()
  const { options: advisers } = useAdvisers()
  const poolName = usePoolName()
  const { data: groups } = useCall('listAllTagGroups', {})
  const courses = useCourseOptions('course_code')
  return (
    <FilterBar
      address={address}
      search={{ name: 'q', label: t('people.search') }}
      filters={[
        {
          kind: 'choice',
          name: 'pool',
          label: t('people.pool'),
          options: organization.pools.map((pool) => ({ value: pool, label: poolName(pool) })),
        },
        {
          kind: 'choice',
          name: 'owner_id',
          label: t('fields.adviser'),
          options: [{ value: me, label: t('people.me') }, ...advisers],
        },
        {
          kind: 'choice',
          name: 'order_status',
          label: t('frame.orders'),
          options: [
            { value: 'none', label: t('people.noOrder') },
            ...orderStates.map((state) => ({ value: state, label: t(`orderStatus.${state}`) })),
          ],
        },
        {
          kind: 'choice',
          name: 'course_code',
          label: t('fields.course'),
          options: courses,
        },
        {
          kind: 'choice',
          name: 'tags_group_id',
          label: t('people.tag'),
          options: groups?.list.map(({ entity_id, name }) => ({ value: entity_id, label: name })) ?? [],
        },
        { kind: 'day', name: 'start_date', label: t('people.from') },
        { kind: 'day', name: 'end_date', label: t('people.until') },
      ]}
    >
      {address.search.tags_group_id && <TagValueField address={address} />}
    </FilterBar>
  )
}

/** The value of a tag, compared as its group defines. */
function TagValueField({ address }: { address: ListAddress }) {
  const { t } = useTranslation()
  const [typed, type] = useTypedFilter(address, 'tag_value')
  return (
    <TextInput
      size="xs"
      w="8rem"
      aria-label={t('people.tagValue')}
      placeholder={t('people.tagValue')}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
    />
  )
}

import { Group, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Search, useSession } from '../../app/session.tsx'
import { type InputOf, type RowOf, useCall } from '../../calls/call.ts'
import { CourseName, useCourseName } from '../../parts/coded-name.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { MarkedText } from '../../parts/marked-text.tsx'
import { timeColumn } from '../../parts/plain-table.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useAdvisers, useCourseOptions, usePoolName } from '../../parts/use-advisers.ts'
import { type ListAddress, pageSize, useTypedFilter } from '../../parts/use-list-address.ts'
import { OrderStatusBadge } from '../orders/order-status.tsx'

export function PeopleFilters({ address }: { address: ListAddress }) {
  const { t } = useTranslation()
  const { organization } = useSession()
  const { options: advisers } = useAdvisers()
  const poolName = usePoolName()
  const { data: groups } = useCall('listAllTagGroups', {})
  const courses = useCourseOptions('course_code')
  const { data: imports } = useCall('listLeadFiles', { page_size: 50 })
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
          isRare: true,
          options: groups?.list.map(({ entity_id, name }) => ({ value: entity_id, label: name })) ?? [],
        },
        {
          kind: 'choice',
          name: 'import_id',
          label: t('people.byImport'),
          isRare: true,
          options:
            imports?.list
              .filter(({ state }) => state === 'done')
              .map(({ import_id, file_name }) => ({ value: import_id, label: file_name })) ?? [],
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

const orderStates = [
  'created',
  'pending',
  'success',
  'locked',
  'expired',
  'canceled',
  'unconfirmed',
  'tbd',
] as const

export function OrderStates({ states }: { states: string[] }) {
  return (
    <Group gap={4} wrap="nowrap">
      {orderStates
        .filter((state) => states.includes(state))
        .map((state) => (
          <OrderStatusBadge key={state} status={state} />
        ))}
    </Group>
  )
}

/** `isRanked`: a search, which puts the likeliest person first. */
export function usePeopleColumns(isRanked: boolean): Column<Person>[] {
  const { t } = useTranslation()
  const courseName = useCourseName()
  const { nameOf } = useAdvisers()
  const poolName = usePoolName()
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('people.name'),
        value: nameOfPerson,
        cell: (person) => <MarkedText text={nameOfPerson(person)} member="name" matches={person.matches} />,
      },
      { id: 'mobile', title: t('people.mobile'), cell: ({ mobile }) => mobile },
      { id: 'email', title: t('fields.email'), isExtra: true, cell: ({ email }) => email },
      { id: 'pool', title: t('people.pool'), cell: ({ pool }) => poolName(pool), card: 'value' },
      {
        id: 'owners',
        title: t('fields.adviser'),
        cell: ({ owner_ids }) => owner_ids.map(nameOf).join(t('common.listComma')),
      },
      timeColumn('followUp', t('people.lastFollowUp'), ({ last_follow_up }) => last_follow_up || null),
      {
        id: 'orders',
        title: t('frame.orders'),
        card: 'value',
        cell: ({ order_statuses }) => <OrderStates states={order_statuses} />,
      },
      {
        ...{ id: 'course', title: t('fields.course') },
        cell: ({ last_touch }) => <CourseName code={last_touch?.course_code} />,
        value: ({ last_touch }) => courseName(last_touch?.course_code ?? ''),
      },
      {
        id: 'source',
        title: t('people.source'),
        isExtra: true,
        cell: ({ first_touch }) => first_touch?.utm_source,
      },
      { id: 'city', title: t('people.city'), isExtra: true, cell: ({ city }) => city },
      { id: 'company', title: t('people.company'), isExtra: true, cell: ({ company_name }) => company_name },
      timeColumn('since', t('people.since'), ({ ctime }) => ctime, {
        sorts: isRanked ? undefined : (['oldest', 'newest'] as const),
        card: 'hidden',
      }),
    ],
    [t, nameOf, poolName, courseName, isRanked],
  )
}

export function nameOfPerson({ name, mobile, email }: Pick<Person, 'name' | 'mobile' | 'email'>): string {
  return name || mobile || email
}

/** A search also tells where a person matches. */
export type Person = RowOf<'listUsers'> & Partial<Pick<RowOf<'searchUsers'>, 'matches'>>

/** Means the reader in an address, so that a view can be shared. */
export const me = 'me'

/** Reads the people of an address. */
export function usePeople({ search, page }: ListAddress) {
  const { staff } = useSession()
  const { q, ...filters } = search
  const input = filterOf(filters, staff.staff_id)
  const pages = { page, page_size: pageSize }
  const sort = search.sort === 'oldest' ? 'oldest' : 'newest'
  const ofList = { ...input, sort } as const
  const ofSearch = { ...input, q: q ?? '' }
  const listed = useCall('listUsers', { ...ofList, ...pages }, { enabled: !q, keepsPrevious: true })
  const found = useCall('searchUsers', { ...ofSearch, ...pages }, { enabled: !!q, keepsPrevious: true })
  return q
    ? { query: found, operation: 'searchUsers' as const, filters: ofSearch }
    : { query: listed, operation: 'listUsers' as const, filters: ofList }
}

/** The filters of an address, for a change of all who match; undefined for a search, which ranks instead of filtering. */
export function usePeopleFilter({ search }: ListAddress) {
  const { staff } = useSession()
  const { q, ...filters } = search
  return q ? undefined : filterOf(filters, staff.staff_id)
}

function filterOf(
  search: Search,
  staffId: string,
): Omit<InputOf<'listUsers'>, 'page' | 'page_size' | 'sort'> {
  const { pool, owner_id, tags_group_id, tag_value, course_code, order_status, start_date, end_date } = search
  const { import_id } = search
  return {
    ...{ pool, tags_group_id, course_code, import_id, start_date, end_date },
    owner_id: owner_id === me ? staffId : owner_id,
    tag_value: tags_group_id ? tag_value : undefined,
    order_status: order_status as InputOf<'listUsers'>['order_status'],
  }
}

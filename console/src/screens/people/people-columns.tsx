import { Group, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { timeColumn } from '../../parts/columns.tsx'
import { Instant } from '../../parts/instant.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'
import { usePoolName } from '../../parts/use-pool-name.ts'
import { OrderStatusBadge } from '../orders/order-status.tsx'
import type { Person } from './use-people.ts'

export const orderStates = [
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

export function usePeopleColumns(): Column<Person>[] {
  const { t } = useTranslation()
  const { nameOf } = useAdvisers()
  const poolName = usePoolName()
  return useMemo(
    () => [
      { id: 'name', title: t('people.name'), cell: (person) => <Text fw={500}>{nameOfPerson(person)}</Text> },
      { id: 'mobile', title: t('people.mobile'), cell: ({ mobile }) => mobile },
      { id: 'email', title: t('fields.email'), isExtra: true, cell: ({ email }) => email },
      { id: 'pool', title: t('people.pool'), cell: ({ pool }) => poolName(pool) },
      {
        id: 'owners',
        title: t('fields.adviser'),
        cell: ({ owner_ids }) => owner_ids.map(nameOf).join(t('common.listComma')),
      },
      timeColumn('followUp', t('people.lastFollowUp'), ({ last_follow_up }) => last_follow_up || null),
      {
        id: 'orders',
        title: t('frame.orders'),
        cell: ({ order_statuses }) => <OrderStates states={order_statuses} />,
      },
      { id: 'course', title: t('fields.course'), cell: ({ last_touch }) => last_touch?.course_code },
      {
        id: 'source',
        title: t('people.source'),
        isExtra: true,
        cell: ({ first_touch }) => first_touch?.utm_source,
      },
      { id: 'city', title: t('people.city'), isExtra: true, cell: ({ city }) => city },
      { id: 'company', title: t('people.company'), isExtra: true, cell: ({ company_name }) => company_name },
      { id: 'since', title: t('people.since'), cell: ({ ctime }) => <Instant at={ctime} /> },
    ],
    [t, nameOf, poolName],
  )
}

export function nameOfPerson({ name, mobile, email }: Pick<Person, 'name' | 'mobile' | 'email'>): string {
  return name || mobile || email
}

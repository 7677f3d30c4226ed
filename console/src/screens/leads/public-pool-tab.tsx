import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Instant } from '../../parts/instant.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useList } from '../../parts/use-list.ts'
import { useListAddress } from '../../parts/use-list-address.ts'
import { nameOfPerson } from '../people/people-columns.tsx'
import { ClaimButton } from './claim-button.tsx'

type Person = RowOf<'listUsers'>

/** People in the public pool, ready to be claimed. */
export function PublicPoolTab() {
  const { t } = useTranslation()
  const address = useListAddress()
  const navigate = useNavigate()
  const query = useList('listUsers', address, { pool: 'public', sort: 'newest' })
  const columns = useMemo<Column<Person>[]>(
    () => [
      { id: 'name', title: t('people.name'), cell: nameOfPerson },
      { id: 'mobile', title: t('people.mobile'), cell: ({ mobile }) => mobile },
      { id: 'course', title: t('fields.course'), cell: ({ last_touch }) => last_touch?.course_code },
      { id: 'source', title: t('people.source'), cell: ({ last_touch }) => last_touch?.utm_source },
      { id: 'since', title: t('people.since'), cell: ({ ctime }) => <Instant at={ctime} /> },
      {
        id: 'claim',
        title: t('people.claim'),
        cell: (person) => (
          <ClaimButton
            userId={person.user_id}
            name={nameOfPerson(person)}
            pool={person.pool}
            holderId={person.holder_id}
          />
        ),
      },
    ],
    [t],
  )
  return (
    <DataTable
      name="public-pool"
      label={t('people.pools.public')}
      columns={columns}
      rowId={({ user_id }) => user_id}
      query={query}
      address={address}
      onOpen={({ user_id }) => void navigate({ to: '/people/$id', params: { id: user_id } })}
      empty={{ text: t('leads.poolEmpty'), icon: 'people' }}
      spaceAround="15rem"
    />
  )
}

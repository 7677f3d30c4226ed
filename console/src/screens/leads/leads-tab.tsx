import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Instant } from '../../parts/instant.tsx'
import { SavedViews } from '../../parts/saved-views.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useAdvisers, useCourseOptions } from '../../parts/use-advisers.ts'
import { useList, useListAddress } from '../../parts/use-list-address.ts'
import { nameOfPerson } from '../people/people-filters.tsx'
import { ClaimButton } from './claim-button.tsx'

type Lead = RowOf<'listLeads'>

/** A lead has no e-mail address; without a name it is called by its number. */
function nameOfLead({ name, mobile }: Pick<Lead, 'name' | 'mobile'>): string {
  return name || mobile
}

/** All leads as received; a row opens its person. */
export function LeadsTab() {
  const { t } = useTranslation()
  const address = useListAddress()
  const navigate = useNavigate()
  const { options: advisers, nameOf } = useAdvisers()
  const courses = useCourseOptions('course_code')
  const { utm_source, campaign, course_code, owner_id, start_date, end_date } = address.search
  const filters = { utm_source, campaign, course_code, owner_id, start_date, end_date }
  const query = useList('listLeads', address, { ...filters, sort: 'newest' })
  const columns = useMemo<Column<Lead>[]>(
    () => [
      { id: 'time', title: t('leads.time'), cell: ({ ctime }) => <Instant at={ctime} /> },
      { id: 'name', title: t('people.name'), cell: nameOfLead },
      { id: 'mobile', title: t('people.mobile'), cell: ({ mobile }) => mobile },
      { id: 'course', title: t('fields.course'), cell: ({ course_code }) => course_code },
      { id: 'source', title: t('people.source'), cell: ({ utm_source }) => utm_source },
      { id: 'campaign', title: t('leads.campaign'), cell: ({ campaign }) => campaign },
      { id: 'answer', title: t('leads.answer'), isExtra: true, cell: ({ form1_value }) => form1_value },
      { id: 'city', title: t('people.city'), isExtra: true, cell: ({ city }) => city },
      {
        id: 'owners',
        title: t('fields.adviser'),
        cell: ({ user }) => user.owner_ids.map(nameOf).join(t('common.listComma')),
      },
      {
        id: 'claim',
        title: t('people.claim'),
        cell: ({ user_id, user, ...lead }) => (
          <ClaimButton
            userId={user_id}
            name={user.name || nameOfLead(lead)}
            pool={user.pool}
            holderId={user.holder_id}
          />
        ),
      },
    ],
    [t, nameOf],
  )
  return (
    <>
      <SavedViews
        screen="leads"
        table="leads"
        address={address}
        usual={[{ name: t('common.all'), search: {} }]}
        onColumns={() => undefined}
      />
      <DataTable
        name="leads"
        label={t('frame.leads')}
        columns={columns}
        rowId={({ lead_id }) => lead_id}
        query={query}
        address={address}
        onOpen={({ user_id }) => void navigate({ to: '/people/$id', params: { id: user_id } })}
        search={{ name: 'utm_source', label: t('leads.sourceFilter') }}
        filters={[
          { kind: 'choice', name: 'course_code', label: t('fields.course'), options: courses },
          { kind: 'choice', name: 'owner_id', label: t('fields.adviser'), options: advisers },
          { kind: 'day', name: 'start_date', label: t('leads.from') },
          { kind: 'day', name: 'end_date', label: t('leads.until') },
        ]}
        empty={{ text: t('leads.nothing'), icon: 'leads' }}
        spaceAround="16.5rem"
      />
    </>
  )
}

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

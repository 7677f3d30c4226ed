import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import type { RowOf } from '../../calls/call.ts'
import { CourseName, useCourseName } from '../../parts/coded-name.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { timeColumn } from '../../parts/plain-table.tsx'
import { SavedViews } from '../../parts/saved-views.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useAdvisers, useCourseOptions } from '../../parts/use-advisers.ts'
import { type ListAddress, useList, useListAddress } from '../../parts/use-list-address.ts'
import { nameOfPerson } from '../people/people-filters.tsx'
import { ClaimButton } from './claim-button.tsx'

type Lead = RowOf<'listLeads'>

const sorts = ['oldest', 'newest'] as const
const sortOf = ({ search }: ListAddress) => sorts.find((each) => each === search.sort) ?? 'newest'

/** A lead has no e-mail address; without a name it is called by its number, or as its person is. */
function nameOfLead({ name, mobile, user }: Pick<Lead, 'name' | 'mobile' | 'user'>): string {
  return name || mobile || user.name
}

/** All leads as received; a row opens its person. */
export function LeadsTab() {
  const { t } = useTranslation()
  const mayClaim = useSession().can('write')
  const address = useListAddress()
  const navigate = useNavigate()
  const { options: advisers, nameOf } = useAdvisers()
  const courses = useCourseOptions('course_code')
  const courseName = useCourseName()
  const { utm_source, campaign, course_code, owner_id, start_date, end_date } = address.search
  const filters = { utm_source, campaign, course_code, owner_id, start_date, end_date }
  const query = useList('listLeads', address, { ...filters, sort: sortOf(address) })
  const columns = useMemo<Column<Lead>[]>(
    () => [
      { id: 'name', title: t('people.name'), cell: (lead) => nameOfLead(lead) || t('reports.unnamed') },
      timeColumn('time', t('leads.time'), ({ ctime }) => ctime, { sorts }),
      { id: 'mobile', title: t('people.mobile'), cell: ({ mobile }) => mobile },
      {
        ...{ id: 'course', title: t('fields.course') },
        cell: ({ course_code }) => <CourseName code={course_code} />,
        value: ({ course_code }) => courseName(course_code),
      },
      { id: 'source', title: t('people.source'), cell: ({ utm_source }) => utm_source },
      { id: 'campaign', title: t('leads.campaign'), cell: ({ campaign }) => campaign },
      { id: 'answer', title: t('leads.answer'), isExtra: true, cell: ({ form1_value }) => form1_value },
      { id: 'city', title: t('people.city'), isExtra: true, cell: ({ city }) => city },
      {
        id: 'owners',
        title: t('fields.adviser'),
        cell: ({ user }) => user.owner_ids.map(nameOf).join(t('common.listComma')),
      },
      ...claimColumns<RowOf<'listLeads'>>(mayClaim, t('people.claim'), (lead) => ({
        ...lead.user,
        name: lead.user.name || nameOfLead(lead),
        user_id: lead.user_id,
      })),
    ],
    [t, nameOf, courseName, mayClaim],
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

type Claimable = Pick<Person, 'user_id' | 'name' | 'pool' | 'holder_id'>

/** The column of the button that claims a person; none for readers without the permission. */
function claimColumns<Row>(
  mayClaim: boolean,
  title: string,
  personOf: (row: Row) => Claimable,
): Column<Row>[] {
  if (!mayClaim) return []
  const cell = (row: Row) => {
    const { user_id, name, pool, holder_id } = personOf(row)
    return <ClaimButton userId={user_id} name={name} pool={pool} holderId={holder_id} />
  }
  return [{ id: 'claim', title, card: 'action', cell }]
}

/** People in the public pool, ready to be claimed. */
export function PublicPoolTab() {
  const { t } = useTranslation()
  const mayClaim = useSession().can('write')
  const address = useListAddress()
  const navigate = useNavigate()
  const courseName = useCourseName()
  const query = useList('listUsers', address, { pool: 'public', sort: sortOf(address) })
  const columns = useMemo<Column<Person>[]>(
    () => [
      { id: 'name', title: t('people.name'), cell: nameOfPerson },
      { id: 'mobile', title: t('people.mobile'), cell: ({ mobile }) => mobile },
      {
        ...{ id: 'course', title: t('fields.course') },
        cell: ({ last_touch }) => <CourseName code={last_touch?.course_code} />,
        value: ({ last_touch }) => courseName(last_touch?.course_code ?? ''),
      },
      { id: 'source', title: t('people.source'), cell: ({ last_touch }) => last_touch?.utm_source },
      timeColumn('since', t('people.since'), ({ ctime }) => ctime, { sorts }),
      ...claimColumns<Person>(mayClaim, t('people.claim'), (person) => ({
        ...person,
        name: nameOfPerson(person),
      })),
    ],
    [t, courseName, mayClaim],
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

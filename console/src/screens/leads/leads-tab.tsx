import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { useCall } from '../../calls/use-call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Instant } from '../../parts/instant.tsx'
import { SavedViews } from '../../parts/saved-views.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'
import { pageSize, useListAddress } from '../../parts/use-list-address.ts'
import { ClaimButton } from './claim-button.tsx'

type Lead = RowOf<'listLeads'>

/** Leads have no e-mail address; who came without a name is called by number, as elsewhere. */
function nameOfLead({ name, mobile }: Pick<Lead, 'name' | 'mobile'>): string {
  return name || mobile
}

/** Every lead as it came in; a row opens its person. */
export function LeadsTab() {
  const { t } = useTranslation()
  const address = useListAddress()
  const navigate = useNavigate()
  const { options: advisers, nameOf } = useAdvisers()
  const { data: courses } = useCall('listCourses', { page_size: 1000 })
  const { utm_source, campaign, course_code, owner_id, start_date, end_date } = address.search
  const { data, error } = useCall(
    'listLeads',
    {
      ...{ utm_source, campaign, course_code, owner_id, start_date, end_date },
      ...{ page: address.page, page_size: pageSize, sort: 'newest' },
    },
    { keepsPrevious: true },
  )
  const columns = useMemo<Column<Lead>[]>(
    () => [
      { id: 'time', title: t('leads.time'), cell: ({ ctime }) => <Instant at={ctime} /> },
      { id: 'name', title: t('people.name'), cell: nameOfLead },
      { id: 'mobile', title: t('people.mobile'), cell: ({ mobile }) => mobile },
      { id: 'course', title: t('people.course'), cell: ({ course_code }) => course_code },
      { id: 'source', title: t('people.source'), cell: ({ utm_source }) => utm_source },
      { id: 'campaign', title: t('leads.campaign'), cell: ({ campaign }) => campaign },
      { id: 'answer', title: t('leads.answer'), isExtra: true, cell: ({ form1_value }) => form1_value },
      { id: 'city', title: t('people.city'), isExtra: true, cell: ({ city }) => city },
      {
        id: 'owners',
        title: t('people.owner'),
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
        label={t('leads.title')}
        columns={columns}
        rowId={({ lead_id }) => lead_id}
        rows={data?.list}
        total={data?.total}
        page={address.page}
        onPage={address.setPage}
        error={error}
        onOpen={({ user_id }) => void navigate({ to: '/people/$id', params: { id: user_id } })}
        toolbar={
          <FilterBar
            address={address}
            search={{ name: 'utm_source', label: t('leads.sourceFilter') }}
            filters={[
              {
                kind: 'choice',
                name: 'course_code',
                label: t('people.course'),
                options:
                  courses?.list.map(({ course_code, name }) => ({ value: course_code, label: name })) ?? [],
              },
              { kind: 'choice', name: 'owner_id', label: t('people.owner'), options: advisers },
              { kind: 'day', name: 'start_date', label: t('leads.from') },
              { kind: 'day', name: 'end_date', label: t('leads.until') },
            ]}
          />
        }
        empty={<EmptyState text={t('leads.nothing')} icon="leads" />}
        spaceAround="16.5rem"
      />
    </>
  )
}

import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import type { RowOf } from '../../calls/call.ts'
import { useCall } from '../../calls/use-call.ts'
import { AddButton } from '../../parts/add-button.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Day } from '../../parts/instant.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { pageSize, useListAddress } from '../../parts/use-list-address.ts'
import { ActiveBadge } from './active-badge.tsx'
import { activeFilter, isActiveOf } from './active-filter.ts'
import { BatchDialog } from './batch-dialog.tsx'
import { useCourses } from './use-courses.ts'

export type Batch = RowOf<'listBatches'>

export function BatchesTab() {
  const { t } = useTranslation()
  const { can } = useSession()
  const address = useListAddress()
  const courses = useCourses()
  const [edited, setEdited] = useState<Batch | 'new'>()
  const { course } = address.search
  const { data, error } = useCall(
    'listBatches',
    {
      ...{ page: address.page, page_size: pageSize, ...isActiveOf(address.search) },
      ...(course && { course_id: course }),
    },
    { keepsPrevious: true },
  )
  const columns = useMemo<Column<Batch>[]>(
    () => [
      { id: 'name', title: t('offerings.name'), cell: ({ name }) => name },
      {
        id: 'course',
        title: t('offerings.course'),
        cell: ({ course_id }) => courses.find(({ value }) => value === course_id)?.label,
      },
      { id: 'start', title: t('offerings.starts'), cell: ({ start_date }) => <Day at={start_date} /> },
      { id: 'end', title: t('offerings.ends'), cell: ({ end_date }) => <Day at={end_date} /> },
      {
        id: 'state',
        title: t('offerings.state'),
        cell: ({ is_active }) => <ActiveBadge isActive={is_active} />,
      },
    ],
    [t, courses],
  )
  const add = can('write') && <AddButton label={t('offerings.addBatch')} onClick={() => setEdited('new')} />
  return (
    <>
      <DataTable
        name="batches"
        label={t('offerings.batches')}
        columns={columns}
        rowId={({ batch_id }) => batch_id}
        rows={data?.list}
        total={data?.total}
        page={address.page}
        onPage={address.setPage}
        error={error}
        toolbar={
          <FilterBar
            address={address}
            filters={[
              { kind: 'choice', name: 'course', label: t('offerings.course'), options: courses },
              activeFilter(t),
            ]}
          />
        }
        actions={add}
        onOpen={can('write') ? setEdited : undefined}
        empty={
          <EmptyState text={t('offerings.noBatches')} icon="today">
            {add}
          </EmptyState>
        }
      />
      {edited && (
        <BatchDialog
          batch={edited === 'new' ? undefined : edited}
          courses={courses}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}

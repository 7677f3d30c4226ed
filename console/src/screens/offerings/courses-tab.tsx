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
import { Money } from '../../parts/money.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { pageSize, useListAddress } from '../../parts/use-list-address.ts'
import { ActiveBadge } from './active-badge.tsx'
import { activeFilter, isActiveOf } from './active-filter.ts'
import { CourseDialog } from './course-dialog.tsx'

export type Course = RowOf<'listCourses'>

export function CoursesTab() {
  const { t } = useTranslation()
  const { can } = useSession()
  const address = useListAddress()
  const [edited, setEdited] = useState<Course | 'new'>()
  const { data, error } = useCall(
    'listCourses',
    { page: address.page, page_size: pageSize, ...isActiveOf(address.search) },
    { keepsPrevious: true },
  )
  const columns = useMemo<Column<Course>[]>(
    () => [
      { id: 'name', title: t('offerings.name'), cell: ({ name }) => name },
      { id: 'code', title: t('offerings.code'), cell: ({ course_code }) => course_code },
      { id: 'school', title: t('offerings.faculty'), cell: ({ school_name }) => school_name },
      {
        id: 'price',
        title: t('offerings.listedPrice'),
        isNumber: true,
        cell: ({ listed_price, currency }) => <Money amount={listed_price} currency={currency} />,
      },
      { id: 'start', title: t('offerings.starts'), cell: ({ start_time }) => <Day at={start_time} /> },
      { id: 'end', title: t('offerings.ends'), isExtra: true, cell: ({ end_time }) => <Day at={end_time} /> },
      {
        id: 'state',
        title: t('offerings.state'),
        cell: ({ is_active }) => <ActiveBadge isActive={is_active} />,
      },
    ],
    [t],
  )
  const add = can('finance') && (
    <AddButton label={t('offerings.addCourse')} onClick={() => setEdited('new')} />
  )
  return (
    <>
      <DataTable
        name="courses"
        label={t('offerings.courses')}
        columns={columns}
        rowId={({ course_id }) => course_id}
        rows={data?.list}
        total={data?.total}
        page={address.page}
        onPage={address.setPage}
        error={error}
        toolbar={<FilterBar address={address} filters={[activeFilter(t)]} />}
        actions={add}
        onOpen={can('finance') ? setEdited : undefined}
        empty={
          <EmptyState text={t('offerings.noCourses')} icon="offerings">
            {add}
          </EmptyState>
        }
      />
      {edited && (
        <CourseDialog course={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
    </>
  )
}

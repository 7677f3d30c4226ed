import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import type { RowOf } from '../../calls/call.ts'
import { moneyColumn } from '../../parts/columns.tsx'
import { EditableList } from '../../parts/editable-list.tsx'
import { Day } from '../../parts/instant.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useList } from '../../parts/use-list.ts'
import { useListAddress } from '../../parts/use-list-address.ts'
import { activeColumn, activeFilter, isActiveOf } from './active-filter.tsx'
import { CourseDialog } from './course-dialog.tsx'

export type Course = RowOf<'listCourses'>

export function CoursesTab() {
  const { t } = useTranslation()
  const { can } = useSession()
  const address = useListAddress()
  const query = useList('listCourses', address, isActiveOf(address.search))
  const columns = useMemo<Column<Course>[]>(
    () => [
      { id: 'name', title: t('fields.name'), cell: ({ name }) => name },
      { id: 'code', title: t('offerings.code'), cell: ({ course_code }) => course_code },
      { id: 'school', title: t('offerings.faculty'), cell: ({ school_name }) => school_name },
      moneyColumn('price', t('fields.listPrice'), ({ listed_price, currency }) => [listed_price, currency]),
      { id: 'start', title: t('offerings.starts'), cell: ({ start_time }) => <Day at={start_time} /> },
      { id: 'end', title: t('offerings.ends'), isExtra: true, cell: ({ end_time }) => <Day at={end_time} /> },
      activeColumn(t),
    ],
    [t],
  )
  return (
    <EditableList
      name="courses"
      label={t('offerings.courses')}
      columns={columns}
      rowId={({ course_id }) => course_id}
      query={query}
      address={address}
      filters={[activeFilter(t)]}
      add={t('offerings.addCourse')}
      isEditable={can('finance')}
      empty={{ text: t('offerings.noCourses'), icon: 'offerings' }}
      dialog={(course, close) => <CourseDialog course={course} onClose={close} />}
    />
  )
}

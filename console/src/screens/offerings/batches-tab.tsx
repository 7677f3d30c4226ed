import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import type { RowOf } from '../../calls/call.ts'
import { EditableList } from '../../parts/editable-list.tsx'
import { Day } from '../../parts/instant.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useCourseOptions } from '../../parts/use-course-options.ts'
import { useList } from '../../parts/use-list.ts'
import { useListAddress } from '../../parts/use-list-address.ts'
import { activeColumn, activeFilter, isActiveOf } from './active-filter.tsx'
import { BatchDialog } from './batch-dialog.tsx'

export type Batch = RowOf<'listBatches'>

export function BatchesTab() {
  const { t } = useTranslation()
  const { can } = useSession()
  const address = useListAddress()
  const courses = useCourseOptions('course_id')
  const { course: course_id } = address.search
  const query = useList('listBatches', address, { ...isActiveOf(address.search), course_id })
  const columns = useMemo<Column<Batch>[]>(
    () => [
      { id: 'name', title: t('fields.name'), cell: ({ name }) => name },
      {
        id: 'course',
        title: t('fields.course'),
        cell: ({ course_id }) => courses.find(({ value }) => value === course_id)?.label,
      },
      { id: 'start', title: t('offerings.starts'), cell: ({ start_date }) => <Day at={start_date} /> },
      { id: 'end', title: t('offerings.ends'), cell: ({ end_date }) => <Day at={end_date} /> },
      activeColumn(t),
    ],
    [t, courses],
  )
  return (
    <EditableList
      name="batches"
      label={t('offerings.batches')}
      columns={columns}
      rowId={({ batch_id }) => batch_id}
      query={query}
      address={address}
      filters={[
        { kind: 'choice', name: 'course', label: t('fields.course'), options: courses },
        activeFilter(t),
      ]}
      add={t('offerings.addBatch')}
      isEditable={can('write')}
      empty={{ text: t('offerings.noBatches'), icon: 'today' }}
      dialog={(batch, close) => <BatchDialog batch={batch} courses={courses} onClose={close} />}
    />
  )
}

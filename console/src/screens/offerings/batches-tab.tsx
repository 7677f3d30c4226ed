import { Checkbox, Group, Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { type RowOf, useAction } from '../../calls/call.ts'
import { DateField } from '../../parts/date-field.tsx'
import { EditableList } from '../../parts/editable-list.tsx'
import { dayColumn } from '../../parts/plain-table.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useCourseOptions } from '../../parts/use-advisers.ts'
import { useList, useListAddress } from '../../parts/use-list-address.ts'
import { activeColumn, activeFilter, isActiveOf } from './active-filter.tsx'

type Batch = RowOf<'listBatches'>

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
      dayColumn('start', t('offerings.starts'), ({ start_date }) => start_date),
      dayColumn('end', t('offerings.ends'), ({ end_date }) => end_date),
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

interface BatchDialogProps {
  batch: Batch | undefined
  courses: { value: string; label: string }[]
  onClose(): void
}

/** Adds or edits an intake. Its course is fixed once it exists. */
function BatchDialog({ batch, courses, onClose }: BatchDialogProps) {
  const { t } = useTranslation()
  const { run } = useAction('upsertBatch')
  const { values, getInputProps } = useForm({
    initialValues: {
      course_id: batch?.course_id ?? '',
      name: batch?.name ?? '',
      start_date: batch?.start_date ?? '',
      end_date: batch?.end_date ?? '',
      is_active: batch?.is_active ?? true,
    },
  })
  const { course_id, ...fields } = values
  const { name } = fields
  return (
    <PreviewDialog
      title={t(batch ? 'offerings.editBatch' : 'offerings.addBatch')}
      confirmLabel={t('common.save')}
      isIncomplete={name.trim() === '' || course_id === ''}
      onClose={onClose}
      act={async () => {
        await run(
          batch ? { ...fields, batch_id: batch.batch_id, version: batch.version } : { ...fields, course_id },
        )
        return { said: t('common.saved', { name }) }
      }}
    >
      <Select
        label={t('fields.course')}
        data={courses}
        {...getInputProps('course_id')}
        disabled={batch !== undefined}
        searchable
        required
      />
      <TextInput label={t('fields.name')} {...getInputProps('name')} required />
      <Group grow>
        <DateField label={t('offerings.starts')} {...getInputProps('start_date')} />
        <DateField label={t('offerings.ends')} {...getInputProps('end_date')} />
      </Group>
      <Checkbox label={t('offerings.acceptsOrders')} {...getInputProps('is_active', { type: 'checkbox' })} />
    </PreviewDialog>
  )
}

import { Checkbox, Group, Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../calls/use-action.ts'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import type { Batch } from './batches-tab.tsx'

interface BatchDialogProps {
  batch: Batch | undefined
  courses: { value: string; label: string }[]
  onClose(): void
}

/** Adds or edits an intake. Its course is fixed once it exists. */
export function BatchDialog({ batch, courses, onClose }: BatchDialogProps) {
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
        <TextInput label={t('offerings.starts')} type="date" {...getInputProps('start_date')} />
        <TextInput label={t('offerings.ends')} type="date" {...getInputProps('end_date')} />
      </Group>
      <Checkbox label={t('offerings.acceptsOrders')} {...getInputProps('is_active', { type: 'checkbox' })} />
    </PreviewDialog>
  )
}

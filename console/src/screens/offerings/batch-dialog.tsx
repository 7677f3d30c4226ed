import { Checkbox, Group, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../calls/use-action.ts'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import type { Batch } from './batches-tab.tsx'

interface BatchDialogProps {
  batch: Batch | undefined
  courses: { value: string; label: string }[]
  onClose(): void
}

/** Makes an intake of a course, or changes one; its course never changes. */
export function BatchDialog({ batch, courses, onClose }: BatchDialogProps) {
  const { t } = useTranslation()
  const { run } = useAction('upsertBatch')
  const [courseId, setCourseId] = useState<string | null>(batch?.course_id ?? null)
  const [name, setName] = useState(batch?.name ?? '')
  const [start, setStart] = useState(batch?.start_date ?? '')
  const [end, setEnd] = useState(batch?.end_date ?? '')
  const [isActive, setActive] = useState(batch?.is_active ?? true)

  const act = async () => {
    await run({
      ...(batch ? { batch_id: batch.batch_id, version: batch.version } : { course_id: courseId! }),
      ...{ name, start_date: start, end_date: end, is_active: isActive },
    })
    return { said: t('offerings.batchSaved', { name }) }
  }
  return (
    <PreviewDialog
      title={t(batch ? 'offerings.editBatch' : 'offerings.addBatch')}
      confirmLabel={t('common.save')}
      isIncomplete={name.trim() === '' || courseId === null}
      onClose={onClose}
      act={act}
    >
      <Select
        label={t('offerings.course')}
        data={courses}
        value={courseId}
        onChange={setCourseId}
        disabled={batch !== undefined}
        searchable
        required
      />
      <TextInput
        label={t('offerings.name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
      />
      <Group grow>
        <TextInput
          label={t('offerings.starts')}
          type="date"
          value={start}
          onChange={(event) => setStart(event.currentTarget.value)}
        />
        <TextInput
          label={t('offerings.ends')}
          type="date"
          value={end}
          onChange={(event) => setEnd(event.currentTarget.value)}
        />
      </Group>
      <Checkbox
        label={t('offerings.acceptsOrders')}
        checked={isActive}
        onChange={(event) => setActive(event.currentTarget.checked)}
      />
    </PreviewDialog>
  )
}

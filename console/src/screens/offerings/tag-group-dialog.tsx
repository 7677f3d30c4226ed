import { Autocomplete, Group, Select, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../calls/use-action.ts'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import type { TagGroup } from './tag-groups-tab.tsx'

interface TagGroupDialogProps {
  group: TagGroup | undefined
  categories: string[]
  onClose(): void
}

const kinds = ['define', 'number', 'string'] as const

export function TagGroupDialog({ group, categories, onClose }: TagGroupDialogProps) {
  const { t } = useTranslation()
  const create = useAction('createTagGroup')
  const update = useAction('updateTagGroup')
  const { values, getInputProps } = useForm({
    initialValues: {
      name: group?.name ?? '',
      variable_name: group?.variable_name ?? '',
      category: group?.category ?? '',
      attribute: group?.attribute ?? 'define',
      description: group?.description ?? '',
    },
  })
  return (
    <PreviewDialog
      title={t(group ? 'offerings.editTagGroup' : 'offerings.addTagGroup')}
      confirmLabel={t('common.save')}
      isIncomplete={Object.values(values).some((text) => text.trim() === '')}
      onClose={onClose}
      act={async () => {
        if (group) await update.run({ entity_id: group.entity_id, ...values })
        else await create.run(values)
        return { said: t('common.saved', { name: values.name }) }
      }}
    >
      <TextInput label={t('fields.name')} {...getInputProps('name')} required data-autofocus />
      <Group grow align="flex-start">
        <Autocomplete
          label={t('offerings.category')}
          data={categories}
          {...getInputProps('category')}
          required
        />
        <Select
          label={t('offerings.kind')}
          data={kinds.map((value) => ({ value, label: t(`offerings.kinds.${value}`) }))}
          {...getInputProps('attribute')}
          allowDeselect={false}
        />
      </Group>
      <TextInput
        label={t('offerings.variable')}
        description={t('offerings.variableHint')}
        {...getInputProps('variable_name')}
        required
      />
      <Textarea
        label={t('offerings.description')}
        {...getInputProps('description')}
        autosize
        minRows={2}
        required
      />
    </PreviewDialog>
  )
}

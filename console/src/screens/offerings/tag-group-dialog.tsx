import { Autocomplete, Group, Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
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
  const [name, setName] = useState(group?.name ?? '')
  const [variable, setVariable] = useState(group?.variable_name ?? '')
  const [category, setCategory] = useState(group?.category ?? '')
  const [attribute, setAttribute] = useState<TagGroup['attribute']>(group?.attribute ?? 'define')
  const [description, setDescription] = useState(group?.description ?? '')

  const act = async () => {
    const fields = { name, variable_name: variable, category, attribute, description }
    if (group) await update.run({ entity_id: group.entity_id, ...fields })
    else await create.run(fields)
    return { said: t('offerings.tagGroupSaved', { name }) }
  }
  const isIncomplete = [name, variable, category, description].some((text) => text.trim() === '')
  return (
    <PreviewDialog
      title={t(group ? 'offerings.editTagGroup' : 'offerings.addTagGroup')}
      confirmLabel={t('common.save')}
      isIncomplete={isIncomplete}
      onClose={onClose}
      act={act}
    >
      <TextInput
        label={t('offerings.name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        data-autofocus
      />
      <Group grow align="flex-start">
        <Autocomplete
          label={t('offerings.category')}
          data={categories}
          value={category}
          onChange={setCategory}
          required
        />
        <Select
          label={t('offerings.kind')}
          data={kinds.map((value) => ({ value, label: t(`offerings.kinds.${value}`) }))}
          value={attribute}
          onChange={(value) => setAttribute((value ?? 'define') as TagGroup['attribute'])}
          allowDeselect={false}
        />
      </Group>
      <TextInput
        label={t('offerings.variable')}
        description={t('offerings.variableHint')}
        value={variable}
        onChange={(event) => setVariable(event.currentTarget.value)}
        required
      />
      <Textarea
        label={t('offerings.description')}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        autosize
        minRows={2}
        required
      />
    </PreviewDialog>
  )
}

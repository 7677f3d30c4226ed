import { Autocomplete, Button, Group, Select, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { type RowOf, useAction, useCall } from '../../calls/call.ts'
import { EditableList } from '../../parts/editable-list.tsx'
import { PreviewDialog, perform } from '../../parts/preview-dialog.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { pageSize, useListAddress } from '../../parts/use-list-address.ts'
import { activeColumn } from './active-filter.tsx'

type TagGroup = RowOf<'listAllTagGroups'>

export function TagGroupsTab() {
  const { t } = useTranslation()
  const { can } = useSession()
  const address = useListAddress()
  const { data, error } = useCall('listAllTagGroups', {})
  const categories = useMemo(() => [...new Set(data?.list.map(({ category }) => category))], [data])
  const { category } = address.search
  const found = data?.list.filter((group) => !category || group.category === category)
  const list = found?.slice(address.page * pageSize, (address.page + 1) * pageSize)
  const columns = useMemo<Column<TagGroup>[]>(
    () => [
      { id: 'name', title: t('fields.name'), cell: ({ name }) => name },
      { id: 'category', title: t('offerings.category'), cell: ({ category }) => category },
      { id: 'kind', title: t('offerings.kind'), cell: ({ attribute }) => t(`offerings.kinds.${attribute}`) },
      { id: 'variable', title: t('offerings.variable'), isExtra: true, cell: (group) => group.variable_name },
      { id: 'description', title: t('offerings.description'), cell: ({ description }) => description },
      activeColumn(t),
      {
        id: 'switch',
        title: t('activity.action'),
        card: 'action',
        cell: (group) => can('write') && <TagGroupSwitch group={group} />,
      },
    ],
    [t, can],
  )
  const options = categories.map((value) => ({ value, label: value }))
  return (
    <EditableList
      name="tag-groups"
      label={t('offerings.tagGroups')}
      columns={columns}
      rowId={({ entity_id }) => entity_id}
      query={{ data: list && { list, total: found?.length }, error }}
      address={address}
      filters={[{ kind: 'choice', name: 'category', label: t('offerings.category'), options }]}
      add={t('offerings.addTagGroup')}
      isEditable={can('write')}
      empty={{ text: t('offerings.noTagGroups'), icon: 'tag' }}
      dialog={(group, close) => <TagGroupDialog group={group} categories={categories} onClose={close} />}
    />
  )
}

/** An inactive group takes no new tags; existing tags stay. */
function TagGroupSwitch({ group: { entity_id, name, is_active } }: { group: TagGroup }) {
  const { t } = useTranslation()
  const activate = useAction('activateTagGroup')
  const deactivate = useAction('deactivateTagGroup')
  const [change, undo] = is_active ? [deactivate, activate] : [activate, deactivate]
  const said = t(is_active ? 'offerings.tagGroupDeactivated' : 'offerings.tagGroupActivated', { name })
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      loading={change.isRunning}
      onClick={() =>
        void perform(change.run({ entity_id }), () => ({ said, undo: () => undo.run({ entity_id }) }))
      }
    >
      {t(is_active ? 'offerings.deactivate' : 'offerings.activate')}
    </Button>
  )
}

interface TagGroupDialogProps {
  group: TagGroup | undefined
  categories: string[]
  onClose(): void
}

const kinds = ['define', 'number', 'string'] as const

function TagGroupDialog({ group, categories, onClose }: TagGroupDialogProps) {
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

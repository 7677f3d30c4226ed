import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import type { RowOf } from '../../calls/call.ts'
import { useAction } from '../../calls/use-action.ts'
import { useCall } from '../../calls/use-call.ts'
import { EditableList } from '../../parts/editable-list.tsx'
import { perform } from '../../parts/say-done.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { pageSize, useListAddress } from '../../parts/use-list-address.ts'
import { activeColumn } from './active-filter.tsx'
import { TagGroupDialog } from './tag-group-dialog.tsx'

export type TagGroup = RowOf<'listAllTagGroups'>

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

import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import type { RowOf } from '../../calls/call.ts'
import { useAction } from '../../calls/use-action.ts'
import { useCall } from '../../calls/use-call.ts'
import { AddButton } from '../../parts/add-button.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { sayDone } from '../../parts/say-done.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { pageSize, useListAddress } from '../../parts/use-list-address.ts'
import { ActiveBadge } from './active-badge.tsx'
import { TagGroupDialog } from './tag-group-dialog.tsx'

export type TagGroup = RowOf<'listAllTagGroups'>

export function TagGroupsTab() {
  const { t } = useTranslation()
  const { can } = useSession()
  const address = useListAddress()
  const [edited, setEdited] = useState<TagGroup | 'new'>()
  const { data, error } = useCall('listAllTagGroups', {})
  const categories = useMemo(() => [...new Set(data?.list.map(({ category }) => category))], [data])
  const { category } = address.search
  const found = data?.list.filter((group) => !category || group.category === category)
  const shown = found?.slice(address.page * pageSize, (address.page + 1) * pageSize)
  const columns = useMemo<Column<TagGroup>[]>(
    () => [
      { id: 'name', title: t('offerings.name'), cell: ({ name }) => name },
      { id: 'category', title: t('offerings.category'), cell: ({ category }) => category },
      { id: 'kind', title: t('offerings.kind'), cell: ({ attribute }) => t(`offerings.kinds.${attribute}`) },
      { id: 'variable', title: t('offerings.variable'), isExtra: true, cell: (group) => group.variable_name },
      { id: 'description', title: t('offerings.description'), cell: ({ description }) => description },
      {
        id: 'state',
        title: t('offerings.state'),
        cell: ({ is_active }) => <ActiveBadge isActive={is_active} />,
      },
      {
        id: 'switch',
        title: t('offerings.action'),
        cell: (group) => can('write') && <TagGroupSwitch group={group} />,
      },
    ],
    [t, can],
  )
  const add = can('write') && (
    <AddButton label={t('offerings.addTagGroup')} onClick={() => setEdited('new')} />
  )
  return (
    <>
      <DataTable
        name="tag-groups"
        label={t('offerings.tagGroups')}
        columns={columns}
        rowId={({ entity_id }) => entity_id}
        rows={shown}
        total={found?.length}
        page={address.page}
        onPage={address.setPage}
        error={error}
        toolbar={
          <FilterBar
            address={address}
            filters={[
              {
                kind: 'choice',
                name: 'category',
                label: t('offerings.category'),
                options: categories.map((value) => ({ value, label: value })),
              },
            ]}
          />
        }
        actions={add}
        onOpen={can('write') ? setEdited : undefined}
        empty={
          <EmptyState text={t('offerings.noTagGroups')} icon="tag">
            {add}
          </EmptyState>
        }
      />
      {edited && (
        <TagGroupDialog
          group={edited === 'new' ? undefined : edited}
          categories={categories}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}

/** An inactive group takes no new tags; those that people have stay. */
function TagGroupSwitch({ group }: { group: TagGroup }) {
  const { t } = useTranslation()
  const activate = useAction('activateTagGroup')
  const deactivate = useAction('deactivateTagGroup')
  const { entity_id, name, is_active } = group
  const change = async () => {
    const [doIt, undo] = is_active ? [deactivate, activate] : [activate, deactivate]
    await doIt.run({ entity_id })
    sayDone({
      said: t(is_active ? 'offerings.tagGroupDeactivated' : 'offerings.tagGroupActivated', { name }),
      undo: () => undo.run({ entity_id }),
    })
  }
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      loading={activate.isRunning || deactivate.isRunning}
      onClick={() => void change()}
    >
      {t(is_active ? 'offerings.deactivate' : 'offerings.activate')}
    </Button>
  )
}

import { ActionIcon, Button, Checkbox, Group, Menu, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { localSetting } from '../app/local-setting.ts'
import { parseSearch, type Search, stringifySearch, useSession } from '../app/session.tsx'
import { call, type RowOf, useAction, useCall } from '../calls/call.ts'
import { Icon } from './icon.tsx'
import { PreviewDialog, perform } from './preview-dialog.tsx'
import type { ListAddress } from './use-list-address.ts'

type View = RowOf<'listViews'>

interface SavedViewsProps {
  screen: View['screen']
  /** The name under which the table stores its columns. */
  table: string
  address: ListAddress
  /** The built-in views. */
  usual: { name: string; search: Search }[]
  /** Called after the stored columns change: the table must mount again. */
  onColumns(): void
}

/** The built-in, own and shared views of a list. A view is filters and columns. */
export function SavedViews({ screen, table, address, usual, onColumns }: SavedViewsProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { data } = useCall('listViews', { screen })
  const [isSaving, setSaving] = useState(false)
  const here = filtersOf(address.search)
  const { tab } = address.search
  const open = (search: Search) => void navigate({ to: '.', search: { ...search, tab } as never })
  const openView = (view: View) => {
    if (view.columns.length > 0) {
      localSetting(`columns.${table}`).write(view.columns.join(','))
      onColumns()
    }
    open(parseSearch(view.filters))
  }
  return (
    <Group gap={4} mb="xs" role="group" aria-label={t('views.title')}>
      {usual.map(({ name, search }) => (
        <ViewButton key={name} name={name} isOpen={here === filtersOf(search)} onOpen={() => open(search)} />
      ))}
      {data?.list.map((view) => (
        <Group key={view.view_id} gap={0} wrap="nowrap">
          <ViewButton
            name={view.name}
            isOpen={here === filtersOf(parseSearch(view.filters))}
            onOpen={() => openView(view)}
          />
          <ViewMenu view={view} />
        </Group>
      ))}
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        leftSection={<Icon name="add" size={12} />}
        onClick={() => setSaving(true)}
      >
        {t('views.save')}
      </Button>
      {isSaving && (
        <SaveViewDialog screen={screen} table={table} filters={here} onClose={() => setSaving(false)} />
      )}
    </Group>
  )
}

/** The filters of a view in a fixed order, without page and tab. */
function filtersOf({ page: _page, tab: _tab, ...search }: Search): string {
  const sorted = Object.entries(search)
    .filter(([, value]) => value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return stringifySearch(Object.fromEntries(sorted)).replace(/^\?/, '')
}

function ViewButton({ name, isOpen, onOpen }: { name: string; isOpen: boolean; onOpen(): void }) {
  return (
    <Button
      size="compact-sm"
      variant={isOpen ? 'light' : 'subtle'}
      color={isOpen ? undefined : 'gray'}
      aria-pressed={isOpen}
      onClick={onOpen}
    >
      {name}
    </Button>
  )
}

function ViewMenu({ view }: { view: View }) {
  const { t } = useTranslation()
  const { organization } = useSession()
  const remove = useAction('deleteView')
  if (!view.is_own && organization.role !== 'admin') return null
  const forget = async () => {
    const { view_id, is_own: _, ...saved } = view
    await perform(remove.run({ view_id }), () => ({
      said: t('views.deleted', { name: view.name }),
      undo: () => call('saveView', saved),
    }))
  }
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon
          size="xs"
          variant="subtle"
          color="gray"
          aria-label={t('views.actions', { name: view.name })}
        >
          <Icon name="more" size={12} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="trash" size={14} />} onClick={() => void forget()}>
          {t('views.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function SaveViewDialog({
  screen,
  table,
  filters,
  onClose,
}: {
  screen: View['screen']
  table: string
  filters: string
  onClose(): void
}) {
  const { t } = useTranslation()
  const { can } = useSession()
  const [name, setName] = useState('')
  const [isShared, setShared] = useState(false)
  const save = useAction('saveView')
  const columns = localSetting(`columns.${table}`).read()?.split(',') ?? []
  return (
    <PreviewDialog
      title={t('views.save')}
      confirmLabel={t('common.save')}
      isIncomplete={name.trim() === ''}
      onClose={onClose}
      act={async () => {
        const { view_id } = await save.run({
          screen,
          name: name.trim(),
          filters,
          columns,
          is_shared: isShared,
        })
        return { said: t('common.saved', { name }), undo: () => call('deleteView', { view_id }) }
      }}
    >
      <TextInput
        label={t('views.name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={200}
        data-autofocus
      />
      {can('write') && (
        <Checkbox
          label={t('views.shared')}
          checked={isShared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
      )}
    </PreviewDialog>
  )
}

import { List, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { call, type DataOf, type InputOf, useAction, useCall } from '../../calls/call.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { useAdvisers, usePoolName } from '../../parts/use-advisers.ts'

export type BulkChange = 'owner' | 'pool' | 'tag'

/** Selected people, or all who match the filters of the list. */
export type BulkPeople =
  | { user_ids: string[] }
  | { filter: InputOf<'bulkUpdateUsers'>['filter']; count: number }

/** People that the preview names. */
const named = 5

/** Changes many people at once after a preview; the change can be undone. */
export function BulkDialog({
  change,
  people,
  onClose,
  onDone,
}: {
  change: BulkChange
  people: BulkPeople
  onClose(): void
  onDone(): void
}) {
  const { t } = useTranslation()
  const [edit, setEdit] = useState<Partial<InputOf<'bulkUpdateUsers'>>>()
  const update = useAction('bulkUpdateUsers')
  const chosen = 'filter' in people ? { filter: people.filter } : people
  const input = { ...chosen, ...edit }
  const preview = useCall('bulkUpdateUsers', { ...input, dry_run: true }, { enabled: edit !== undefined })
  const { matched = 0 } = preview.data ?? {}
  // In a large edit, the service decides while it runs.
  const isLarge = preview.data?.changed === null
  const changed = preview.data?.changed ?? matched
  const unchanged = preview.data?.unchanged ?? 0
  return (
    <PreviewDialog
      title={t(`people.bulk.${change}`)}
      confirmLabel={changed > 0 ? t('people.bulk.apply', { count: changed }) : t(`people.bulk.${change}`)}
      isIncomplete={!edit || !preview.data || changed === 0}
      onClose={onClose}
      act={async () => {
        const { batch_id, matched, changed } = await update.run(input)
        onDone()
        return {
          said:
            changed === null
              ? t('people.bulk.started', { count: matched })
              : t('people.bulk.done', { count: changed }),
          undo: () => call('undoChanges', { batch_id }),
        }
      }}
    >
      <Text size="sm">
        {t('people.bulk.chosen', { count: 'filter' in people ? people.count : people.user_ids.length })}
      </Text>
      {change === 'owner' && <OwnerChange onChange={setEdit} />}
      {change === 'pool' && <PoolChange onChange={setEdit} />}
      {change === 'tag' && <TagChange onChange={setEdit} />}
      {preview.error && edit && <ErrorNotice error={preview.error} />}
      {preview.data && edit && (
        <>
          <Text size="sm" c="dimmed" aria-live="polite">
            {isLarge
              ? t('people.bulk.willInBackground', { count: matched })
              : t('people.bulk.will', { changed, unchanged })}
          </Text>
          <Sample list={preview.data.list} />
        </>
      )}
    </PreviewDialog>
  )
}

/** The first people who change, as they will be. */
function Sample({ list }: { list: DataOf<'bulkUpdateUsers'>['list'] }) {
  const { t } = useTranslation()
  const { nameOf } = useAdvisers()
  const poolName = usePoolName()
  const changing = list.filter(({ outcome }) => outcome === 'changed').slice(0, named)
  if (changing.length === 0) return null
  return (
    <List size="sm" aria-label={t('people.bulk.sample')}>
      {changing.map(({ user_id, name, pool, owner_ids, tags }) => (
        <List.Item key={user_id}>
          {[
            name || user_id,
            poolName(pool),
            owner_ids.map(nameOf).join(t('common.listComma')) || t('people.lead.noAdviser'),
            ...(tags > 0 ? [t('people.bulk.tags', { count: tags })] : []),
          ].join(' · ')}
        </List.Item>
      ))}
    </List>
  )
}

type Edit = Partial<InputOf<'bulkUpdateUsers'>> | undefined

function OwnerChange({ onChange }: { onChange(edit: Edit): void }) {
  const { t } = useTranslation()
  const { options } = useAdvisers()
  const [adds, setAdds] = useState('add')
  const [owner, setOwner] = useState<string | null>(null)
  const tell = (kind: string, owner: string | null) => {
    setAdds(kind)
    setOwner(owner)
    const members = kind === 'add' ? { add_owner_ids: [owner!] } : { remove_owner_ids: [owner!] }
    onChange(owner ? members : undefined)
  }
  return (
    <Stack gap="xs">
      <Select
        label={t('activity.action')}
        data={[
          { value: 'add', label: t('people.addOwner') },
          { value: 'remove', label: t('people.bulk.removeOwner') },
        ]}
        value={adds}
        allowDeselect={false}
        onChange={(kind) => tell(kind!, owner)}
      />
      <Select
        label={t('fields.adviser')}
        data={options}
        value={owner}
        searchable
        onChange={(chosen) => tell(adds, chosen)}
      />
    </Stack>
  )
}

function PoolChange({ onChange }: { onChange(edit: Edit): void }) {
  const { t } = useTranslation()
  const { organization } = useSession()
  const poolName = usePoolName()
  return (
    <Select
      label={t('people.pool')}
      data={organization.pools.map((pool) => ({ value: pool, label: poolName(pool) }))}
      onChange={(pool) => onChange(pool ? { pool } : undefined)}
    />
  )
}

function TagChange({ onChange }: { onChange(edit: Edit): void }) {
  return (
    <TagFields
      onChange={(tags_group_id, value) => onChange(value ? { tags: [{ tags_group_id, value }] } : undefined)}
    />
  )
}

/** The value of a yes/no tag, unless another is chosen. */
const usual = 'true'

/** Fields for a tag group and a value; the value is null until both are chosen. */
export function TagFields({ onChange }: { onChange(groupId: string, value: string | null): void }) {
  const { t } = useTranslation()
  const { data } = useCall('listAllTagGroups', {})
  const [groupId, setGroupId] = useState('')
  const group = data?.list.find(({ entity_id }) => entity_id === groupId)
  return (
    <Stack gap="xs">
      <Select
        label={t('people.tag')}
        data={data?.list
          .filter(({ is_active }) => is_active)
          .map(({ entity_id, name }) => ({ value: entity_id, label: name }))}
        value={groupId || null}
        searchable
        onChange={(chosen) => {
          setGroupId(chosen ?? '')
          const { attribute } = data?.list.find(({ entity_id }) => entity_id === chosen) ?? {}
          onChange(chosen ?? '', attribute === 'define' ? usual : null)
        }}
      />
      {group && (
        <TagValueInput
          key={groupId}
          attribute={group.attribute}
          onChange={(value) => onChange(groupId, value)}
        />
      )}
    </Stack>
  )
}

/** A field for a tag's value, by the kind of its group. */
function TagValueInput({ attribute, onChange }: { attribute: string; onChange(value: string | null): void }) {
  const { t } = useTranslation()
  if (attribute === 'define')
    return (
      <Select
        label={t('people.tagValue')}
        data={[
          { value: 'true', label: t('common.yes') },
          { value: 'false', label: t('common.no') },
        ]}
        defaultValue={usual}
        allowDeselect={false}
        onChange={onChange}
      />
    )
  return (
    <TextInput
      label={t('people.tagValue')}
      inputMode={attribute === 'number' ? 'decimal' : 'text'}
      onChange={(event) => onChange(event.currentTarget.value.trim() || null)}
    />
  )
}

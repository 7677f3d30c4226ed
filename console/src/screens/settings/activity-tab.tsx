import { operations } from 'virtual:operations'
import { Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAttempt } from '../../app/session.tsx'
import { allPages, mostRows, useCall } from '../../calls/call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Instant } from '../../parts/instant.tsx'
import { PlainTable, timeColumn } from '../../parts/plain-table.tsx'
import { csvOf, saveFile } from '../../parts/save-file.ts'
import type { Column } from '../../parts/table-rows.tsx'
import { useList, useListAddress } from '../../parts/use-list-address.ts'
import { useReturnedFocus } from '../../parts/use-returned-focus.ts'
import { type Activity, ActivitySentence, useFieldName, useValueText } from './activity-sentence.tsx'
import { useActionName } from './use-action-name.ts'
import { useRecordName } from './use-record-name.ts'

const actions = ['made', 'changed', 'removed', 'revealed', 'exported', 'erased'] as const

const exported = [
  ...(['seq', 'time', 'actor_kind', 'actor_id', 'address', 'operation', 'action', 'record_type'] as const),
  ...(['record_id', 'version', 'before', 'after', 'request_id'] as const),
]
const operationOptions = Object.keys(operations)
  .toSorted()
  .map((id) => ({ value: id, label: id }))

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The activity log, newest first. Reading it adds no visible entry. */
export function ActivityTab() {
  const { t, i18n } = useTranslation()
  const address = useListAddress()
  const [open, setOpen] = useState<Activity>()
  const staff = useCall('listStaff', {}).data?.list
  const recordName = useRecordName()
  const programs = useCall('listApiAccounts', {}).data?.list
  const support = useCall('listSupportGrants', {}).data?.list
  const download = useAttempt()
  const { who, kind, person, action, operation, from, until, record } = address.search
  const filters = {
    ...(who && { actor_id: who }),
    ...(actions.some((each) => each === action) && { action: action as Activity['action'] }),
    ...(operation && { operation }),
    ...(from && { start_date: from }),
    ...(until && { end_date: until }),
    ...(record && { record_id: record }),
    ...(kind && { record_type: kind }),
    ...(person && { person_id: person }),
  }
  const newest_first = address.search.sort !== 'oldest'
  const query = useList('listAudit', address, { ...filters, newest_first, own_views: false })
  const { data } = query
  const actors = useMemo(
    () => [
      ...(staff?.map(({ staff_id, name }) => ({ value: staff_id, label: name })) ?? []),
      ...(programs?.map(({ app_id, name }) => ({ value: app_id, label: name })) ?? []),
      ...(support?.map(({ grant_id, name }) => ({ value: grant_id, label: t('support.actor', { name }) })) ??
        []),
    ],
    [staff, programs, support, t],
  )
  const nameOf = useCallback((id: string) => actors.find(({ value }) => value === id)?.label ?? id, [actors])
  const exportAll = () =>
    download.attempt(async () => {
      const entries = await allPages('exportAudit', filters)
      const rows = entries.map((entry) => exported.map((name) => textOf(entry[name])))
      saveFile(t('activity.fileName'), csvOf([[...exported], ...rows]))
    })
  const columns = useMemo<Column<Activity>[]>(
    () => [
      timeColumn('time', t('activity.time'), ({ time }) => time, { sorts: ['oldest', 'newest'] }),
      {
        id: 'what',
        card: 'title',
        title: t('activity.what'),
        cell: (entry) => <ActivitySentence entry={entry} nameOf={nameOf} />,
      },
      { id: 'kind', title: t('activity.record'), cell: ({ record_type }) => recordName(record_type) },
      { id: 'record', title: t('activity.id'), isExtra: true, cell: ({ record_id }) => record_id },
      { id: 'operation', title: t('activity.operation'), isExtra: true, cell: ({ operation }) => operation },
      { id: 'address', title: t('activity.address'), isExtra: true, cell: (entry) => entry.address },
    ],
    [t, nameOf, recordName],
  )
  const kinds = Object.keys(i18n.getResource(i18n.language, 'words', 'activity.records') as object)
  const personName = data?.list.find(({ subject_id }) => subject_id === person)?.subject_name
  return (
    <>
      {download.error !== undefined && <ErrorNotice error={download.error} />}
      {(data?.total ?? 0) > mostRows && <Hint>{t('activity.exportFirst', { count: mostRows })}</Hint>}
      {person && (
        <Button
          size="compact-sm"
          variant="light"
          mb="xs"
          rightSection={<Icon name="close" size={12} />}
          aria-label={t('activity.everybody')}
          onClick={() => address.setFilters({ person: undefined })}
        >
          {personName || t('activity.somebody')}
        </Button>
      )}
      <DataTable
        name="activity"
        label={t('activity.title')}
        columns={columns}
        rowId={({ entry_id }) => entry_id}
        query={query}
        address={address}
        onOpen={setOpen}
        actions={
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="download" size={14} />}
            loading={download.isRunning}
            disabled={!data?.total}
            onClick={() => void exportAll()}
          >
            {t('activity.export')}
          </Button>
        }
        search={{ name: 'record', label: t('activity.byRecord') }}
        filters={[
          { kind: 'choice', name: 'who', label: t('activity.by'), options: actors },
          {
            ...{ kind: 'choice', name: 'kind', label: t('activity.record') },
            options: kinds.map((value) => ({ value, label: recordName(value) })),
          },
          {
            kind: 'choice',
            name: 'action',
            label: t('activity.action'),
            options: actions.map((value) => ({ value, label: t(`activity.actionNames.${value}`) })),
          },
          {
            ...{ kind: 'choice', name: 'operation', label: t('activity.operation'), isRare: true },
            options: operationOptions,
          },
          { kind: 'day', name: 'from', label: t('fields.from') },
          { kind: 'day', name: 'until', label: t('fields.until') },
        ]}
      />
      {open && (
        <ActivityDialog
          entry={open}
          nameOf={nameOf}
          onClose={() => setOpen(undefined)}
          onPerson={(id) => {
            setOpen(undefined)
            address.setFilters({ person: id, who: undefined, record: undefined })
          }}
        />
      )}
    </>
  )
}

interface ActivityDialogProps {
  entry: Activity
  /** The name of a person by id. */
  nameOf(id: string): string
  onClose(): void
  /** Lists everything about a person. */
  onPerson(id: string): void
}

/** One entry, with each field before and after. */
function ActivityDialog({ entry, nameOf, onClose, onPerson }: ActivityDialogProps) {
  const { t } = useTranslation()
  useReturnedFocus()
  const recordName = useRecordName()
  const actionName = useActionName()
  const members = [...new Set([...Object.keys(entry.before), ...Object.keys(entry.after)])]
  const fieldName = useFieldName()
  const valueText = useValueText(nameOf)
  const shown = (name: string, value: unknown) =>
    value === undefined || value === null ? '' : (valueText(name, value) ?? textOf(value))
  const place = { users: '/people', orders: '/orders' }[entry.record_type]
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={`${actionName(entry)} · ${recordName(entry.record_type)}`}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Stack gap="xs">
        <Text size="sm">
          <ActivitySentence entry={entry} nameOf={nameOf} />
        </Text>
        <Text size="sm" c="dimmed">
          <Instant at={entry.time} /> · {nameOf(entry.actor_id)} · {entry.operation}
        </Text>
        {place ? (
          <Anchor component={Link} to={`${place}/${entry.record_id}`} size="sm">
            {entry.record_id}
          </Anchor>
        ) : (
          <Text size="sm">{entry.record_id}</Text>
        )}
        {entry.subject_id !== '' && (
          <Group>
            <Button size="compact-sm" variant="default" onClick={() => onPerson(entry.subject_id)}>
              {t('activity.aboutPerson', { name: entry.subject_name || t('activity.somebody') })}
            </Button>
          </Group>
        )}
        {entry.is_erased && <Text size="sm">{t('activity.erased')}</Text>}
        {members.length > 0 && (
          <PlainTable
            rows={members}
            rowId={(name) => name}
            columns={[
              { id: 'field', title: t('activity.field'), cell: (name) => fieldName(name) },
              { id: 'before', title: t('activity.before'), cell: (name) => shown(name, entry.before[name]) },
              { id: 'after', title: t('activity.after'), cell: (name) => shown(name, entry.after[name]) },
            ]}
          />
        )}
        {entry.request_id && <Hint size="xs">{t('errors.requestId', { id: entry.request_id })}</Hint>}
      </Stack>
    </Modal>
  )
}

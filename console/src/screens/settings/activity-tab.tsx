import { operations } from 'virtual:operations'
import { Anchor, Button, Modal, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAttempt } from '../../app/session.tsx'
import { allPages, mostRows, type RowOf, useCall } from '../../calls/call.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { ErrorNotice, Hint } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Instant } from '../../parts/instant.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { csvOf, saveFile } from '../../parts/save-file.ts'
import type { Column } from '../../parts/table-rows.tsx'
import { usePoolName } from '../../parts/use-advisers.ts'
import { pageSize, useListAddress } from '../../parts/use-list-address.ts'
import { useActionName } from './use-action-name.ts'
import { useRecordName } from './use-record-name.ts'

type Activity = RowOf<'listAudit'>

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

/** The activity log. Without a page in the address it opens at the last page, which has the newest entries. */
export function ActivityTab() {
  const { t } = useTranslation()
  const address = useListAddress({ opensAtEnd: true })
  const [open, setOpen] = useState<Activity>()
  const staff = useCall('listStaff', {}).data?.list
  const recordName = useRecordName()
  const actionName = useActionName()
  const programs = useCall('listApiAccounts', {}).data?.list
  const download = useAttempt()
  const { who, action, operation, from, until, record } = address.search
  const filters = {
    ...(who && { actor_id: who }),
    ...(actions.some((each) => each === action) && { action: action as Activity['action'] }),
    ...(operation && { operation }),
    ...(from && { start_date: from }),
    ...(until && { end_date: until }),
    ...(record && { record_id: record }),
  }
  const count = useCall('listAudit', { ...filters, page_size: pageSize }, { keepsPrevious: true })
  const lastPage = Math.max(Math.ceil((count.data?.total ?? 0) / pageSize) - 1, 0)
  const page = address.search.page === undefined ? lastPage : address.page
  const read = useCall(
    'listAudit',
    { ...filters, page, page_size: pageSize },
    { enabled: count.data !== undefined && page > 0, keepsPrevious: true },
  )
  const data = page === 0 ? count.data : read.data
  const actors = useMemo(
    () => [
      ...(staff?.map(({ staff_id, name }) => ({ value: staff_id, label: name })) ?? []),
      ...(programs?.map(({ app_id, name }) => ({ value: app_id, label: name })) ?? []),
    ],
    [staff, programs],
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
      { id: 'time', title: t('activity.time'), cell: ({ time }) => <Instant at={time} /> },
      {
        id: 'who',
        title: t('activity.by'),
        cell: ({ actor_id }) => nameOf(actor_id),
      },
      { id: 'action', title: t('activity.action'), cell: (entry) => actionName(entry) },
      { id: 'kind', title: t('activity.record'), cell: ({ record_type }) => recordName(record_type) },
      { id: 'record', title: t('activity.id'), cell: ({ record_id }) => record_id },
      { id: 'operation', title: t('activity.operation'), cell: ({ operation }) => operation },
      { id: 'address', title: t('activity.address'), isExtra: true, cell: (entry) => entry.address },
    ],
    [t, nameOf, recordName, actionName],
  )
  const rows = useMemo(() => data?.list.toReversed(), [data])
  return (
    <>
      {download.error !== undefined && <ErrorNotice error={download.error} />}
      {(data?.total ?? 0) > mostRows && <Hint>{t('activity.exportFirst', { count: mostRows })}</Hint>}
      <DataTable
        name="activity"
        label={t('activity.title')}
        columns={columns}
        rowId={({ entry_id }) => entry_id}
        query={{ data: rows && { list: rows, total: data?.total }, error: count.error ?? read.error }}
        address={{ ...address, page }}
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
      {open && <ActivityDialog entry={open} nameOf={nameOf} onClose={() => setOpen(undefined)} />}
    </>
  )
}

interface ActivityDialogProps {
  entry: Activity
  /** The name of a person by id. */
  nameOf(id: string): string
  onClose(): void
}

const ofStaff = new Set(['owner_id', 'owner_ids', 'holder_id', 'executor_id', 'staff_id'])

/** One entry, with each field before and after. */
function ActivityDialog({ entry, nameOf, onClose }: ActivityDialogProps) {
  const { t } = useTranslation()
  const recordName = useRecordName()
  const actionName = useActionName()
  const members = [...new Set([...Object.keys(entry.before), ...Object.keys(entry.after)])]
  const poolName = usePoolName()
  const shown = (name: string, value: unknown): string => {
    if (value === undefined || value === null) return ''
    if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
      return value.map((each) => shown(name, each)).join(t('common.listComma'))
    if (typeof value !== 'string') return JSON.stringify(value)
    if (name === 'pool' || name === 'pools') return poolName(value)
    return ofStaff.has(name) ? nameOf(value) : value
  }
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
          <Instant at={entry.time} /> · {nameOf(entry.actor_id)} · {entry.operation}
        </Text>
        {place ? (
          <Anchor component={Link} to={`${place}/${entry.record_id}`} size="sm">
            {entry.record_id}
          </Anchor>
        ) : (
          <Text size="sm">{entry.record_id}</Text>
        )}
        {entry.is_erased && <Text size="sm">{t('activity.erased')}</Text>}
        {members.length > 0 && (
          <PlainTable
            rows={members}
            rowId={(name) => name}
            columns={[
              { id: 'field', title: t('activity.field'), cell: (name) => name },
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

import { Anchor, Modal, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Hint } from '../../parts/hint.tsx'
import { Instant } from '../../parts/instant.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { usePoolName } from '../../parts/use-pool-name.ts'
import type { Activity } from './activity-tab.tsx'
import { useActionName } from './use-action-name.ts'
import { useRecordName } from './use-record-name.ts'

interface ActivityDialogProps {
  entry: Activity
  /** The name of a person by id. */
  nameOf(id: string): string
  onClose(): void
}

const ofStaff = new Set(['owner_id', 'owner_ids', 'holder_id', 'executor_id', 'staff_id'])

/** One entry, with each field before and after. */
export function ActivityDialog({ entry, nameOf, onClose }: ActivityDialogProps) {
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

import { Anchor, Modal, Stack, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Instant } from '../../parts/instant.tsx'
import type { Activity } from './activity-tab.tsx'
import { useActionName } from './use-action-name.ts'
import { useRecordName } from './use-record-name.ts'

/** One entry: what was before and what after, member by member. */
export function ActivityDialog({ entry, onClose }: { entry: Activity; onClose(): void }) {
  const { t } = useTranslation()
  const recordName = useRecordName()
  const actionName = useActionName()
  const members = [...new Set([...Object.keys(entry.before), ...Object.keys(entry.after)])]
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
          <Instant at={entry.time} /> · {entry.actor_id} · {entry.operation}
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
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('activity.member')}</Table.Th>
                <Table.Th>{t('activity.before')}</Table.Th>
                <Table.Th>{t('activity.after')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {members.map((name) => (
                <Table.Tr key={name}>
                  <Table.Td>{name}</Table.Td>
                  <Table.Td>{shown(entry.before[name])}</Table.Td>
                  <Table.Td>{shown(entry.after[name])}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
        {entry.request_id && (
          <Text size="xs" c="dimmed">
            {t('errors.requestId', { id: entry.request_id })}
          </Text>
        )}
      </Stack>
    </Modal>
  )
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

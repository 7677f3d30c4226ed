import { Button, Group, List, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type RowOf, useCall } from '../../calls/call.ts'
import { Hint } from '../../parts/error-notice.tsx'
import { Instant } from '../../parts/instant.tsx'
import { EventNames, useRecordEvents } from '../../parts/record-events.tsx'
import { RecordBlock } from '../../parts/record-page.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'
import { OrderStatusBadge } from './order-status.tsx'

const few = 10

type Change = RowOf<'listHistory'>

const kinds = {
  all: () => true,
  status: ({ from_status, to_status }: Change) => from_status !== null && from_status !== to_status,
  remarks: ({ remark, reason }: Change) => Boolean(remark || reason),
}
type Kind = keyof typeof kinds

/** The changes of an order, newest first: all, those of the status, or those with words. */
export function OrderHistory({ order_id }: { order_id: string }) {
  const { t } = useTranslation()
  const { nameOf } = useAdvisers()
  const [isWhole, setWhole] = useState(false)
  const [kind, setKind] = useState<Kind>('all')
  const { data } = useCall('listHistory', { order_id, page_size: 1000 })
  const all = data?.list.toReversed() ?? []
  const changes = all.filter(kinds[kind])
  const eventsOf = useRecordEvents(order_id, all[0]?.time)
  const shown = isWhole ? changes : changes.slice(0, few)
  return (
    <RecordBlock
      title={t('orders.history')}
      end={
        <SegmentedControl
          size="xs"
          aria-label={t('record.filter')}
          value={kind}
          onChange={(value) => setKind(value as Kind)}
          data={[
            { value: 'all', label: t('common.all') },
            { value: 'status', label: t('fields.status') },
            { value: 'remarks', label: t('record.remarks') },
          ]}
        />
      }
    >
      {data && changes.length === 0 && <Hint>{t('record.nothing')}</Hint>}
      <List size="sm" listStyleType="none" spacing={6}>
        {shown.map(({ version, change, time, from_status, to_status, executor_id, reason, remark }) => (
          <List.Item key={version}>
            <Group gap="xs">
              <Text span size="sm" fw={500}>
                {t(`orderChanges.${change}`)}
              </Text>
              {from_status !== null && <OrderStatusBadge status={to_status} />}
              <Text span size="sm" c="dimmed">
                <Instant at={time} />
                {executor_id && ` · ${nameOf(executor_id)}`}
              </Text>
            </Group>
            {reason && <Text size="sm">{reason}</Text>}
            {remark && (
              <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
                {remark}
              </Text>
            )}
            <EventNames events={eventsOf(order_id, version)} />
          </List.Item>
        ))}
      </List>
      {changes.length > shown.length && (
        <Button size="compact-sm" variant="subtle" onClick={() => setWhole(true)}>
          {t('record.showAll', { count: changes.length })}
        </Button>
      )}
    </RecordBlock>
  )
}

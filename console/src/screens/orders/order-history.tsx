import { Button, Group, List, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../calls/call.ts'
import { Instant } from '../../parts/instant.tsx'
import { useAdvisers } from '../../parts/use-advisers.ts'
import { OrderStatusBadge } from './order-status.tsx'

const few = 10

/** The changes of an order, newest first. */
export function OrderHistory({ order_id }: { order_id: string }) {
  const { t } = useTranslation()
  const { nameOf } = useAdvisers()
  const [isWhole, setWhole] = useState(false)
  const { data } = useCall('listHistory', { order_id, page_size: 1000 })
  const changes = data?.list.toReversed() ?? []
  const shown = isWhole ? changes : changes.slice(0, few)
  return (
    <>
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
          </List.Item>
        ))}
      </List>
      {changes.length > shown.length && (
        <Button size="compact-sm" variant="subtle" onClick={() => setWhole(true)}>
          {t('common.all')}
        </Button>
      )}
    </>
  )
}

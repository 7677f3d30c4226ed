import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction, useCall } from '../../calls/call.ts'
import { useCourseName } from '../../parts/coded-name.tsx'
import { Hint } from '../../parts/error-notice.tsx'
import { Day, Instant, StateBadge } from '../../parts/instant.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { PaidBar, RecordBlock } from '../../parts/record-page.tsx'
import { useMoneyText } from '../../parts/use-amount-text.ts'
import { OrderStatusBadge } from '../orders/order-status.tsx'
import { TagFields } from './bulk-dialog.tsx'
import type { Person } from './people-filters.tsx'

/** A person's orders, with the paid amount and the next instalment. */
export function PersonOrders({ person }: { person: Person }) {
  const { t } = useTranslation()
  const amountText = useMoneyText()
  const { data } = useCall('searchOrders', { user_id: person.user_id, page_size: 20 })
  return (
    <RecordBlock title={t('frame.orders')}>
      {data?.total === 0 && <Hint>{t('people.noOrder')}</Hint>}
      <Stack gap="sm">
        {data?.list.map((order) => {
          const { post_refund_price: held, total_price, currency } = order
          const amounts = { paid: amountText(held, currency), total: amountText(total_price, currency) }
          return (
            <div key={order.order_id}>
              <Group justify="space-between" wrap="nowrap" mb={4}>
                <Anchor component={Link} to={`/orders/${order.order_id}`} size="sm" fw={500}>
                  {order.course_name || order.course_code || order.order_id.slice(-8)}
                </Anchor>
                <OrderStatusBadge status={order.status} />
              </Group>
              <PaidBar paid={held} total={total_price} label={t('record.paidOf', amounts)} />
              <Group justify="space-between" mt={2} gap="xs">
                <Text size="xs">{t('record.paidOf', amounts)}</Text>
                {order.next_deadline && (
                  <Text size="xs" c={order.is_overdue ? 'red' : 'dimmed'}>
                    {t(order.is_overdue ? 'finance.overdue' : 'record.next')} <Day at={order.next_deadline} />
                  </Text>
                )}
              </Group>
            </div>
          )
        })}
      </Stack>
    </RecordBlock>
  )
}

/** The first and the last lead of a person. */
export function PersonLeads({ person: { first_touch: first, last_touch: last } }: { person: Person }) {
  const { t } = useTranslation()
  return (
    <RecordBlock title={t('people.leadHistory')}>
      {first === null ? (
        <Hint>{t('people.noLead')}</Hint>
      ) : (
        <>
          <TouchLine label={t('people.firstLead')} touch={first} />
          {last && last.lead_id !== first.lead_id && <TouchLine label={t('people.lastLead')} touch={last} />}
        </>
      )}
    </RecordBlock>
  )
}

function TouchLine({ label, touch }: { label: string; touch: NonNullable<Person['first_touch']> }) {
  const courseName = useCourseName()
  const details = [
    touch.utm_source,
    touch.campaign || touch.utm_campaign,
    touch.course_code && courseName(touch.course_code),
  ].filter(Boolean)
  return (
    <Group gap="xs">
      <Text size="xs" c="dimmed" w="6rem">
        {label}
      </Text>
      <Text size="sm">
        <Instant at={touch.time} /> {details.join(' · ')}
      </Text>
    </Group>
  )
}

/** The tags of a person, by the categories of their groups. */
export function PersonTags({ person }: { person: Person }) {
  const { t } = useTranslation()
  const { data: tags } = useCall('listUserTags', { user_id: person.user_id })
  const { data: groups } = useCall('listAllTagGroups', {})
  const groupOf = new Map(groups?.list.map((group) => [group.entity_id, group] as const))
  const categories = Map.groupBy(
    tags?.rows ?? [],
    ({ tags_group_id }) => groupOf.get(tags_group_id)?.category ?? '',
  )
  return (
    <RecordBlock title={t('people.tags')}>
      {tags?.rows.length === 0 && <Hint>{t('people.noTags')}</Hint>}
      <Stack gap={4}>
        {Array.from(categories, ([category, rows]) => (
          <Group key={category} gap={6}>
            <Text size="xs" c="dimmed" w="6rem">
              {category}
            </Text>
            {rows.map((tag) => {
              const name = groupOf.get(tag.tags_group_id)?.name ?? tag.tags_group_id
              const value = tag.number_value ?? tag.string_value
              const label =
                tag.define_value === null
                  ? t('people.tagIs', { name, value })
                  : tag.define_value
                    ? name
                    : t('people.tagIsNot', { name })
              return (
                <StateBadge
                  key={tag.entity_id}
                  meaning={tag.define_value === false ? 'ended' : 'action'}
                  label={label}
                />
              )
            })}
          </Group>
        ))}
      </Stack>
    </RecordBlock>
  )
}

/** Adds a tag. */
export function TagDialog({ person, onClose }: { person: Person; onClose(): void }) {
  const { t } = useTranslation()
  const { data } = useCall('listAllTagGroups', {})
  const assign = useAction('assignUserTag')
  const [tag, setTag] = useState<{ tags_group_id: string; value: string }>()
  const name = data?.list.find(({ entity_id }) => entity_id === tag?.tags_group_id)?.name ?? ''
  return (
    <PreviewDialog
      title={t('people.addTag')}
      isIncomplete={!tag}
      onClose={onClose}
      act={async () => {
        if (tag) await assign.run({ user_id: person.user_id, ...tag })
        return { said: t('people.tagged', { name }) }
      }}
    >
      <TagFields onChange={(tags_group_id, value) => setTag(value ? { tags_group_id, value } : undefined)} />
    </PreviewDialog>
  )
}

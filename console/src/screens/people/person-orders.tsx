import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction, useCall } from '../../calls/call.ts'
import { Hint } from '../../parts/error-notice.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Instant, Money, StateBadge } from '../../parts/instant.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { TagFields } from './bulk-dialog.tsx'
import { OrderStates, type Person } from './people-filters.tsx'
import { Section } from './section.tsx'

/** A person's leads and orders. */
export function PersonOrders({ person }: { person: Person }) {
  const { t } = useTranslation()
  const { data } = useCall('searchOrders', { user_id: person.user_id, page_size: 20 })
  const { first_touch: first, last_touch: last } = person
  return (
    <>
      <Section title={t('people.leadHistory')}>
        {first === null ? (
          <Hint>{t('people.noLead')}</Hint>
        ) : (
          <>
            <TouchLine label={t('people.firstLead')} touch={first} />
            {last && last.lead_id !== first.lead_id && (
              <TouchLine label={t('people.lastLead')} touch={last} />
            )}
          </>
        )}
      </Section>
      <Section title={t('frame.orders')}>
        {data?.total === 0 && <Hint>{t('people.noOrder')}</Hint>}
        <Stack gap={4}>
          {data?.list.map((order) => (
            <Group key={order.order_id} justify="space-between" wrap="nowrap">
              <Group gap="xs" wrap="nowrap">
                <Anchor component={Link} to={`/orders/${order.order_id}`} size="sm">
                  {order.course_name || order.course_code || order.order_id}
                </Anchor>
                <OrderStates states={[order.status]} />
              </Group>
              <Text size="sm">
                {t('people.paidOf', { paid: order.paid_installments, count: order.installment_count })}{' '}
                <Money amount={order.total_price} currency={order.currency} />
              </Text>
            </Group>
          ))}
        </Stack>
      </Section>
    </>
  )
}

function TouchLine({ label, touch }: { label: string; touch: NonNullable<Person['first_touch']> }) {
  const details = [touch.utm_source, touch.campaign || touch.utm_campaign, touch.course_code].filter(Boolean)
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
export function PersonTags({ person, isReadOnly }: { person: Person; isReadOnly: boolean }) {
  const { t } = useTranslation()
  const [isAdding, setAdding] = useState(false)
  const { data: tags } = useCall('listUserTags', { user_id: person.user_id })
  const { data: groups } = useCall('listAllTagGroups', {})
  const groupOf = new Map(groups?.list.map((group) => [group.entity_id, group] as const))
  const categories = Map.groupBy(
    tags?.rows ?? [],
    ({ tags_group_id }) => groupOf.get(tags_group_id)?.category ?? '',
  )
  return (
    <Section
      title={t('people.tags')}
      end={
        !isReadOnly && (
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<Icon name="tag" size={12} />}
            onClick={() => setAdding(true)}
          >
            {t('people.addTag')}
          </Button>
        )
      }
    >
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
      {isAdding && <TagDialog person={person} onClose={() => setAdding(false)} />}
    </Section>
  )
}

function TagDialog({ person, onClose }: { person: Person; onClose(): void }) {
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

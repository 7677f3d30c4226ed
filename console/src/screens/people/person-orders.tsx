import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../calls/use-call.ts'
import { Hint } from '../../parts/hint.tsx'
import { Instant } from '../../parts/instant.tsx'
import { Money } from '../../parts/money.tsx'
import { OrderStates } from './people-columns.tsx'
import { Section } from './section.tsx'
import type { Person } from './use-people.ts'

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

import { Stack, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { DataOf } from '../../calls/call.ts'
import { Hint } from '../../parts/error-notice.tsx'
import { Day, Money } from '../../parts/instant.tsx'
import { OrderStatusBadge } from './order-status.tsx'

type Preview = NonNullable<DataOf<'createPayment'>['orders']>[number]
type Figures = Preview['after']
type Instalment = Figures['sub_orders'][number]

/** On a phone, long amounts would leave a Chinese name one character per line. */
const inOneLine = { whiteSpace: 'nowrap' } as const

/** The changes of the orders that an action touches. */
export function OrderPreviews({ orders }: { orders: Preview[] }) {
  const { t } = useTranslation()
  return (
    <Stack gap="xs" aria-live="polite">
      {orders.map((order) => (
        <OrderPreview key={order.order_id} order={order} isNamed={orders.length > 1} />
      ))}
      <Hint>{t('orders.nothingElse')}</Hint>
    </Stack>
  )
}

const amounts = ['total_price', 'paid_price', 'refund_price', 'unpaid_price', 'over_payment_price'] as const
const titles = {
  total_price: 'fields.total',
  paid_price: 'orders.paid',
  refund_price: 'orders.refunded',
  unpaid_price: 'orders.unpaid',
  over_payment_price: 'orders.overpaid',
} as const

function OrderPreview({ order, isNamed }: { order: Preview; isNamed: boolean }) {
  const { t } = useTranslation()
  const { before, after } = order
  const { currency } = after
  const changed = amounts.filter((name) => (before?.[name] ?? 0) !== after[name])
  const known = new Map(before?.sub_orders.map((each) => [each.sub_order_id, each]))
  const instalments = after.sub_orders.filter((each) => isOther(known.get(each.sub_order_id), each))
  if (before?.status === after.status && changed.length === 0 && instalments.length === 0) return null
  return (
    <Table withTableBorder fz="sm" verticalSpacing={4} aria-label={t('orders.preview')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th style={inOneLine}>
            {isNamed ? t('orders.orderNumber', { id: order.order_id.slice(-8) }) : t('orders.preview')}
          </Table.Th>
          {before ? <Table.Th ta="right">{t('orders.now')}</Table.Th> : <Table.Td />}
          <Table.Th ta="right">{t('orders.after')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {before?.status !== after.status && (
          <Table.Tr>
            <Table.Td style={inOneLine}>{t('fields.status')}</Table.Td>
            <Table.Td ta="right">{before && <OrderStatusBadge status={before.status} />}</Table.Td>
            <Table.Td ta="right">
              <OrderStatusBadge status={after.status} />
            </Table.Td>
          </Table.Tr>
        )}
        {changed.map((name) => (
          <Table.Tr key={name}>
            <Table.Td style={inOneLine}>{t(titles[name])}</Table.Td>
            <Table.Td ta="right">{before && <Money amount={before[name]} currency={currency} />}</Table.Td>
            <Table.Td ta="right">
              <Money amount={after[name]} currency={currency} isBold />
            </Table.Td>
          </Table.Tr>
        ))}
        {instalments.map((each) => (
          <InstalmentPreview
            key={each.sub_order_id}
            was={known.get(each.sub_order_id)}
            is={each}
            currency={currency}
          />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function InstalmentPreview({
  was,
  is,
  currency,
}: {
  was: Instalment | undefined
  is: Instalment
  currency: string
}) {
  const { t } = useTranslation()
  const shown = (each: Instalment) => (
    <>
      <Money amount={each.paid_price} currency={currency} /> /{' '}
      <Money amount={each.total_price} currency={currency} />
      {each.payment_deadline && (
        <Text span inherit c="dimmed">
          {' · '}
          <Day at={each.payment_deadline} />
        </Text>
      )}
    </>
  )
  return (
    <Table.Tr>
      <Table.Td style={inOneLine}>{t('orders.instalment', { number: is.seq })}</Table.Td>
      <Table.Td ta="right">{was && shown(was)}</Table.Td>
      <Table.Td ta="right">{shown(is)}</Table.Td>
    </Table.Tr>
  )
}

function isOther(was: Instalment | undefined, is: Instalment): boolean {
  return (
    was === undefined ||
    was.total_price !== is.total_price ||
    was.paid_price !== is.paid_price ||
    was.payment_deadline !== is.payment_deadline
  )
}

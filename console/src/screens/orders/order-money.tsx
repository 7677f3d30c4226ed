import { Button, Group, Table } from '@mantine/core'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { type DataOf, type RowOf, useCall } from '../../calls/call.ts'
import { Hint } from '../../parts/error-notice.tsx'
import { Day, Money, useMethodName } from '../../parts/instant.tsx'
import { moneyColumn, PlainTable } from '../../parts/plain-table.tsx'
import { RefundDecision } from '../finance/refund-decision.tsx'
import { RefundStateBadge } from '../finance/refund-state.tsx'
import type { OrderAction } from './order-actions.tsx'

type Order = DataOf<'fetchOrder'>
type Payment = RowOf<'listPayments'>

/** A signed entry in the order's currency. */
interface Entry {
  id: string
  at: string | null
  what: ReactNode
  reference?: string
  amount: number
  receipt?: number | null
  /** The payment, while it can still be voided. */
  payment?: Payment
}

interface OrderMoneyProps {
  order: Order
  explanation: DataOf<'explainOrder'>
  /** Absent: the person cannot void or unallocate payments. */
  onAction?(action: OrderAction): void
}

/** Every entry of an order's money. The entries sum to what the order holds, line by line. */
export function OrderMoney({ order, explanation, onAction }: OrderMoneyProps) {
  const { t } = useTranslation()
  const overpaid = overpaidOf(explanation)
  const { can } = useSession()
  const { currency, post_refund_price: held } = order
  const entries = useEntries(order, can('finance'))
  const requests = useCall(
    'listRefundRequests',
    { order_id: order.entity_id, state: 'waiting', page_size: 100 },
    { enabled: can('finance') },
  ).data?.list
  if (entries?.length === 0) return <Hint>{t('orders.noPayments')}</Hint>
  let sum = 0
  const rows = (entries ?? []).map((entry) => {
    sum += entry.amount
    return { ...entry, heldAfter: sum }
  })
  return (
    <PlainTable
      label={t('orders.money')}
      rows={rows}
      rowId={({ id }) => id}
      minWidth={620}
      columns={[
        { id: 'date', title: t('finance.valueDate'), cell: ({ at }) => <Day at={at} /> },
        { id: 'what', title: t('orders.what'), cell: ({ what }) => what },
        { id: 'reference', title: t('finance.reference'), cell: ({ reference }) => reference },
        moneyColumn('amount', t('fields.amount'), ({ amount }: Entry) => [amount, currency]),
        moneyColumn('held', t('orders.heldAfter'), (row: { heldAfter: number }) => [row.heldAfter, currency]),
        {
          id: 'receipt',
          title: t('orders.receipt'),
          cell: ({ receipt }) => receipt && `№\u00a0${receipt}`,
        },
        {
          id: 'actions',
          title: '',
          cell: ({ payment }) => payment && onAction && <Actions payment={payment} onAction={onAction} />,
        },
      ]}
      foot={
        <>
          <Total label={t('finance.held')} amount={held} currency={currency} />
          <Total label={t('orders.owed')} amount={order.unpaid_price} currency={currency} />
          {overpaid > 0 && <Total label={t('orders.overpaid')} amount={overpaid} currency={currency} />}
          {requests?.map((request) => (
            <Table.Tr key={request.request_id}>
              <Table.Td>
                <Day at={request.ctime} />
              </Table.Td>
              <Table.Td colSpan={2}>
                {t('orders.refund')} <RefundStateBadge state={request.state} /> {request.reason}
              </Table.Td>
              <Table.Td ta="right">
                <Money amount={-request.price} currency={request.currency} />
              </Table.Td>
              <Table.Td colSpan={3}>
                <RefundDecision request={request} />
              </Table.Td>
            </Table.Tr>
          ))}
        </>
      }
    />
  )
}

/** The part of the held money that exceeds the total. */
export function overpaidOf({ prices }: DataOf<'explainOrder'>): number {
  return prices.find(({ name }) => name === 'over_payment_price')?.value ?? 0
}

/** The entries in the order of their dates; undefined while they load. */
function useEntries(order: Order, isFinance: boolean): Entry[] | undefined {
  const { t } = useTranslation()
  const methodName = useMethodName()
  const filter = { order_id: order.entity_id, page_size: 1000 }
  const { data: payments } = useCall('listPayments', filter, { enabled: isFinance })
  const { data: refunds } = useCall('listRefunds', filter, { enabled: isFinance })
  const nameOf = ({ method, source }: Pick<Payment, 'method' | 'source'>) =>
    `${t('finance.payment')} · ${methodName(method) || t(`paymentSources.${source}`)}`
  const allocated = order.sub_orders.flatMap((each) => each.payments)
  if (!isFinance)
    return withTransfers(
      order,
      t,
      allocated.map(({ payment_id, completed_time, source, price }) => ({
        ...{ id: payment_id, at: completed_time, amount: price },
        what: nameOf({ method: '', source: source as Payment['source'] }),
      })),
    )
  if (!payments || !refunds) return undefined
  const own = new Set(order.sub_orders.map(({ entity_id }) => entity_id))
  const received = payments.list.flatMap((payment): Entry[] => {
    const { payment_id: id, completed_time: at, charge_id: reference, order_price, state } = payment
    const here = payment.allocations
      .filter(({ sub_order_id }) => own.has(sub_order_id))
      .reduce((sum, { price }) => sum + price, 0)
    const isVoid = state === 'void'
    const what = isVoid ? t('orders.voided', { reason: payment.void_reason }) : t('orders.movedAway')
    return [
      {
        ...{ id, at, what: nameOf(payment), reference, amount: order_price, receipt: payment.receipt_num },
        ...(!isVoid && { payment }),
      },
      ...(here === order_price
        ? []
        : [{ id: `${id} away`, at, what, reference, amount: here - order_price }]),
    ]
  })
  const returned = refunds.list.flatMap((refund) => {
    const { refund_id, completed_time, reason, charge_id, allocations, reversed_price } = refund
    // Unapplied money was not on this order, and a reversed refund did not leave it.
    const onOrder = allocations.filter(({ sub_order_id }) => own.has(sub_order_id))
    const amount = reversed_price > 0 ? 0 : -onOrder.reduce((sum, { price }) => sum + price, 0)
    const what = [t('orders.refund'), reason].filter(Boolean).join(' · ')
    return amount === 0 ? [] : [{ id: refund_id, at: completed_time, what, reference: charge_id, amount }]
  })
  return withTransfers(order, t, [...received, ...returned])
}

/** Sorts the entries, and adds money from other orders, which the lists of this order do not contain. */
function withTransfers(order: Order, t: TFunction, entries: Entry[]): Entry[] {
  const sorted = entries.toSorted((a, b) => (a.at ?? '').localeCompare(b.at ?? ''))
  const amount = order.post_refund_price - entries.reduce((sum, entry) => sum + entry.amount, 0)
  if (amount === 0) return sorted
  return [...sorted, { id: 'transfers', at: null, what: t('orders.movedHere'), amount }]
}

function Total({ label, amount, currency }: { label: string; amount: number; currency: string }) {
  return (
    <Table.Tr>
      <Table.Th colSpan={4} scope="row">
        {label}
      </Table.Th>
      <Table.Td ta="right">
        <Money amount={amount} currency={currency} isBold />
      </Table.Td>
      <Table.Td colSpan={2} />
    </Table.Tr>
  )
}

function Actions({
  payment: { payment_id, state },
  onAction,
}: {
  payment: Payment
  onAction(action: OrderAction): void
}) {
  const { t } = useTranslation()
  const button = (kind: 'void' | 'unapply', color?: string) => (
    <Button size="compact-xs" variant="subtle" color={color} onClick={() => onAction({ kind, payment_id })}>
      {t(`orders.${kind}`)}
    </Button>
  )
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {state === 'applied' && button('unapply')}
      {button('void', 'red')}
    </Group>
  )
}

import { Button, Group, Skeleton, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { type DataOf, type RowOf, useCall } from '../../calls/call.ts'
import type { FootRow } from '../../parts/cards.tsx'
import { DocumentButton } from '../../parts/document-button.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Day, Money, useMethodName } from '../../parts/instant.tsx'
import { moneyColumn, PlainTable } from '../../parts/plain-table.tsx'
import type { Column } from '../../parts/table-rows.tsx'
import { useIsPhone } from '../../parts/use-is-phone.ts'
import { useServiceText } from '../../parts/use-service-text.ts'
import { RequestDecision } from '../finance/request-decision.tsx'
import { RequestStateBadge } from '../finance/request-state.tsx'
import type { OrderAction } from './order-actions.tsx'
import classes from './order-money.module.css'
import { reversalOf } from './reverse-dialog.tsx'

type Order = DataOf<'fetchOrder'>
type Payment = RowOf<'listPayments'>
type Entry = RowOf<'listOrderMoney'>

interface OrderMoneyProps {
  order: Order
  /** Absent: the person cannot void or unallocate payments. */
  onAction?(action: OrderAction): void
}

/** Every money entry of an order, as order/money/list returns them: signed rows with the sums after each. */
export function OrderMoney({ order, onAction }: OrderMoneyProps) {
  const { t } = useTranslation()
  const { can } = useSession()
  const { entity_id: order_id, currency } = order
  const { data: money, error } = useCall('listOrderMoney', { order_id, page_size: 1000 })
  const payments = useOpenPayments(order_id)
  const isPhone = useIsPhone()
  const requests = useCall(
    'listApprovals',
    { order_id, state: 'waiting', page_size: 100 },
    { enabled: can('finance') },
  ).data?.list
  if (error) return <ErrorNotice error={error} />
  if (!money) return <Skeleton height={120} />
  const rows = money.list.map((entry, index) => ({ ...entry, index }))
  const actionsOf = (row: Entry & { index: number }) => {
    const payment = payments.get(row.payment_id)
    const isFirst = rows.findIndex(({ payment_id }) => payment_id === row.payment_id) === row.index
    const reversal = reversalOf(row, order_id, rows)
    return (
      <>
        <Receipt entry={row} />
        {onAction && payment && isFirst && <Actions payment={payment} onAction={onAction} />}
        {onAction && !(payment && isFirst) && reversal && (
          <Button size="compact-xs" variant="subtle" onClick={() => onAction({ kind: 'reverse', reversal })}>
            {t('orders.reverse')}
          </Button>
        )}
      </>
    )
  }
  // In a table, a column of their own would push the sums out of sight: they stand below the entry and its sums.
  const ofCards: Column<(typeof rows)[number]>[] = isPhone
    ? [{ id: 'actions', title: t('orders.receipt'), card: 'action', cell: actionsOf }]
    : []
  const total = (id: string, label: string, amount: number): FootRow => ({
    ...{ id, label },
    cells: { amount: <Money amount={amount} currency={currency} isBold /> },
  })
  return (
    <div className={classes.money}>
      <PlainTable
        label={t('orders.money')}
        rows={rows}
        rowId={({ index }) => String(index)}
        minWidth={620}
        isFixed
        columns={[
          {
            id: 'date',
            title: t('finance.valueDate'),
            cell: (row) => <Day at={row.completed_time || row.time} />,
          },
          {
            id: 'what',
            title: t('orders.what'),
            card: 'title',
            cell: (row) => (
              <>
                <div className={classes.what}>
                  <What entry={row} />
                </div>
                <div className={isPhone ? undefined : classes.below}>
                  <Text size="xs" c="dimmed" truncate maw="10rem" title={row.charge_id}>
                    {row.charge_id}
                  </Text>
                  {!isPhone && actionsOf(row)}
                </div>
              </>
            ),
          },
          moneyColumn('amount', t('fields.amount'), ({ price }: Entry) => [price, currency], {
            card: 'value',
          }),
          moneyColumn('claim', t('orders.toPay'), ({ claim_price }: Entry) => [claim_price, currency]),
          moneyColumn('held', t('orders.heldAfter'), ({ held_price }: Entry) => [held_price, currency]),
          moneyColumn('owed', t('orders.owedAfter'), (row: Entry) => [row.unpaid_price, currency]),
          ...ofCards,
        ]}
        foot={[
          total('held', t('finance.held'), money.held_price),
          total('owed', t('orders.owed'), money.unpaid_price),
          ...(money.over_payment_price > 0
            ? [total('overpaid', t('orders.overpaid'), money.over_payment_price)]
            : []),
          ...(requests ?? []).map((request) => ({
            id: request.request_id,
            label: (
              <Text span inherit fw={400}>
                <Day at={request.ctime} /> {t(`approvals.kinds.${request.kind}`)}{' '}
                <RequestStateBadge state={request.state} /> {request.reason}
                {!isPhone && <RequestDecision request={request} />}
              </Text>
            ),
            cells: {
              amount: <Money amount={-request.price} currency={request.currency} />,
              ...(isPhone && { actions: <RequestDecision request={request} /> }),
            },
          })),
        ]}
      />
    </div>
  )
}

/** The part of the held money that exceeds the total. */
export function overpaidOf({ prices }: DataOf<'explainOrder'>): number {
  return prices.find(({ name }) => name === 'over_payment_price')?.value ?? 0
}

/** The payments of an order that can be voided or unallocated, by id. */
function useOpenPayments(order_id: string): Map<string, Payment> {
  const { can } = useSession()
  const { data } = useCall('listPayments', { order_id, page_size: 1000 }, { enabled: can('finance') })
  const open = data?.list.filter(({ state }) => state === 'applied' || state === 'unapplied') ?? []
  return new Map(open.map((payment) => [payment.payment_id, payment]))
}

function What({ entry }: { entry: Entry }) {
  const { t } = useTranslation()
  const methodName = useMethodName()
  const serviceText = useServiceText()
  const { kind, source, method, other_order_id: other, reason } = entry
  const how = kind === 'payment' && (methodName(method) || t(`paymentSources.${source as Payment['source']}`))
  return (
    <>
      {[t(`moneyKinds.${kind}`), how, serviceText(reason)].filter(Boolean).join(' · ')}
      {other && (
        <>
          {' '}
          <Link to="/orders/$id" params={{ id: other }} search>
            {t('orders.orderNumber', { id: other.slice(-8) })}
          </Link>
        </>
      )}
    </>
  )
}

/** The number of a receipt, and the button that prints the document of a payment or a credit. */
function Receipt({ entry }: { entry: Entry }) {
  const { t } = useTranslation()
  const { can } = useSession()
  const { kind, id, payment_id } = entry
  const isPrinted = can('finance')
  // A receipt over several orders is a payment of the first one, and is applied to the others.
  const isReceived = kind === 'payment' || (kind === 'apply' && entry.price > 0)
  return (
    <>
      <ReceiptNumber entry={entry} />
      {isPrinted && isReceived && payment_id !== '' && (
        <DocumentButton
          document={{ kind: 'receipt', subject_id: payment_id }}
          label={t('documents.receipt')}
        />
      )}
      {isPrinted && kind === 'credit' && (
        <DocumentButton
          document={{ kind: 'credit_note', subject_id: id }}
          label={t('documents.creditNote')}
        />
      )}
    </>
  )
}

function ReceiptNumber({ entry: { receipt_num, receipt_url } }: { entry: Entry }) {
  if (receipt_num === null) return null
  const text = `№\u00a0${receipt_num}`
  if (receipt_url === '') return text
  return (
    <a href={receipt_url} target="_blank" rel="noreferrer">
      {text}
    </a>
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
    <Group gap={0} wrap="nowrap">
      {state === 'applied' && button('unapply')}
      {button('void', 'red')}
    </Group>
  )
}

import { Checkbox, Group, Select, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataOf } from '../../calls/call.ts'
import { useAction } from '../../calls/use-action.ts'
import { MoneyInput } from '../../parts/money-input.tsx'
import { paymentMethods, useMethodName } from '../../parts/payment-method.ts'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { useAllowance } from '../../parts/use-allowance.ts'
import type { OrderStatus } from './order-status.tsx'
import { ReasonField, textOr } from './reason-field.tsx'
import { RefundDialog } from './refund-dialog.tsx'
import { RehearsedDialog } from './rehearsed-dialog.tsx'
import { TransferDialog } from './transfer-dialog.tsx'
import { useAmountText } from './use-amount-text.ts'
import { useDiscountHint } from './use-discount-hint.ts'

type Order = DataOf<'fetchOrder'>
type Explanation = DataOf<'explainOrder'>

/** What somebody wants to do with an order. */
export type OrderAction =
  | { kind: 'pay' | 'refund' | 'transfer' | 'writeOff' | 'cancel' | 'reprice' | 'remark' }
  | { kind: 'move'; to: OrderStatus }
  | { kind: 'void' | 'unapply'; payment_id: string }

export interface ActionProps {
  order: Order
  explanation: Explanation
  onClose(): void
}

/** The dialog of an action: what it asks, what it would do, and the button that does it. */
export function OrderActionDialog({ action, ...props }: ActionProps & { action: OrderAction }) {
  switch (action.kind) {
    case 'pay':
      return <PayDialog {...props} />
    case 'refund':
      return <RefundDialog {...props} />
    case 'transfer':
      return <TransferDialog {...props} />
    case 'writeOff':
      return <WriteOffDialog {...props} />
    case 'cancel':
      return <CancelDialog {...props} />
    case 'reprice':
      return <RepriceDialog {...props} />
    case 'remark':
      return <RemarkDialog {...props} />
    case 'move':
      return <MoveDialog {...props} to={action.to} />
    case 'void':
    case 'unapply':
      return <TakeBackDialog {...props} kind={action.kind} payment_id={action.payment_id} />
  }
}

function PayDialog({ order, onClose }: ActionProps) {
  const { t } = useTranslation()
  const amountText = useAmountText(order.currency)
  const [price, setPrice] = useState<number | undefined>(
    order.unpaid_price > 0 ? order.unpaid_price : undefined,
  )
  const methodName = useMethodName()
  const [method, setMethod] = useState<string>('transfer')
  const [charge, setCharge] = useState('')
  const [day, setDay] = useState('')
  const input =
    price !== undefined && price > 0
      ? {
          ...{ order_id: order.entity_id, price, source: 'console' as const, method },
          ...{ charge_id: textOr(charge), completed_time: textOr(day) },
        }
      : undefined
  return (
    <RehearsedDialog
      operation="createPayment"
      title={t('orders.pay')}
      confirmLabel={t('orders.pay')}
      input={input}
      said={() => t('orders.payDone', { amount: amountText(price!) })}
      note={({ applied, because }) =>
        !applied && <Text size="sm">{t('orders.keptUnapplied', { because: because ?? '' })}</Text>
      }
      onClose={onClose}
    >
      <MoneyInput
        label={t('fields.amount')}
        currency={order.currency}
        value={price}
        onChange={setPrice}
        required
        data-autofocus
      />
      <Group grow>
        <Select
          label={t('fields.method')}
          data={paymentMethods.map((value) => ({ value, label: methodName(value) }))}
          value={method}
          onChange={(value) => setMethod(value ?? method)}
          allowDeselect={false}
        />
        <TextInput
          label={t('finance.reference')}
          value={charge}
          onChange={(event) => setCharge(event.currentTarget.value)}
        />
        <TextInput
          label={t('orders.valueDate')}
          type="date"
          value={day}
          onChange={(event) => setDay(event.currentTarget.value)}
        />
      </Group>
    </RehearsedDialog>
  )
}

function WriteOffDialog({ order, onClose }: ActionProps) {
  const { t } = useTranslation()
  const amountText = useAmountText(order.currency)
  const [reason, setReason] = useState('')
  const input = reason.trim() === '' ? undefined : { order_id: order.entity_id, reason: reason.trim() }
  return (
    <RehearsedDialog
      operation="writeOffOrder"
      title={t('orders.writeOff')}
      confirmLabel={t('orders.writeOff')}
      isGrave
      input={input}
      said={({ price }) => t('orders.writeOffDone', { amount: amountText(price) })}
      onClose={onClose}
    >
      <ReasonField value={reason} onChange={setReason} isRequired isFirst />
    </RehearsedDialog>
  )
}

/** What becomes of the money has to be said first. */
function CancelDialog({ order, explanation, onClose }: ActionProps) {
  const { t } = useTranslation()
  const amountText = useAmountText(order.currency)
  const holds = explanation.retain.at_most
  const [retains, setRetains] = useState(false)
  const [reason, setReason] = useState('')
  const isWhole = holds === 0 || (retains && reason.trim() !== '')
  const input = isWhole
    ? {
        ...{ order_id: order.entity_id, status: 'canceled' as const, reason: textOr(reason) },
        ...(holds > 0 && { retain: true }),
      }
    : undefined
  return (
    <RehearsedDialog
      operation="updateStatus"
      title={t('orders.cancel')}
      confirmLabel={t('orders.cancel')}
      isGrave
      input={input}
      said={() => t('orders.cancelDone')}
      onClose={onClose}
    >
      {holds > 0 && (
        <>
          <Text size="sm">{t('orders.cancelHolds', { amount: amountText(holds) })}</Text>
          <Checkbox
            label={t('orders.retain')}
            checked={retains}
            onChange={(event) => setRetains(event.currentTarget.checked)}
            data-autofocus
          />
        </>
      )}
      <ReasonField value={reason} onChange={setReason} isRequired={retains} isFirst={holds === 0} />
    </RehearsedDialog>
  )
}

function MoveDialog({ order, to, onClose }: ActionProps & { to: OrderStatus }) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const status = t(`orderStatus.${to}`)
  return (
    <RehearsedDialog
      operation="updateStatus"
      title={t('orders.move', { status })}
      confirmLabel={t('orders.move', { status })}
      input={{ order_id: order.entity_id, status: to, reason: textOr(reason) }}
      said={() => t('orders.moveDone', { status })}
      onClose={onClose}
    >
      <ReasonField value={reason} onChange={setReason} isFirst />
    </RehearsedDialog>
  )
}

function RepriceDialog({ order, onClose }: ActionProps) {
  const { t } = useTranslation()
  const [listed, setListed] = useState<number | undefined>(order.listed_price)
  const [discounted, setDiscounted] = useState<number | undefined>(order.discounted_price)
  const [reason, setReason] = useState('')
  const { isLimited } = useAllowance()
  const discountHint = useDiscountHint()
  const isChanged = listed !== order.listed_price || discounted !== order.discounted_price
  const input =
    listed !== undefined && discounted !== undefined && isChanged
      ? {
          ...{ order_id: order.entity_id, version: order.version, reason: textOr(reason) },
          ...{ listed_price: listed, discounted_price: discounted },
        }
      : undefined
  return (
    <RehearsedDialog
      operation="updateOrder"
      title={t('orders.reprice')}
      confirmLabel={t('orders.reprice')}
      input={input}
      said={() => t('orders.repriceDone')}
      onClose={onClose}
    >
      <Group grow align="flex-start">
        <MoneyInput
          label={t('fields.listPrice')}
          currency={order.currency}
          value={listed}
          onChange={setListed}
          required
          disabled={isLimited}
          description={isLimited ? t('orders.pricesByFinance') : undefined}
          data-autofocus={!isLimited}
        />
        <MoneyInput
          label={t('orders.price')}
          currency={order.currency}
          value={discounted}
          onChange={setDiscounted}
          required
          description={discountHint}
          data-autofocus={isLimited}
        />
      </Group>
      <ReasonField value={reason} onChange={setReason} />
    </RehearsedDialog>
  )
}

/** A payment that never stood, or that belongs elsewhere. */
function TakeBackDialog({
  order,
  kind,
  payment_id,
  onClose,
}: ActionProps & { kind: 'void' | 'unapply'; payment_id: string }) {
  const { t } = useTranslation()
  const amountText = useAmountText(order.currency)
  const [reason, setReason] = useState('')
  const isVoid = kind === 'void'
  const field = <ReasonField value={reason} onChange={setReason} isRequired={isVoid} isFirst />
  if (isVoid)
    return (
      <RehearsedDialog
        operation="voidPayment"
        title={t('orders.voidPayment')}
        confirmLabel={t('orders.voidPayment')}
        isGrave
        input={reason.trim() === '' ? undefined : { payment_id, reason: reason.trim() }}
        said={() => t('orders.voidDone')}
        onClose={onClose}
      >
        {field}
      </RehearsedDialog>
    )
  return (
    <RehearsedDialog
      operation="unapplyPayment"
      title={t('orders.unapply')}
      confirmLabel={t('orders.unapply')}
      input={{ payment_id, order_id: order.entity_id, reason: textOr(reason) }}
      said={({ price }) => t('orders.unapplyDone', { amount: amountText(price) })}
      onClose={onClose}
    >
      {field}
    </RehearsedDialog>
  )
}

function RemarkDialog({ order, onClose }: ActionProps) {
  const { t } = useTranslation()
  const { run } = useAction('createRemark')
  const [content, setContent] = useState('')
  return (
    <PreviewDialog
      title={t('orders.addRemark')}
      confirmLabel={t('orders.addRemark')}
      isIncomplete={content.trim() === ''}
      onClose={onClose}
      act={async () => {
        await run({ order_id: order.entity_id, content: content.trim() })
        return { said: t('orders.remarkDone') }
      }}
    >
      <Textarea
        label={t('orders.remark')}
        autosize
        minRows={3}
        value={content}
        onChange={(event) => setContent(event.currentTarget.value)}
        data-autofocus
      />
    </PreviewDialog>
  )
}

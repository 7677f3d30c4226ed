import {
  Checkbox,
  Group,
  MultiSelect,
  Radio,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { type DataOf, type InputOf, useAction } from '../../calls/call.ts'
import { DateField } from '../../parts/date-field.tsx'
import { paymentMethods, useMethodName } from '../../parts/instant.tsx'
import { MoneyInput } from '../../parts/money-input.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { useAllowance } from '../../parts/use-allowance.ts'
import { useAmountText } from '../../parts/use-amount-text.ts'
import { useServiceText } from '../../parts/use-service-text.ts'
import { PayerPicker } from '../finance/payer-picker.tsx'
import { DryRunDialog } from './dry-run-dialog.tsx'
import { overpaidOf } from './order-money.tsx'
import { OrderPicker } from './order-picker.tsx'
import type { OrderStatus } from './order-status.tsx'
import { ReasonField, trimmed } from './reason-field.tsx'
import { type Reversal, ReverseDialog } from './reverse-dialog.tsx'
import { useCouponOptions } from './use-coupon-options.ts'
import { useDiscountHint } from './use-discount-hint.ts'

type Order = DataOf<'fetchOrder'>
type Explanation = DataOf<'explainOrder'>

export type OrderAction =
  | { kind: 'pay' | 'refund' | 'transfer' | 'writeOff' | 'cancel' | 'reprice' | 'remark' }
  | { kind: 'move'; to: OrderStatus }
  | { kind: 'void' | 'unapply'; payment_id: string }
  | { kind: 'reverse'; reversal: Reversal }

interface ActionProps {
  order: Order
  explanation: Explanation
  onClose(): void
}

/** The dialog of an action: its fields, a preview, and the button that runs it. */
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
      return <VoidDialog {...props} payment_id={action.payment_id} />
    case 'unapply':
      return <UnapplyDialog {...props} payment_id={action.payment_id} />
    case 'reverse':
      return <ReverseDialog reversal={action.reversal} onClose={props.onClose} />
  }
}

/** Method, reference and value date of a payment or refund. */
function MovementFields({ getInputProps }: { getInputProps(name: 'method' | 'charge' | 'day'): object }) {
  const { t } = useTranslation()
  const methodName = useMethodName()
  return (
    <SimpleGrid cols={{ base: 2, xs: 3 }}>
      <Select
        label={t('fields.method')}
        data={paymentMethods.map((value) => ({ value, label: methodName(value) }))}
        {...getInputProps('method')}
        allowDeselect={false}
      />
      <TextInput label={t('finance.reference')} {...getInputProps('charge')} />
      <DateField label={t('orders.valueDate')} leaning="earlier" {...getInputProps('day')} />
    </SimpleGrid>
  )
}

/** Proposes the next unpaid instalment. */
function PayDialog({ order, onClose }: ActionProps) {
  const { t } = useTranslation()
  const { can } = useSession()
  const amountText = useAmountText(order.currency)
  const serviceText = useServiceText()
  const next = order.sub_orders.find(({ unpaid_price }) => unpaid_price > 0)
  const { values, getInputProps } = useForm({
    initialValues: { price: next?.unpaid_price, method: 'transfer', charge: '', day: '', payer_id: '' },
  })
  const { price = 0, method, charge, day, payer_id } = values
  const input: InputOf<'createPayment'> = {
    ...{ order_id: order.entity_id, price, source: 'console', method },
    ...{ charge_id: trimmed(charge), completed_time: trimmed(day) },
    ...(payer_id && { payer_id }),
  }
  return (
    <DryRunDialog
      operation="createPayment"
      title={t('orders.pay')}
      input={price > 0 ? input : undefined}
      said={() => t('orders.payDone', { amount: amountText(price) })}
      note={({ applied, because }) =>
        !applied && (
          <Text size="sm">{t('orders.keptUnapplied', { because: serviceText(because ?? '') })}</Text>
        )
      }
      onClose={onClose}
    >
      <MoneyInput
        label={t('fields.amount')}
        description={next && t('orders.nextInstalment', { number: next.seq })}
        currency={order.currency}
        {...getInputProps('price')}
        required
        data-autofocus
      />
      <MovementFields getInputProps={getInputProps} />
      {can('finance') && (
        <PayerPicker placeholder={t('orders.payerIfOther')} {...getInputProps('payer_id')} />
      )}
    </DryRunDialog>
  )
}

/** Proposes the overpaid amount. */
function RefundDialog({ order, explanation, onClose }: ActionProps) {
  const { t } = useTranslation()
  const amountText = useAmountText(order.currency)
  const { values, getInputProps } = useForm({
    initialValues: {
      ...{ price: overpaidOf(explanation) || undefined, reason: '', as: 'credit' as 'credit' | 'return' },
      ...{ method: 'transfer', charge: '', day: '' },
    },
  })
  const { price = 0, as, method, charge, day } = values
  const reason = trimmed(values.reason)
  // The surplus is returned in either case.
  const isBeyondSurplus = price > overpaidOf(explanation)
  return (
    <DryRunDialog
      operation="createRefund"
      title={t('orders.refund')}
      isDestructive
      input={
        price > 0 && reason
          ? {
              ...{ order_id: order.entity_id, price, reason, method },
              ...{ charge_id: trimmed(charge), completed_time: trimmed(day) },
              ...(isBeyondSurplus && { as }),
            }
          : undefined
      }
      said={() => t('orders.refundDone', { amount: amountText(price) })}
      onClose={onClose}
    >
      <MoneyInput
        label={t('fields.amount')}
        description={t('orders.atMost', { amount: amountText(explanation.refund.at_most) })}
        currency={order.currency}
        {...getInputProps('price')}
        required
        data-autofocus
      />
      {isBeyondSurplus && (
        <Radio.Group label={t('orders.refundAs')} {...getInputProps('as')}>
          <Stack gap={6} mt={4}>
            <Radio value="credit" label={t('orders.refundAsCredit')} />
            <Radio value="return" label={t('orders.refundAsReturn')} />
          </Stack>
        </Radio.Group>
      )}
      <ReasonField {...getInputProps('reason')} required />
      <MovementFields getInputProps={getInputProps} />
    </DryRunDialog>
  )
}

function TransferDialog({ order, explanation, onClose }: ActionProps) {
  const { t } = useTranslation()
  const amountText = useAmountText(order.currency)
  const { values, getInputProps } = useForm({
    initialValues: { price: explanation.transfer.at_most as number | undefined, to: '', reason: '' },
  })
  const { price = 0, to, reason } = values
  const isComplete = price > 0 && to && trimmed(reason)
  return (
    <DryRunDialog
      operation="transferMoney"
      title={t('orders.transfer')}
      input={
        isComplete
          ? { from_order_id: order.entity_id, to_order_id: to, price, reason: reason.trim() }
          : undefined
      }
      said={() => t('orders.transferDone', { amount: amountText(price) })}
      onClose={onClose}
    >
      <OrderPicker label={t('orders.targetOrder')} {...getInputProps('to')} without={order.entity_id} />
      <MoneyInput label={t('fields.amount')} currency={order.currency} {...getInputProps('price')} required />
      <ReasonField {...getInputProps('reason')} required />
    </DryRunDialog>
  )
}

function WriteOffDialog({ order, onClose }: ActionProps) {
  const { t } = useTranslation()
  const amountText = useAmountText(order.currency)
  const { values, getInputProps } = useForm({ initialValues: { reason: '' } })
  const reason = trimmed(values.reason)
  return (
    <DryRunDialog
      operation="writeOffOrder"
      title={t('orders.writeOff')}
      isDestructive
      input={reason ? { order_id: order.entity_id, reason } : undefined}
      said={({ price }) => t('orders.writeOffDone', { amount: amountText(price) })}
      onClose={onClose}
    >
      <ReasonField {...getInputProps('reason')} required data-autofocus />
    </DryRunDialog>
  )
}

/** An order that holds money is cancelled only if the money is retained. */
function CancelDialog({ order, explanation, onClose }: ActionProps) {
  const { t } = useTranslation()
  const amountText = useAmountText(order.currency)
  const held = explanation.retain.at_most
  const { values, getInputProps } = useForm({ initialValues: { retain: false, reason: '' } })
  const reason = trimmed(values.reason)
  const { retain } = values
  const isComplete = held === 0 || (retain && reason !== undefined)
  return (
    <DryRunDialog
      operation="updateStatus"
      title={t('orders.cancel')}
      isDestructive
      input={
        isComplete
          ? { order_id: order.entity_id, status: 'canceled', reason, ...(held > 0 && { retain }) }
          : undefined
      }
      said={() => t('orders.cancelDone')}
      onClose={onClose}
    >
      {held > 0 && (
        <>
          <Text size="sm">{t('orders.cancelHolds', { amount: amountText(held) })}</Text>
          <Checkbox
            label={t('orders.retain')}
            {...getInputProps('retain', { type: 'checkbox' })}
            data-autofocus
          />
        </>
      )}
      <ReasonField {...getInputProps('reason')} required={retain} data-autofocus={held === 0} />
    </DryRunDialog>
  )
}

function MoveDialog({ order, to, onClose }: ActionProps & { to: OrderStatus }) {
  const { t } = useTranslation()
  const { values, getInputProps } = useForm({ initialValues: { reason: '' } })
  const status = t(`orderStatus.${to}`)
  return (
    <DryRunDialog
      operation="updateStatus"
      title={t('orders.move', { status })}
      input={{ order_id: order.entity_id, status: to, reason: trimmed(values.reason) }}
      said={() => t('orders.moveDone', { status })}
      onClose={onClose}
    >
      <ReasonField {...getInputProps('reason')} data-autofocus />
    </DryRunDialog>
  )
}

/** List price − coupons − manual discount. Coupons that the order already has keep their terms. */
function RepriceDialog({ order, explanation, onClose }: ActionProps) {
  const { t } = useTranslation()
  const { isLimited } = useAllowance()
  const discountHint = useDiscountHint()
  const coupons = useCouponOptions(order.currency, order.coupon_ids)
  const before = {
    listed_price: order.listed_price as number | undefined,
    manual_discount: explanation.discounts.find(({ kind }) => kind === 'manual')?.price ?? 0,
    coupon_ids: order.coupon_ids,
  }
  const { values, getInputProps } = useForm({ initialValues: { ...before, reason: '' } })
  const { reason, ...wanted } = values
  const isChanged = JSON.stringify(wanted) !== JSON.stringify(before)
  const { listed_price, coupon_ids, manual_discount = 0 } = wanted
  const input: InputOf<'updateOrder'> = {
    ...{ order_id: order.entity_id, version: order.version, reason: trimmed(reason) },
    ...{ listed_price, manual_discount },
    // Counsellors cannot change coupons.
    ...(!isLimited && { coupon_ids }),
  }
  return (
    <DryRunDialog
      operation="updateOrder"
      title={t('orders.reprice')}
      input={listed_price !== undefined && isChanged ? input : undefined}
      said={() => t('orders.repriceDone')}
      onClose={onClose}
    >
      <Group grow align="flex-start">
        <MoneyInput
          label={t('fields.listPrice')}
          currency={order.currency}
          {...getInputProps('listed_price')}
          required
          disabled={isLimited}
          description={isLimited ? t('orders.pricesByFinance') : undefined}
          data-autofocus={!isLimited}
        />
        <MoneyInput
          label={t('orders.discount')}
          currency={order.currency}
          {...getInputProps('manual_discount')}
          description={discountHint}
          data-autofocus={isLimited}
        />
      </Group>
      <MultiSelect
        label={t('offerings.coupons')}
        data={coupons}
        {...getInputProps('coupon_ids')}
        disabled={isLimited}
        description={isLimited ? t('orders.couponsByFinance') : undefined}
        searchable
        clearable
      />
      <ReasonField {...getInputProps('reason')} />
    </DryRunDialog>
  )
}

interface PaymentActionProps extends ActionProps {
  payment_id: string
}

/** A payment recorded by mistake, or one that bounced. */
function VoidDialog({ payment_id, onClose }: PaymentActionProps) {
  const { t } = useTranslation()
  const { values, getInputProps } = useForm({ initialValues: { reason: '' } })
  const reason = trimmed(values.reason)
  return (
    <DryRunDialog
      operation="voidPayment"
      title={t('orders.voidPayment')}
      isDestructive
      input={reason ? { payment_id, reason } : undefined}
      said={() => t('orders.voidDone')}
      onClose={onClose}
    >
      <ReasonField {...getInputProps('reason')} required data-autofocus />
    </DryRunDialog>
  )
}

/** A payment that belongs to another order. */
function UnapplyDialog({ order, payment_id, onClose }: PaymentActionProps) {
  const { t } = useTranslation()
  const amountText = useAmountText(order.currency)
  const { values, getInputProps } = useForm({ initialValues: { reason: '' } })
  return (
    <DryRunDialog
      operation="unapplyPayment"
      title={t('orders.unapply')}
      input={{ payment_id, order_id: order.entity_id, reason: trimmed(values.reason) }}
      said={({ price }) => t('orders.unapplyDone', { amount: amountText(price) })}
      onClose={onClose}
    >
      <ReasonField {...getInputProps('reason')} data-autofocus />
    </DryRunDialog>
  )
}

function RemarkDialog({ order, onClose }: ActionProps) {
  const { t } = useTranslation()
  const { run } = useAction('createRemark')
  const { values, getInputProps } = useForm({ initialValues: { content: '' } })
  const content = values.content.trim()
  return (
    <PreviewDialog
      title={t('orders.addRemark')}
      isIncomplete={content === ''}
      onClose={onClose}
      act={async () => {
        await run({ order_id: order.entity_id, content })
        return { said: t('orders.remarkDone') }
      }}
    >
      <Textarea
        label={t('orders.remark')}
        autosize
        minRows={3}
        {...getInputProps('content')}
        data-autofocus
      />
    </PreviewDialog>
  )
}

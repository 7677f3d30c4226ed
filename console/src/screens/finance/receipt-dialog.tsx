import { ActionIcon, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { call, type InputOf } from '../../calls/call.ts'
import { DateField } from '../../parts/date-field.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Money, paymentMethods, useMethodName } from '../../parts/instant.tsx'
import { MoneyInput } from '../../parts/money-input.tsx'
import { useAmountText } from '../../parts/use-amount-text.ts'
import { useServiceText } from '../../parts/use-service-text.ts'
import { DryRunDialog } from '../orders/dry-run-dialog.tsx'
import { OrderPicker } from '../orders/order-picker.tsx'
import { PayerPicker } from './payer-picker.tsx'

interface Line {
  order_id: string
  label: string
  unpaid: number
  price: number | undefined
}

interface ReceiptDialogProps {
  /** The payer; chosen in the dialog if absent. */
  payer?: { payer_id: string; name: string }
  onClose(): void
}

/** Records one receipt over several orders. Each order is prefilled with its unpaid amount. */
export function ReceiptDialog({ payer, onClose }: ReceiptDialogProps) {
  const { t } = useTranslation()
  const methodName = useMethodName()
  const serviceText = useServiceText()
  const { organization } = useSession()
  const [payer_id, setPayer] = useState(payer?.payer_id ?? '')
  const [payer_name, setName] = useState('')
  const [currency, setCurrency] = useState(organization.currency)
  const [typed, setTyped] = useState<number>()
  const [method, setMethod] = useState('transfer')
  const [charge, setCharge] = useState('')
  const [day, setDay] = useState('')
  const [lines, setLines] = useState<Line[]>([])
  const amountText = useAmountText(currency)
  const allocated = lines.reduce((sum, { price = 0 }) => sum + price, 0)
  const price = typed ?? allocated
  const add = async (order_id: string) => {
    if (order_id === '' || lines.some((line) => line.order_id === order_id)) return
    const order = await call('fetchOrder', { order_id })
    const unpaid = order.unpaid_price
    setCurrency(order.currency)
    const { list } = await call('searchOrders', { q: order_id, page_size: 1 })
    const label = [list[0]?.user_name, order_id.slice(-8)].filter(Boolean).join(' · ')
    setLines((before) => [...before, { order_id, label, unpaid, price: unpaid || undefined }])
  }
  const change = (order_id: string, to: number | undefined) =>
    setLines((before) => before.map((line) => (line.order_id === order_id ? { ...line, price: to } : line)))
  const who = payer_id ? { payer_id } : payer_name.trim() ? { payer_name: payer_name.trim() } : undefined
  const isWhole = price > 0 && lines.every((line) => (line.price ?? 0) > 0) && allocated <= price
  const input: InputOf<'recordReceipt'> | undefined =
    who && isWhole
      ? {
          ...who,
          ...{ price, currency: currency as 'CNY', method, source: 'console' },
          ...(charge.trim() && { charge_id: charge.trim() }),
          ...(day && { completed_time: day }),
          allocations: lines.map((line) => ({ order_id: line.order_id, price: line.price! })),
        }
      : undefined
  return (
    <DryRunDialog
      operation="recordReceipt"
      title={t('payers.receive')}
      input={input}
      said={() => t('payers.receiptDone', { amount: amountText(price) })}
      note={({ unallocated_price, allocations }) => (
        <>
          {allocations
            .filter(({ because }) => because !== null)
            .map(({ order_id, because }) => (
              <Text key={order_id} size="sm">
                {t('payers.notTaken', { order: order_id.slice(-8), because: serviceText(because ?? '') })}
              </Text>
            ))}
          {unallocated_price > 0 && (
            <Text size="sm">{t('payers.staysUnallocated', { amount: amountText(unallocated_price) })}</Text>
          )}
        </>
      )}
      onClose={onClose}
    >
      {payer ? (
        <Text size="sm">{payer.name}</Text>
      ) : (
        <Group grow align="flex-end">
          <PayerPicker value={payer_id} onChange={setPayer} data-autofocus />
          {!payer_id && (
            <TextInput
              label={t('payers.unknownName')}
              value={payer_name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Group>
      )}
      <Stack gap="xs">
        {lines.map((line) => (
          <Group key={line.order_id} grow align="flex-end" wrap="nowrap">
            <Text size="sm">
              {line.label} <Money amount={line.unpaid} currency={currency} />
            </Text>
            <MoneyInput
              label={t('payers.part')}
              currency={currency}
              value={line.price}
              onChange={(to) => change(line.order_id, to)}
              required
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              maw={30}
              aria-label={t('payers.removeOrder', { order: line.label })}
              onClick={() => setLines((before) => before.filter((each) => each !== line))}
            >
              <Icon name="close" />
            </ActionIcon>
          </Group>
        ))}
        <OrderPicker
          key={lines.length}
          label={t('payers.addOrder')}
          onChange={(order_id) => void add(order_id)}
          isOptional
        />
      </Stack>
      <Group grow>
        <MoneyInput
          key={currency}
          label={t('payers.amount')}
          currency={currency}
          value={typed}
          placeholder={amountText(allocated)}
          onChange={setTyped}
        />
        <Select
          label={t('fields.method')}
          data={paymentMethods.map((value) => ({ value, label: methodName(value) }))}
          value={method}
          onChange={(value) => setMethod(value ?? 'transfer')}
          allowDeselect={false}
        />
      </Group>
      <Group grow>
        <TextInput
          label={t('finance.reference')}
          value={charge}
          onChange={(event) => setCharge(event.currentTarget.value)}
        />
        <DateField leaning="earlier" label={t('orders.valueDate')} value={day} onChange={setDay} />
      </Group>
    </DryRunDialog>
  )
}

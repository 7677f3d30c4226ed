import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { InputOf } from '../../calls/call.ts'
import { Hint } from '../../parts/error-notice.tsx'
import { Money } from '../../parts/instant.tsx'
import { MoneyInput } from '../../parts/money-input.tsx'
import { DryRunDialog } from '../orders/dry-run-dialog.tsx'
import { OrderPicker } from '../orders/order-picker.tsx'
import type { BankLine } from './bank-lines.tsx'
import { PayerPicker } from './payer-picker.tsx'

type Booking = NonNullable<InputOf<'matchBankLines'>['book']>[number]
export type BookKind = Booking['as']

interface Part {
  key: number
  as: BookKind
  /** Without its sign. */
  amount: number | undefined
  order_id: string
  /** Empty: the student paid. */
  payer_id: string
  reason: string
}

const mostParts = 20
const withOrder = (as: BookKind) => as === 'payment' || as === 'refund' || as === 'chargeback'

interface BankBookDialogProps {
  line: BankLine
  first: BookKind
  /** The order that is proposed; '' for none. */
  order_id: string
  onClose(): void
}

/** Books a line, as a whole or split into parts. */
export function BankBookDialog({ line, first, order_id, onClose }: BankBookDialogProps) {
  const { t } = useTranslation()
  const gross = line.price + line.fee_price
  const sign = gross < 0 ? -1 : 1
  const [parts, setParts] = useState<Part[]>([
    { key: 0, as: first, amount: Math.abs(gross), order_id, payer_id: '', reason: '' },
  ])
  const signed = ({ as, amount = 0 }: Part) =>
    as === 'fee' || as === 'refund' || as === 'chargeback'
      ? -amount
      : as === 'difference'
        ? sign * amount
        : amount
  const rest = gross - parts.reduce((sum, part) => sum + signed(part), 0)
  const isComplete =
    rest === 0 &&
    parts.every(
      (part) =>
        part.amount &&
        (!withOrder(part.as) || part.order_id !== '') &&
        (part.as !== 'refund' || part.reason.trim() !== ''),
    )
  const change = (key: number, changes: Partial<Part>) =>
    setParts((before) => before.map((part) => (part.key === key ? { ...part, ...changes } : part)))
  const input = {
    line_ids: [line.line_id],
    book: parts.map((part) => ({
      ...{ as: part.as, price: signed(part) },
      ...(withOrder(part.as) && { order_id: part.order_id }),
      ...(part.as === 'payment' && part.payer_id && { payer_id: part.payer_id }),
      ...(part.reason.trim() && { reason: part.reason.trim() }),
    })),
  }
  const kinds: BookKind[] =
    gross > 0
      ? ['payment', 'unidentified', 'fee', 'difference']
      : ['refund', 'chargeback', 'fee', 'difference']
  return (
    <DryRunDialog
      operation="matchBankLines"
      title={t('bank.bookLine')}
      input={isComplete ? input : undefined}
      said={() => t('bank.bookedDone')}
      onClose={onClose}
    >
      <Hint>
        <Money amount={gross} currency={line.currency} /> {line.payer} {line.description}
      </Hint>
      {parts.map((part) => (
        <Stack key={part.key} gap={4}>
          <Group grow align="flex-end">
            <Select
              label={t('bank.bookAs')}
              data={kinds.map((value) => ({ value, label: t(`bank.book_${value}`) }))}
              value={part.as}
              onChange={(as) => change(part.key, { as: (as as BookKind | null) ?? part.as })}
              allowDeselect={false}
            />
            <MoneyInput
              label={t('fields.amount')}
              currency={line.currency}
              value={part.amount}
              onChange={(amount) => change(part.key, { amount })}
              required
            />
          </Group>
          {withOrder(part.as) && (
            <OrderPicker
              label={t('fields.order')}
              value={part.order_id}
              onChange={(order_id) => change(part.key, { order_id })}
            />
          )}
          {part.as === 'payment' && (
            <PayerPicker
              placeholder={t('orders.payerIfOther')}
              value={part.payer_id}
              onChange={(payer_id) => change(part.key, { payer_id })}
            />
          )}
          <TextInput
            label={t('fields.reason')}
            value={part.reason}
            onChange={(event) => change(part.key, { reason: event.currentTarget.value })}
            required={part.as === 'refund'}
          />
          {parts.length > 1 && (
            <Group>
              <Button
                size="compact-xs"
                variant="subtle"
                onClick={() => setParts(parts.filter(({ key }) => key !== part.key))}
              >
                {t('bank.removePart')}
              </Button>
            </Group>
          )}
        </Stack>
      ))}
      <Group justify="space-between">
        <Hint>
          {t('bank.rest')} <Money amount={rest} currency={line.currency} />
        </Hint>
        <Button
          size="compact-sm"
          variant="default"
          disabled={parts.length >= mostParts}
          onClick={() =>
            setParts([
              ...parts,
              {
                ...{
                  key: (parts.at(-1)?.key ?? 0) + 1,
                  as: kinds[0]!,
                  order_id: '',
                  payer_id: '',
                  reason: '',
                },
                amount: rest === 0 ? undefined : Math.abs(rest),
              },
            ])
          }
        >
          {t('bank.addPart')}
        </Button>
      </Group>
    </DryRunDialog>
  )
}

import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { DryRunDialog } from './dry-run-dialog.tsx'
import { ReasonField, trimmed } from './reason-field.tsx'

type Entry = RowOf<'listOrderMoney'>

/** An entry of an order that another entry reverses. */
export type Reversal =
  | { operation: 'reverseVoid'; payment_id: string }
  | { operation: 'reverseRefund'; refund_id: string }
  | { operation: 'reverseTransfer'; transfer_id: string }
  | { operation: 'reverseWriteOff'; order_id: string; price: number }

interface ReverseDialogProps {
  reversal: Reversal
  onClose(): void
}

/** Reverses a void, refund, transfer or write-off by a separate entry. */
export function ReverseDialog({ reversal, onClose }: ReverseDialogProps) {
  const { t } = useTranslation()
  const { values, getInputProps } = useForm({ initialValues: { reason: '' } })
  const reason = trimmed(values.reason)
  const shared = {
    title: t('orders.reverseEntry'),
    said: () => t('orders.reverseDone'),
    onClose,
    children: <ReasonField {...getInputProps('reason')} required data-autofocus />,
  }
  switch (reversal.operation) {
    case 'reverseVoid':
      return <DryRunDialog {...shared} {...withReason(reversal, reason)} />
    case 'reverseRefund':
      return <DryRunDialog {...shared} {...withReason(reversal, reason)} />
    case 'reverseTransfer':
      return <DryRunDialog {...shared} {...withReason(reversal, reason)} />
    case 'reverseWriteOff':
      return <DryRunDialog {...shared} {...withReason(reversal, reason)} />
  }
}

/** The operation, with its input once there is a reason. */
function withReason<Id, Input>(
  { operation, ...input }: { operation: Id } & Input,
  reason: string | undefined,
) {
  return { operation, input: reason === undefined ? undefined : { ...input, reason } }
}

/** The reversal of an entry; undefined if it has none, or was reversed. A refund of several payments has one. */
export function reversalOf(entry: Entry, order_id: string, all: Entry[]): Reversal | undefined {
  const { kind, id, claim_price } = entry
  const at = all.indexOf(entry)
  const isRepeated = all.slice(0, at).some((each) => each.kind === kind && each.id === id && id !== '')
  if (isRepeated || all.slice(at + 1).some((later) => isReversedBy(entry, later))) return undefined
  switch (kind) {
    case 'void':
      return { operation: 'reverseVoid', payment_id: id }
    case 'refund':
      return { operation: 'reverseRefund', refund_id: id }
    case 'transfer':
      return { operation: 'reverseTransfer', transfer_id: id }
    case 'write_off':
      return { operation: 'reverseWriteOff', order_id, price: -claim_price }
    default:
      return undefined
  }
}

/** The reversal of a transfer is another transfer, and a write-off has no id. */
function isReversedBy(entry: Entry, later: Entry): boolean {
  if (later.kind !== 'reversal') return false
  if (entry.kind === 'transfer')
    return later.other_order_id === entry.other_order_id && later.price === -entry.price
  if (entry.kind === 'write_off') return later.claim_price === -entry.claim_price
  return later.id === entry.id
}

import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../app/session.tsx'
import { DocumentButton } from '../../parts/document-button.tsx'
import { Hint } from '../../parts/error-notice.tsx'
import { useRecordCommands } from '../../parts/record-commands.ts'
import { useAllowance } from '../../parts/use-allowance.ts'
import type { OrderAction } from './order-actions.tsx'
import type { OrderProps } from './order-record.tsx'

/** Orders that can be paid have an invoice. */
const isInvoiced = ['created', 'pending', 'locked', 'success']

interface OrderButtonsProps extends OrderProps {
  onAction(action: OrderAction): void
}

/** The actions of an order; one that is not possible says why. */
export function OrderButtons({ order, explanation, onAction }: OrderButtonsProps) {
  const { t } = useTranslation()
  const { can } = useSession()
  const { recordsPayments } = useAllowance()
  const { payment, refund, transfer, write_off, reprice, retain, moves } = explanation
  const canCancel =
    retain.is_possible || moves.some(({ status, is_possible }) => status === 'canceled' && is_possible)
  const buttons: [OrderAction['kind'], string, boolean, boolean, string][] = [
    ['pay', t('orders.pay'), can('write') && recordsPayments, payment.is_possible, payment.code],
    ['refund', t('orders.refund'), can('finance'), refund.is_possible, refund.code],
    ['transfer', t('orders.transfer'), can('finance'), transfer.is_possible, transfer.code],
    ['reprice', t('orders.reprice'), can('write'), reprice.is_possible, reprice.code],
    ['writeOff', t('orders.writeOff'), can('finance'), write_off.is_possible, write_off.code],
    ['cancel', t('orders.cancel'), can('write'), canCancel, 'no_such_move'],
    ['remark', t('orders.addRemark'), can('write'), true, 'possible'],
  ]
  const permitted = buttons.filter(([, , isPermitted]) => isPermitted)
  useRecordCommands(
    permitted
      .filter(([, , , isPossible]) => isPossible)
      .map(([kind, label]) => ({
        id: kind,
        label,
        icon: 'orders',
        run: () => onAction({ kind } as OrderAction),
      })),
  )
  return (
    <>
      {permitted.map(([kind, label, , isPossible, code]) => (
        <Button
          key={kind}
          size="compact-sm"
          variant={kind === 'pay' ? 'filled' : 'default'}
          disabled={!isPossible}
          title={isPossible ? undefined : t(`obstacles.${code as 'possible'}`)}
          onClick={() => onAction({ kind } as OrderAction)}
        >
          {label}
        </Button>
      ))}
      {can('finance') && isInvoiced.includes(order.status) && (
        <DocumentButton
          document={{ kind: 'invoice', subject_id: order.entity_id }}
          label={t('documents.invoice')}
          size="compact-sm"
          variant="default"
        />
      )}
      {can('write') && !recordsPayments && <Hint>{t('orders.paymentsByFinance')}</Hint>}
    </>
  )
}

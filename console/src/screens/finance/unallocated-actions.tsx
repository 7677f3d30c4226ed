import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'
import { AllocateDialog } from './allocate-dialog.tsx'
import { AssignPayerDialog } from './assign-payer-dialog.tsx'
import { RefundUnallocatedDialog } from './refund-unallocated-dialog.tsx'

type Payment = RowOf<'listUnallocated'>

/** The buttons of an unallocated payment: allocate it, refund it, correct its payer. */
export function UnallocatedActions({ payment }: { payment: Payment }) {
  const { t } = useTranslation()
  const [dialog, setDialog] = useState<'allocate' | 'refund' | 'payer'>()
  const onClose = () => setDialog(undefined)
  return (
    <>
      <Group gap={4} wrap="nowrap" justify="flex-end">
        <Button size="compact-xs" variant="light" onClick={() => setDialog('allocate')}>
          {t('orders.apply')}
        </Button>
        <Button size="compact-xs" variant="subtle" color="red" onClick={() => setDialog('refund')}>
          {t('orders.refund')}
        </Button>
        <Button size="compact-xs" variant="subtle" onClick={() => setDialog('payer')}>
          {t('payers.assign')}
        </Button>
      </Group>
      {dialog === 'allocate' && (
        <AllocateDialog
          payment={{
            ...payment,
            unapplied_price: payment.unallocated_price,
            // Money on the account of a payer has no order to propose.
            user_id: payment.payer_id ? '' : payment.user_id,
          }}
          onClose={onClose}
        />
      )}
      {dialog === 'refund' && <RefundUnallocatedDialog payment={payment} onClose={onClose} />}
      {dialog === 'payer' && <AssignPayerDialog payment={payment} onClose={onClose} />}
    </>
  )
}

import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../calls/call.ts'
import { Hint } from '../../parts/error-notice.tsx'
import { Money } from '../../parts/instant.tsx'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { PayerPicker } from './payer-picker.tsx'

interface AssignPayerDialogProps {
  payment: { payment_id: string; payer_id: string; payer_name: string; price: number; currency: string }
  onClose(): void
}

/** Sets the payer of a payment. The money stays where it is. */
export function AssignPayerDialog({ payment, onClose }: AssignPayerDialogProps) {
  const { t } = useTranslation()
  const { run } = useAction('assignPayer')
  const [payer_id, setPayer] = useState('')
  const { payment_id, price, currency } = payment
  const act = async () => {
    await run({ payment_id, ...(payer_id && { payer_id }) })
    return { said: t('payers.assigned') }
  }
  return (
    <PreviewDialog
      title={t('payers.assign')}
      isIncomplete={payer_id === payment.payer_id}
      onClose={onClose}
      act={act}
    >
      <Text size="sm">
        <Money amount={price} currency={currency} /> ·{' '}
        {t('payers.payerNow', { name: payment.payer_name || t('common.none') })}
      </Text>
      <PayerPicker value={payer_id} onChange={setPayer} data-autofocus />
      <Hint>{t('payers.assignHint')}</Hint>
    </PreviewDialog>
  )
}

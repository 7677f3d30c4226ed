import { Checkbox, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../calls/call.ts'
import { CallError } from '../../calls/call-error.ts'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { ReasonField } from '../orders/reason-field.tsx'

interface ErasePayerDialogProps {
  payer: { payer_id: string; name: string }
  onClose(): void
}

/** Erases a payer. If the payer owes money or has some, the service names the sums and asks for a confirmation. */
export function ErasePayerDialog({ payer: { payer_id, name }, onClose }: ErasePayerDialogProps) {
  const { t } = useTranslation()
  const { run } = useAction('erasePayer')
  const [hasMoney, setHasMoney] = useState(false)
  const { values, getInputProps } = useForm({ initialValues: { reason: '', confirm: false } })
  const reason = values.reason.trim()
  const act = async () => {
    try {
      await run({ payer_id, reason, ...(values.confirm && { confirm_debt: true }) })
    } catch (error) {
      if (error instanceof CallError && error.details.reason === 'payer_has_money') setHasMoney(true)
      throw error
    }
    return { said: t('payers.eraseDone') }
  }
  return (
    <PreviewDialog
      title={t('payers.erase')}
      isIncomplete={reason === '' || (hasMoney && !values.confirm)}
      isDestructive
      onClose={onClose}
      act={act}
    >
      <Text size="sm">{t('payers.eraseHint', { name })}</Text>
      <ReasonField {...getInputProps('reason')} />
      {hasMoney && (
        <Checkbox label={t('payers.eraseAnyway')} {...getInputProps('confirm', { type: 'checkbox' })} />
      )}
    </PreviewDialog>
  )
}

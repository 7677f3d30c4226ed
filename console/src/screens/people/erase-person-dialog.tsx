import { Checkbox, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../calls/call.ts'
import { CallError } from '../../calls/call-error.ts'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'
import { ReasonField } from '../orders/reason-field.tsx'

interface ErasePersonDialogProps {
  user_id: string
  name: string
  onClose(): void
  onErased(): void
}

/** Erases a person. If they owe money, the service names the sums and asks for a confirmation. */
export function ErasePersonDialog({ user_id, name, onClose, onErased }: ErasePersonDialogProps) {
  const { t } = useTranslation()
  const { run } = useAction('eraseUser')
  const [owes, setOwes] = useState(false)
  const { values, getInputProps } = useForm({ initialValues: { reason: '', confirm: false } })
  const reason = values.reason.trim()
  const act = async () => {
    try {
      await run({ user_id, reason, ...(values.confirm && { confirm_debt: true }) })
    } catch (error) {
      if (error instanceof CallError && error.details.reason === 'person_owes') setOwes(true)
      throw error
    }
    onErased()
    return { said: t('record.eraseDone') }
  }
  return (
    <PreviewDialog
      title={t('record.erase')}
      isIncomplete={reason === '' || (owes && !values.confirm)}
      isDestructive
      onClose={onClose}
      act={act}
    >
      <Text size="sm">{t('record.eraseHint', { name })}</Text>
      <ReasonField {...getInputProps('reason')} />
      {owes && (
        <Checkbox label={t('record.eraseAnyway')} {...getInputProps('confirm', { type: 'checkbox' })} />
      )}
    </PreviewDialog>
  )
}

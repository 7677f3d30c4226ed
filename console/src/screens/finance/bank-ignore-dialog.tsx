import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, useAction } from '../../calls/call.ts'
import { PreviewDialog } from '../../parts/preview-dialog.tsx'

/** Ignores lines, with a reason. */
export function BankIgnoreDialog({ line_ids, onClose }: { line_ids: string[]; onClose(): void }) {
  const { t } = useTranslation()
  const { run } = useAction('ignoreBankLines')
  const [reason, setReason] = useState('')
  const act = async () => {
    await run({ line_ids, reason: reason.trim() })
    return { said: t('bank.ignored'), undo: () => call('unmatchBankLines', { line_ids }) }
  }
  return (
    <PreviewDialog
      title={t('bank.ignoreTitle')}
      isIncomplete={reason.trim() === ''}
      onClose={onClose}
      act={act}
    >
      <TextInput
        label={t('fields.reason')}
        placeholder={t('bank.ignoreExample')}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        required
        data-autofocus
      />
    </PreviewDialog>
  )
}

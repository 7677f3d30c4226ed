import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { call, type InputOf, useAction } from '../calls/call.ts'
import { ErrorNotice } from './error-notice.tsx'

interface DocumentButtonProps {
  /** The payment of a receipt, the order of an invoice, or the refund of a credit note. */
  subject: InputOf<'issueDocument'>
  label: string
  size?: 'compact-xs' | 'compact-sm'
  variant?: 'subtle' | 'default'
}

/** Issues a document unless it is issued already, and opens it as PDF. */
export function DocumentButton({
  subject,
  label,
  size = 'compact-xs',
  variant = 'subtle',
}: DocumentButtonProps) {
  const { t } = useTranslation()
  const { run, isRunning } = useAction('issueDocument')
  const open = async () => {
    // Browsers allow a new tab during the click only.
    const tab = window.open('', '_blank')
    try {
      const { document_id } = await run(subject)
      const { download } = await call('printDocument', { document_id })
      if (tab) tab.location.replace(download)
    } catch (error) {
      tab?.close()
      notifications.show({
        color: 'red',
        message: <ErrorNotice error={error} />,
        closeButtonProps: { 'aria-label': t('common.close') },
      })
    }
  }
  return (
    <Button size={size} variant={variant} loading={isRunning} onClick={() => void open()}>
      {label}
    </Button>
  )
}

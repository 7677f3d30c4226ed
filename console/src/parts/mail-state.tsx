import { useTranslation } from 'react-i18next'
import { useCall } from '../calls/call.ts'
import { Hint } from './error-notice.tsx'

const askEveryMs = 5000

/** The outcome of the last mail about a record. Empty without one. */
export function MailState({ recordId }: { recordId: string }) {
  const { t } = useTranslation()
  const { data } = useCall(
    'listMails',
    { record_id: recordId, page_size: 1 },
    { refetchEveryMs: (shown) => (shown?.list[0]?.state === 'waiting' ? askEveryMs : undefined) },
  )
  const mail = data?.list[0]
  if (!mail) return null
  const problem = mail.problem === '' ? undefined : t(`mail.problems.${mail.problem}`)
  return (
    <Hint size="xs">
      {t(`mail.states.${mail.state}`)}
      {problem && mail.state === 'failed' && ` · ${problem}`}
      {problem && mail.state === 'waiting' && ` · ${t('mail.retried', { problem })}`}
    </Hint>
  )
}

import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '../../calls/call.ts'

type Entry = Pick<RowOf<'listAudit'>, 'action' | 'record_type'>

/** The name of an action; a created session is shown as a sign-in. */
export function useActionName(): (entry: Entry) => string {
  const { t } = useTranslation()
  return useCallback(
    ({ action, record_type }) => {
      if (record_type === 'failed_sign_ins') return t('activity.failed')
      if (record_type === 'staff_sessions')
        return t(action === 'removed' ? 'activity.signedOut' : 'activity.signedIn')
      return t(`activity.actionNames.${action}`)
    },
    [t],
  )
}

import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

interface Failure {
  error: string | null
  status: number | null
}

/** The text of a failed attempt: the problem and the HTTP status. */
export function useWebhookProblem(): (failure: Failure) => string {
  const { t } = useTranslation()
  return useCallback(
    ({ error, status }) =>
      error ? `${t(`webhooks.problem.${error as 'timeout'}`)}${status ? ` HTTP ${status}` : ''}` : '',
    [t],
  )
}

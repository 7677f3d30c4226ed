import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

/** What a kind of record is called on the screens; one that has no word yet, as the service calls it. */
export function useRecordName(): (recordType: string) => string {
  const { t, i18n } = useTranslation()
  return useCallback(
    (recordType) => {
      const key = `activity.records.${recordType}`
      return i18n.exists(key) ? t(key as 'activity.records.users') : recordType
    },
    [t, i18n],
  )
}

import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

/** The name of a record type; without a translation, its API name. */
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

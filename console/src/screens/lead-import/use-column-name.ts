import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

/** What a column of leads is called on the screens; one that has no word, as the service calls it. */
export function useColumnName(): (column: string) => string {
  const { t, i18n } = useTranslation()
  return useCallback(
    (column) => {
      const key = `leadImport.columns.${column}`
      return i18n.exists(key) ? t(key as 'leadImport.columns.name') : column
    },
    [t, i18n],
  )
}

import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

/** The name of a lead's column; without a translation, its API name. */
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

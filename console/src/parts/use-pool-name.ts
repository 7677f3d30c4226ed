import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

const known = ['public', 'alive', 'dead'] as const

/** The name of a pool: translated if it is built in, otherwise as the school named it. */
export function usePoolName(): (pool: string) => string {
  const { t } = useTranslation()
  return useCallback(
    (pool: string) => {
      const word = known.find((each) => each === pool)
      return word ? t(`people.pools.${word}`) : pool
    },
    [t],
  )
}

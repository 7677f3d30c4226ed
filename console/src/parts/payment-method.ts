import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

/** The ways of payment that have words; what programs tell may have others. */
export const paymentMethods = ['transfer', 'card', 'cash', 'cheque', 'wechat', 'alipay'] as const

/** The usual ways have words; others are called as they were told. */
export function useMethodName(): (method: string) => string {
  const { t } = useTranslation()
  return useCallback(
    (method: string) => {
      const word = paymentMethods.find((each) => each === method)
      return word ? t(`paymentMethods.${word}`) : method
    },
    [t],
  )
}
